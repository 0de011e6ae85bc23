"""Whole pages for a program that shows reports: from a bundle's path to HTML."""

from __future__ import annotations

from pathlib import Path

from analysis.load import load
from analysis.report.build import Extras, design_document, document
from analysis.report.html import html
from analysis.report.words import Words
from analysis.results.full import full


def report_page(bundle: Path, *, language: str = "en", models: bool = True) -> str:
    """The full report of a closed study as one HTML page.

    Args:
        bundle: A bundle's zip or folder.
        language: `en` or `pl`.
        models: Fit the ordinal and linear models, which takes seconds.

    Raises:
        BundleError: The bundle cannot be read.
        OptionError: There are no texts in this language, or the plan asks for something unknown.
    """
    results = full(load(bundle), models=models)
    return html(document(results, Words(language), Extras()))


def design_page(bundle: Path, *, language: str = "en") -> str:
    """The design check of a running study: positions, orders and times, no outcome by arm.

    Args:
        bundle: A bundle's zip or folder.
        language: `en` or `pl`.

    Raises:
        BundleError: The bundle cannot be read.
        OptionError: There are no texts in this language.
    """
    return html(design_document(load(bundle), Words(language)))

"""The page of a study that still runs."""

from __future__ import annotations

from pathlib import Path

from analysis.load import LoadOptions, load
from analysis.report.build import design_document
from analysis.report.html import html
from analysis.report.words import Words


def design_page(bundle: Path, *, language: str = "en") -> str:
    """The design check of a running study: positions, orders and times, no outcome by arm.

    Args:
        bundle: A bundle's zip or folder.
        language: `en` or `pl`.

    Raises:
        BundleError: The bundle cannot be read.
        OptionError: There are no texts in this language.
    """
    return html(design_document(load(bundle, LoadOptions(allow_blind=True)), Words(language)))

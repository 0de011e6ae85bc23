"""Set the printed figures of a published study beside the recomputed ones, with a verdict.

A reference file lists claims. Each gives the figure as printed, the path of the result that answers
it, and a sentence. `{path|format}` in a sentence is filled from the results, so that no recomputed
number is ever typed by hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, Final

from analysis.errors import AnalysisError, BundleError
from analysis.results.plain import lookup

AGREES, DIFFERS, PARTLY = "agrees", "differs", "partly"
FILE_NAME: Final = "published.json"
_FILLED: Final = re.compile(r"\{([^{}|]+)\|([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Claim:
    """One printed figure and what it comes to.

    `recomputed` is null where the claim is not about one number; then `verdict` was given by hand
    in the reference file, with the reason in `note`.
    """

    claim: str
    printed: str
    shown: str
    recomputed: float | None
    verdict: str
    note: str


def published_compare(
    file: Path, results: Mapping[str, Any], *, language: str = "en"
) -> tuple[Claim, ...]:
    """Compare every claim of a reference file.

    Args:
        file: The reference file.
        results: Plain results.
        language: Of the sentences, where the file has them in more than English: a claim's key
            `pl` may hold its `claim`, `shown` and `note`.

    Raises:
        BundleError: The file is no JSON or names a result that does not exist.
    """
    try:
        entries = json.loads(file.read_bytes())["claims"]
        return tuple(_claim({**entry, **entry.get(language, {})}, results) for entry in entries)
    except (ValueError, KeyError, TypeError, AnalysisError) as error:
        raise BundleError(
            file=file.name, place="claims", found=str(error), allowed="claims with known results"
        ) from error


def sentence_fill(text: str, results: Mapping[str, Any]) -> str:
    """Fill `{path|format}` from the results; formats are Python's."""

    def value(match: re.Match[str]) -> str:
        found = lookup(results, match[1])
        return "undefined" if found is None else format(found, match[2])

    return _FILLED.sub(value, text)


def _claim(entry: Mapping[str, Any], results: Mapping[str, Any]) -> Claim:
    recomputed = lookup(results, entry["result"]) if "result" in entry else None
    if recomputed is not None:
        recomputed = recomputed * entry.get("times", 1)
    verdict = entry.get("verdict") or _verdict(entry["printed"], recomputed)
    return Claim(
        claim=entry["claim"],
        printed=entry["printed"],
        shown=sentence_fill(entry["shown"], results),
        recomputed=recomputed,
        verdict=verdict,
        note=sentence_fill(entry.get("note", ""), results),
    )


def _verdict(printed: str, recomputed: float | None) -> str:
    """Does the result round to what was printed? Both rules for a final 5 are allowed."""
    if recomputed is None:
        return DIFFERS
    figure = Decimal(printed.removesuffix("%").strip())
    exact = Decimal(recomputed)
    fits = (exact.quantize(figure, rule) == figure for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN))
    return AGREES if any(fits) else DIFFERS

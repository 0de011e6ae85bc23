"""The keys of a study's questions: columns of the data, and fields of participants' pages."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from studyapp.errors import MeasureError

_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")
# What else has a name or an id beside the questions, and what scripts ask a form for. A question
# of that name could not be answered, and nobody could go on.
RESERVED: Final = frozenset({
    *("action", "csrfmiddlewaretoken", "kept", "mark", "reading", "stage"),
    *("answers", "documents", "find", "main", "parties", "questions", "situation", "turns"),
    *("error-summary-title", "progress-label", "report-a", "report-b", "time-title", "your-marks"),
    *("addEventListener", "dataset", "elements", "querySelector", "requestSubmit"),
})  # fmt: skip
_PART_OF_DEBATE: Final = re.compile(r"(turn|news|round)-\d+(-title)?")
# What a page appends to a question's key for its options, its hint and its error.
_APPENDED: Final = re.compile(r"-(\d+|hint|error)$")


def keys_check(part: str, keys: Collection[str]) -> None:
    """Refuse keys that a page could not show.

    Args:
        part: measures, background or screening, as the error names it.
        keys: of the questions.

    Raises:
        MeasureError: names the key and what is allowed.
    """
    for key in keys:
        if not _KEY.fullmatch(key):
            raise MeasureError(
                f"{part}: key {key[:80]!r} is not allowed; allowed are 1 to 60 of A-Z, a-z, 0-9, "
                "_ and -, beginning with a letter"
            )
        if is_reserved(key):
            raise MeasureError(f"{part}: key {key!r} is a name of the page's own; choose another")
        if _APPENDED.sub("", key) in set(keys) - {key}:
            raise MeasureError(
                f"{part}: key {key!r} is what a page calls a part of the question "
                f"{_APPENDED.sub('', key)!r}; choose another"
            )


def is_reserved(key: str) -> bool:
    """Say whether a participant's page has something of this name itself."""
    return key in RESERVED or _PART_OF_DEBATE.fullmatch(key) is not None

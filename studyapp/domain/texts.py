"""The texts that a study shows its participants around the debates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from studyapp.errors import MeasureError

MINUTES_MOST: Final = 240
# Languages whose usual script runs from right to left.
_RIGHT_TO_LEFT: Final = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})
_UNWRITTEN: Final[Mapping[str, object]] = {
    **dict.fromkeys(("title", "about", "agreement", "contact", "instructions", "debrief"), "-"),
    "consent": ["-"],
    "minutes": 1,
}
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")


@dataclass(frozen=True, slots=True)
class StudyTexts:
    """What participants read, in `language`; `about`, `instructions`, `debrief` are markdown.

    `title` is what participants see in place of the study's own title, which may tell too much.
    `debrief` is shown after completion only. `minutes` is the expected length of the whole.
    """

    title: str
    minutes: int
    about: str
    consent: tuple[str, ...]
    agreement: str
    contact: str
    instructions: str
    debrief: str
    language: str = "en"

    @property
    def is_rtl(self) -> bool:
        """Say whether the language is written from right to left; pages then run that way."""
        return self.language.split("-")[0].lower() in _RIGHT_TO_LEFT


def texts_load(row: Mapping[str, object]) -> StudyTexts:
    """Read a study's stored texts.

    Raises:
        MeasureError: a text is missing or empty, or `minutes` is no plausible number.
    """
    return StudyTexts(
        title=_text(row, "title"),
        minutes=_minutes(row),
        about=_text(row, "about"),
        consent=_consent(row),
        agreement=_text(row, "agreement"),
        contact=_text(row, "contact"),
        instructions=_text(row, "instructions"),
        debrief=_text(row, "debrief"),
        language=language_check(row.get("language", "en")),
    )


def texts_check(row: Mapping[str, object]) -> None:
    """Read the texts that are there; a study may be built before all of them are written.

    Raises:
        MeasureError: one that is there cannot be read.
    """
    texts_load({**_UNWRITTEN, **row})


def language_check(value: object) -> str:
    """Return the tag of a language.

    Raises:
        MeasureError: it is none.
    """
    if not isinstance(value, str) or not _LANGUAGE.fullmatch(value):
        raise MeasureError(f"texts: language is {value!r}; allowed is a tag such as en or pt-BR")
    return value


def texts_dump(texts: StudyTexts) -> dict[str, object]:
    """Write the texts as JSON-ready data; `texts_load` reads them back."""
    return asdict(texts)


def _text(row: Mapping[str, object], key: str) -> str:
    """Read one text; a list of lines is one text, so that a JSON file stays readable."""
    value = row.get(key)
    if isinstance(value, list | tuple):
        value = "\n".join(str(line) for line in value)
    if not isinstance(value, str) or not value.strip():
        raise MeasureError(f"texts: {key} must be a text, or a list of its lines")
    return value.strip()


def _minutes(row: Mapping[str, object]) -> int:
    value = row.get("minutes")
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MINUTES_MOST:
        raise MeasureError(
            f"texts: minutes is {value!r}; allowed is a whole number from 1 to {MINUTES_MOST}"
        )
    return value


def _consent(row: Mapping[str, object]) -> tuple[str, ...]:
    value = row.get("consent")
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise MeasureError("texts: consent must be a list of statements")
    return tuple(str(statement) for statement in value)

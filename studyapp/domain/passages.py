"""A study's words one by one: what there is to write, to translate, and what lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from studyapp.domain.instruments import is_verbatim
from studyapp.domain.study_content import BACKGROUND, StudyContent
from studyapp.domain.translations import (
    COHORTS,
    INSTRUCTIONS,
    SCENARIOS,
    texts_in,
    words_of_rows,
)

QUESTION, HINT, ANCHORS, OPTIONS = "question", "hint", "anchors", "options"
MINUTES, LANGUAGE, CONSENT = "minutes", "language", "consent"


class TextPage(StrEnum):
    """Where in a study a passage is read; researchers edit one such page at a time."""

    CONSENT = "consent"
    SCREENING = "screening"
    BACKGROUND = "background"
    INSTRUCTIONS = "instructions"
    SCENARIOS = "scenarios"
    MEASURES = "measures"
    DEBRIEF = "debrief"
    COHORTS = "cohorts"


class Shape(StrEnum):
    """How a passage is written."""

    LINE = "line"
    LINES = "lines"
    PROSE = "prose"
    NUMBER = "number"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of a study in one language.

    Attributes:
        page: on which page of the study it is read.
        path: where it is stored: part, key, field and point, as far as it has these.
        own: in the study's own language.
        text: in the language asked for.
        shape: how it is written.
        is_needed: whether the study cannot do without it; a translation needs what there is.
        is_fixed: whether it is kept word for word, as in an instrument.
    """

    page: TextPage
    path: tuple[str, ...]
    own: str
    text: str
    shape: Shape = Shape.LINE
    is_needed: bool = False
    is_fixed: bool = False

    @property
    def name(self) -> str:
        """Its name in forms, in the log and in lists of what lacks."""
        return "/".join(self.path)

    @property
    def is_missing(self) -> bool:
        """Whether participants who read this language would miss it."""
        return not self.text and (self.is_needed or bool(self.own))


_TEXTS: Final = (
    (TextPage.CONSENT, "title", Shape.LINE),
    (TextPage.CONSENT, "about", Shape.PROSE),
    (TextPage.CONSENT, CONSENT, Shape.LINES),
    (TextPage.CONSENT, "agreement", Shape.LINE),
    (TextPage.CONSENT, "contact", Shape.LINE),
    (TextPage.INSTRUCTIONS, INSTRUCTIONS, Shape.PROSE),
    (TextPage.DEBRIEF, "debrief", Shape.PROSE),
)
# The same in every language, so only the study's own has them.
_SETTINGS: Final = (
    (TextPage.CONSENT, MINUTES, Shape.NUMBER),
    (TextPage.CONSENT, LANGUAGE, Shape.TAG),
)


def passages_list(content: StudyContent, *, language: str) -> list[Passage]:
    """List every passage of a study in a language, in the order in which they are stored."""
    is_own = language == content.language
    words = {} if is_own else content.translations.get(language, {})
    return [
        *_texts(content, words, is_own=is_own),
        *_questions(content, words, is_own=is_own),
        *_scenarios(content, words, is_own=is_own),
        *_cohorts(content, words, is_own=is_own),
    ]


def gaps_list(content: StudyContent) -> list[tuple[str, Passage]]:
    """List what every language lacks, as language and passage."""
    languages = (content.language, *sorted(content.translations))
    return [
        (language, passage)
        for language in languages
        for passage in passages_list(content, language=language)
        if passage.is_missing
    ]


def text_read(value: object, *, between: str = "\n") -> str:
    """Return a stored text, which may be a list of its lines."""
    if isinstance(value, list | tuple):
        return between.join(str(line) for line in value).strip()
    return "" if value is None else str(value).strip()


def _texts(content: StudyContent, words: Mapping[str, Any], *, is_own: bool) -> Iterator[Passage]:
    laid = words.get("texts", {}) if not is_own else texts_in(content.texts, {}, language="")
    for page, key, shape in (*_TEXTS, *(_SETTINGS if is_own else ())):
        read = _statements if key == CONSENT else text_read
        standing = {LANGUAGE: content.language}
        yield Passage(
            page=page,
            path=("texts", key),
            own=read(content.texts.get(key, standing.get(key))),
            text=read(laid.get(key, standing.get(key) if is_own else None)),
            shape=shape,
            is_needed=is_own,
        )


def _statements(value: object) -> str:
    """One statement a line, whatever breaks were inside."""
    rows = value if isinstance(value, list | tuple) else ()
    return "\n".join(" ".join(str(row).split()) for row in rows)


def _questions(
    content: StudyContent, words: Mapping[str, Any], *, is_own: bool
) -> Iterator[Passage]:
    for part, rows in content.parts.items():
        for row in rows:
            laid = row if is_own else words_of_rows(words, part).get(row["key"], {})
            path = (part, str(row["key"]))
            yield from _question(TextPage(part), path, row, laid, is_own=is_own)


def _question(
    page: TextPage,
    path: tuple[str, ...],
    row: Mapping[str, Any],
    laid: Mapping[str, Any],
    *,
    is_own: bool,
) -> Iterator[Passage]:
    """A question, its hint, the points of its scale and its options."""
    fixed = is_own and is_verbatim(str(row.get("instrument", "")))
    for key in (QUESTION, HINT):
        own, text = text_read(row.get(key)), text_read(laid.get(key))
        if own or is_own:
            needed = is_own and key == QUESTION
            yield Passage(page, (*path, key), own, text, is_needed=needed, is_fixed=fixed)
    there = _points(laid)
    for point, own in _points(row).items():
        text = there.get(point, "")
        yield Passage(page, (*path, *point), own, text, is_needed=is_own, is_fixed=fixed)


def _points(row: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Return anchors by number and options by value; a translation holds options as an object."""
    anchors = enumerate(row.get(ANCHORS, ()), start=1)
    options = row.get(OPTIONS, ())
    labels = (
        options.items()
        if isinstance(options, Mapping)
        else ((option["value"], option["label"]) for option in options)
    )
    return {(ANCHORS, str(number)): text_read(label) for number, label in anchors} | {
        (OPTIONS, str(value)): text_read(label) for value, label in labels
    }


def _scenarios(
    content: StudyContent, words: Mapping[str, Any], *, is_own: bool
) -> Iterator[Passage]:
    for key, own in content.scenarios.items():
        text = own if is_own else text_read(words.get(SCENARIOS, {}).get(key))
        if own or is_own:
            yield Passage(TextPage.SCENARIOS, (SCENARIOS, key), own, text)


def _cohorts(content: StudyContent, words: Mapping[str, Any], *, is_own: bool) -> Iterator[Passage]:
    for name, cohort in content.cohorts.items():
        found = words.get(COHORTS, {}).get(name, {})
        own, path = text_read(cohort.instructions), (COHORTS, name)
        text = own if is_own else text_read(found.get(INSTRUCTIONS))
        if own or is_own:
            yield Passage(TextPage.COHORTS, (*path, INSTRUCTIONS), own, text, Shape.PROSE)
        there = words_of_rows(words, BACKGROUND, cohort=name)
        for row in cohort.background or ():
            laid = row if is_own else there.get(row["key"], {})
            place = (*path, BACKGROUND, str(row["key"]))
            yield from _question(TextPage.COHORTS, place, row, laid, is_own=is_own)

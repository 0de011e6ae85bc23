"""Put new texts into a study's words: only the words change, never what is asked or answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final

from studyapp.domain.answers import text_clean
from studyapp.domain.passages import (
    ANCHORS,
    CONSENT,
    MINUTES,
    OPTIONS,
    Passage,
    Shape,
    passages_list,
)
from studyapp.domain.study_content import BACKGROUND, CohortContent, Rows, StudyContent
from studyapp.domain.translations import COHORTS, INSTRUCTIONS, PARTS, SCENARIOS

TEXT_MOST: Final = 20_000
LINE_MOST: Final = 1_000
_TEXTS: Final = "texts"


@dataclass(frozen=True, slots=True)
class Change:
    """One passage with what it shall say."""

    passage: Passage
    text: str


def changes_read(passages: Iterable[Passage], sent: Mapping[str, str]) -> list[Change]:
    """Return which passages were sent with other words; what was not sent stays."""
    read = [
        Change(passage, _clean(passage, sent[passage.name]))
        for passage in passages
        if passage.name in sent and not passage.is_fixed
    ]
    return [change for change in read if change.text != change.passage.text]


def content_reword(
    content: StudyContent, changes: Sequence[Change], *, language: str
) -> StudyContent:
    """Return a study's words with changes in one language.

    A translation is written anew from its passages, so that it holds nothing but these.
    """
    if language != content.language:
        return _translated(content, changes, language)
    for change in changes:
        content = _own_put(content, change)
    return content


def _clean(passage: Passage, sent: str) -> str:
    text = text_clean(sent)
    if passage.shape in (Shape.PROSE, Shape.LINES):
        lines = [line.rstrip() for line in text.split("\n")]
        kept = lines if passage.shape is Shape.PROSE else filter(None, map(str.strip, lines))
        return "\n".join(kept)
    return " ".join(text.split())


def _own_put(content: StudyContent, change: Change) -> StudyContent:
    part, *rest = change.passage.path
    if part == _TEXTS:
        return replace(content, texts={**content.texts, rest[0]: _stored(rest[0], change.text)})
    if part == SCENARIOS:
        return replace(content, scenarios={**content.scenarios, rest[0]: change.text})
    if part == COHORTS:
        name, *inner = rest
        cohort = _cohort_put(content.cohorts[name], inner, change.text)
        return replace(content, cohorts={**content.cohorts, name: cohort})
    rows = _rows_put(content.parts[part], rest, change.text)
    fields: dict[str, Any] = {part: rows}
    return replace(content, **fields)


def _cohort_put(cohort: CohortContent, path: Sequence[str], text: str) -> CohortContent:
    if path == [INSTRUCTIONS]:
        return replace(cohort, instructions=text)
    return replace(cohort, background=_rows_put(cohort.background or (), path[1:], text))


def _rows_put(rows: Rows, path: Sequence[str], text: str) -> Rows:
    key, field, *point = path
    made = [deepcopy(dict(row)) for row in rows]
    row = next(row for row in made if str(row["key"]) == key)
    if field == ANCHORS:
        row[ANCHORS][int(point[0]) - 1] = text
    elif field == OPTIONS:
        option = next(item for item in row[OPTIONS] if str(item["value"]) == point[0])
        option["label"] = text
    elif text:
        row[field] = text
    else:
        del row[field]
    return made


def _stored(key: str, text: str) -> Any:
    if key == CONSENT:
        return text.split("\n") if text else []
    # What is no number is refused before it is stored, but may be looked at.
    return int(text) if key == MINUTES and text.isascii() and text.isdigit() else text


def _translated(content: StudyContent, changes: Sequence[Change], language: str) -> StudyContent:
    new = {change.passage.path: change.text for change in changes}
    words: dict[str, Any] = {}
    for passage in passages_list(content, language=language):
        text = new.get(passage.path, passage.text)
        if text:
            _words_put(words, passage, text)
    _anchors_list(words, content)
    return replace(content, translations={**content.translations, language: words})


def _words_put(words: dict[str, Any], passage: Passage, text: str) -> None:
    *above, last = passage.path
    place = words
    for step in above:
        place = place.setdefault(step, {})
    place[last] = _stored(last, text) if passage.path[0] == _TEXTS else text


def _anchors_list(words: Mapping[str, Any], content: StudyContent) -> None:
    """Turn numbered anchors into the list that a translation holds; a gap is an empty label."""
    for part in PARTS:
        _anchors_of(words.get(part, {}), content.parts[part])
    for name, own in words.get(COHORTS, {}).items():
        _anchors_of(own.get(BACKGROUND, {}), content.cohorts[name].background or ())


def _anchors_of(words: Mapping[str, Any], rows: Rows) -> None:
    for row in rows:
        found = words.get(str(row["key"]), {})
        if ANCHORS in found:
            numbers = range(1, len(row[ANCHORS]) + 1)
            found[ANCHORS] = [found[ANCHORS].get(str(number), "") for number in numbers]

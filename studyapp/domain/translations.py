"""A study's words in further languages: laid over its own, and checked to fit them.

A translation may lack words while a study is built; `studyapp.domain.passages` tells which. It may
never name what the study does not have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from studyapp.domain.study_content import (
    BACKGROUND,
    CohortContent,
    Rows,
    StudyContent,
    Translations,
)
from studyapp.domain.texts import language_check
from studyapp.domain.titles import title_problem
from studyapp.errors import MeasureError

TEXTS: Final = ("title", "about", "consent", "agreement", "contact", "instructions", "debrief")
PARTS: Final = ("measures", "background", "screening")
SCENARIOS: Final = "scenarios"
COHORTS: Final = "cohorts"
INSTRUCTIONS: Final = "instructions"
# What participants read of a question; everything else is the same in every language.
_WORDS: Final = ("question", "hint", "anchors", "options")


def languages_offered(texts: Mapping[str, Any], translations: Translations) -> tuple[str, ...]:
    """Name the languages of a study, its own first."""
    own = str(texts.get("language", "en"))
    return (own, *sorted(language for language in translations if language != own))


def texts_in(
    texts: Mapping[str, Any], translations: Translations, *, language: str
) -> dict[str, Any]:
    """Return a study's texts in a language, or in its own where it has no such translation."""
    words = translations.get(language)
    if words is None:
        return dict(texts)
    return {**texts, **words.get("texts", {}), "language": language}


def rows_in(
    rows: Rows, translations: Translations, part: str, *, language: str, cohort: str = ""
) -> list[Any]:
    """Return the questions of a part in a language, or as they are where it has none.

    Args:
        rows: the questions in the study's own language.
        translations: of the whole study.
        part: measures, background or screening.
        language: the reader's.
        cohort: whose questions they are, where they are a cohort's own.
    """
    words = translations.get(language, {})
    found = words_of_rows(words, part, cohort=cohort)
    return [_row_in(row, found.get(row["key"], {})) for row in rows]


def instructions_in(own: str, translations: Translations, *, cohort: str, language: str) -> str:
    """Return what a cohort is told in addition, in a language or as it is."""
    words = _cohort_words(translations.get(language, {}), cohort)
    return str(words.get(INSTRUCTIONS) or own)


def title_in(own: str, translations: Translations, *, scenario: str, language: str) -> str:
    """Return the title of a debate in a language, or as it is."""
    titles = translations.get(language, {}).get(SCENARIOS, {})
    return str(titles.get(scenario) or own) if own else ""


def translations_without(translations: Translations, part: str, key: str) -> dict[str, Any]:
    """Return translations that say nothing of a scenario or a cohort that is taken out."""
    return {
        language: {
            name: {at: said for at, said in rows.items() if at != key} if name == part else rows
            for name, rows in words.items()
        }
        for language, words in translations.items()
    }


def words_of_rows(words: Mapping[str, Any], part: str, *, cohort: str = "") -> Mapping[str, Any]:
    """Return what a translation says of a part's questions, by key.

    A cohort's own words for its questions go before those that several may share.
    """
    shared: Mapping[str, Any] = words.get(part, {})
    return {**shared, **_cohort_words(words, cohort).get(part, {})} if cohort else shared


def translations_check(content: StudyContent, *, arms: Collection[str] = ()) -> None:
    """Refuse a translation that names what the study does not have, or cannot be read.

    Args:
        content: the study's words with their translations.
        arms: names that no title may hold.

    Raises:
        MeasureError: names the language, the place, and what is wrong there.
    """
    for language, words in content.translations.items():
        language_check(language)
        for problem in _problems(words, content, arms):
            raise MeasureError(f"translations: {language}: {problem}")


def _cohort_words(words: Mapping[str, Any], cohort: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = words.get(COHORTS, {}).get(cohort, {})
    return found


def _row_in(row: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    laid = {**row, **{key: words[key] for key in ("question", "hint") if words.get(key)}}
    if words.get("anchors"):
        pairs = zip_longest(words["anchors"], row.get("anchors", ()), fillvalue="")
        laid["anchors"] = [there or own for there, own in pairs]
    labels = words.get("options")
    if labels:
        laid["options"] = [
            {**option, "label": labels.get(option["value"]) or option["label"]}
            for option in row.get("options", ())
        ]
    return laid


def _problems(words: object, content: StudyContent, arms: Collection[str]) -> Iterator[str]:
    known = ("texts", *PARTS, SCENARIOS, COHORTS)
    if not isinstance(words, Mapping):
        yield f"it must be an object with {', '.join(known)}"
        return
    broken = [key for key in known if not isinstance(words.get(key, {}), Mapping)]
    if broken:
        yield f"{broken[0]} must be an object"
        return
    yield from _unknown(words, known, "the translation")
    yield from _texts_problems(words.get("texts", {}))
    for part, rows in content.parts.items():
        shared = _cohorts_rows(content) if part == BACKGROUND else []
        yield from _rows_problems([*rows, *shared], words.get(part, {}), part)
    yield from _titles_problems(words.get(SCENARIOS, {}), content.scenarios, arms)
    yield from _cohorts_problems(words.get(COHORTS, {}), content.cohorts)


def _texts_problems(words: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown(words, TEXTS, "texts")
    consent = words.get("consent", [])
    if not isinstance(consent, Sequence) or isinstance(consent, str):
        yield "texts: consent must be a list of statements"


def _cohorts_rows(content: StudyContent) -> list[Mapping[str, Any]]:
    """The questions of cohorts whose words may stand among the study's: those with other keys."""
    taken = {row["key"] for row in content.background}
    own = (row for cohort in content.cohorts.values() for row in cohort.background or ())
    return [row for row in own if row["key"] not in taken]


def _rows_problems(rows: Rows, words: Mapping[str, Any], part: str) -> Iterator[str]:
    yield from _unknown(words, sorted({str(row["key"]) for row in rows}), part)
    for row in rows:
        yield from _row_problems(row, words.get(row["key"], {}), f"{part}: {row['key']}")


def _row_problems(row: Mapping[str, Any], words: object, place: str) -> Iterator[str]:
    if not isinstance(words, Mapping) or not isinstance(words.get("options", {}), Mapping):
        yield f"{place} must be an object, and its options an object of labels by value"
        return
    yield from _unknown(words, _WORDS, place)
    anchors, found = row.get("anchors", ()), words.get("anchors")
    if found is not None and (not isinstance(found, list | tuple) or len(found) != len(anchors)):
        yield f"{place}: anchors must be {len(anchors)} labels"
    values = [str(option["value"]) for option in row.get("options", ())]
    yield from _unknown(words.get("options", {}), values, f"{place}: options")


def _titles_problems(
    words: Mapping[str, Any], titles: Mapping[str, str], arms: Collection[str]
) -> Iterator[str]:
    yield from _unknown(words, sorted(titles), SCENARIOS)
    for key, title in words.items():
        problem = title_problem(str(title), arms=arms)
        if problem:
            yield f"{SCENARIOS}: {key}: {problem}"


def _cohorts_problems(
    words: Mapping[str, Any], cohorts: Mapping[str, CohortContent]
) -> Iterator[str]:
    yield from _unknown(words, sorted(cohorts), COHORTS)
    for name, own in words.items():
        place = f"{COHORTS}: {name}"
        if not isinstance(own, Mapping) or not isinstance(own.get(BACKGROUND, {}), Mapping):
            yield f"{place} must be an object with instructions and background"
            continue
        yield from _unknown(own, (INSTRUCTIONS, BACKGROUND), place)
        if name in cohorts:
            rows = cohorts[name].background or ()
            yield from _rows_problems(rows, own.get(BACKGROUND, {}), f"{place}: {BACKGROUND}")


def _unknown(row: Mapping[str, Any], known: Sequence[str], place: str) -> Iterator[str]:
    yield from (
        f"{place}: {key!r} is unknown; allowed are {', '.join(known) or 'none'}"
        for key in row
        if key not in known
    )

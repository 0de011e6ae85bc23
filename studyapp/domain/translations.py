"""A study's words in further languages: laid over its own, and checked to be whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from studyapp.errors import MeasureError

TEXTS: Final = ("title", "about", "consent", "agreement", "contact", "instructions", "debrief")
PARTS: Final = ("measures", "background", "screening")
# What participants read of a question; everything else is the same in every language.
_WORDS: Final = ("question", "hint", "anchors", "options")
Rows = Sequence[Mapping[str, Any]]
Translations = Mapping[str, Mapping[str, Any]]


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


def rows_in(rows: Rows, translations: Translations, part: str, *, language: str) -> list[Any]:
    """Return the questions of a part in a language, or as they are where it has none."""
    words = translations.get(language, {}).get(part, {})
    return [_row_in(row, words.get(row.get("key"), {})) for row in rows]


def translations_check(
    translations: Translations, *, texts: Mapping[str, Any], parts: Mapping[str, Rows]
) -> None:
    """Refuse a translation that leaves participants with two languages on one page.

    Args:
        translations: by language: `texts`, and by part and key the words of each question.
        texts: the study's own texts.
        parts: the study's own questions by part.

    Raises:
        MeasureError: names the language, the place, and what is missing or unknown.
    """
    for language, words in translations.items():
        for problem in _problems(words, texts, parts):
            raise MeasureError(f"translations: {language}: {problem}")


def _row_in(row: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    laid = {**row, **{key: words[key] for key in ("question", "hint", "anchors") if key in words}}
    labels = words.get("options")
    if labels:
        laid["options"] = [
            {**option, "label": labels.get(option["value"], option["label"])}
            for option in row.get("options", ())
        ]
    return laid


def _problems(words: object, texts: Mapping[str, Any], parts: Mapping[str, Rows]) -> Iterator[str]:
    if not isinstance(words, Mapping):
        yield "it must be an object with texts, measures, background and screening"
        return
    broken = [key for key in ("texts", *parts) if not isinstance(words.get(key, {}), Mapping)]
    if broken:
        yield f"{broken[0]} must be an object"
        return
    yield from _unknown(words, ("texts", *parts), "the translation")
    own = words.get("texts", {})
    needed = [key for key in TEXTS if texts.get(key)]
    yield from (f"texts: {key} is missing" for key in needed if not own.get(key))
    yield from _unknown(own, TEXTS, "texts")
    for part, rows in parts.items():
        keys = {str(row["key"]) for row in rows}
        yield from _unknown(words.get(part, {}), sorted(keys), part)
        for row in rows:
            yield from _row_problems(row, words.get(part, {}).get(row["key"], {}), part)


def _row_problems(row: Mapping[str, Any], words: object, part: str) -> Iterator[str]:
    place = f"{part}: {row['key']}"
    if not isinstance(words, Mapping) or not isinstance(words.get("options", {}), Mapping):
        yield f"{place} must be an object, and its options an object of labels by value"
        return
    yield from _unknown(words, _WORDS, place)
    yield from (
        f"{place}: {key} is missing"
        for key in ("question", "hint")
        if row.get(key, "") and not words.get(key)
    )
    anchors = row.get("anchors", ())
    if anchors and len(words.get("anchors", ())) != len(anchors):
        yield f"{place}: anchors must be {len(anchors)} labels"
    values = [str(option["value"]) for option in row.get("options", ())]
    labels = words.get("options", {})
    yield from (
        f"{place}: the option {value} is missing" for value in values if value not in labels
    )


def _unknown(row: Mapping[str, Any], known: Sequence[str], place: str) -> Iterator[str]:
    yield from (
        f"{place}: {key!r} is unknown; allowed are {', '.join(known) or 'none'}"
        for key in row
        if key not in known
    )

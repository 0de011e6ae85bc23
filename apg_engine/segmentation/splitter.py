"""Sentences inside one block: where a stop ends a sentence, and where it does not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from apg_engine.segmentation.abbreviations import (
    BEFORE_NUMBER,
    FINAL_BEFORE_CAPITAL,
    MAYBE_FINAL,
    NEVER_FINAL,
    STARTERS,
)

# A stop with what closes the sentence behind it: quotes, brackets, bold marks, citations.
_STOP = re.compile(
    r"(?P<stop>[.!?…。\uff01\uff1f｡\u061f\u06d4\u0964\u0965]+)"
    r"(?P<close>[\"'”\u2019»)\]}*_」』\uff09]*"
    r"(?:[ \t]?\[[^\[\]\n]{1,40}\](?=\s|$|[.!?\[]|[A-ZÀ-Þ]))*)"
)
_MASK = re.compile(
    r"`[^`\n]+`"
    r"|https?://[^\s<>\")\]]*[^\s<>\")\].,;:!?]"
    r"|\[[^\[\]\n]{1,80}\]"
    r"|<[A-Za-z/][^<>\n]{0,80}>"
)
_WORD_BEFORE = re.compile(r"[^\W_](?:[^\W_]|[.'\u2019](?=[^\W_]))*$")
_CJK_STOPS = frozenset("。\uff01\uff1f｡")
_LEAD = re.compile(r"\s*[\"'“\u2018„«(\[*_]*\s*")


def sentences_find(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split characters `start` to `end` of a text; spans hold no blank space at their ends."""
    masks = [match.span() for match in _MASK.finditer(text, start, end)]
    spans: list[tuple[int, int]] = []
    begin = seen = start
    has_word = False
    for stop in _stops(text, start, end, masks):
        # Only what no earlier stop looked at: a row of stops would be read again and again.
        has_word = has_word or _has_word(text, seen, stop.start())
        seen = stop.start()
        if has_word and _is_boundary(text, begin, stop, end):
            spans.append((begin, stop.end()))
            begin = seen = stop.end()
            has_word = False
    spans.append((begin, end))
    return [span for span in (_trimmed(text, *span) for span in spans) if span[0] < span[1]]


def _stops(
    text: str, start: int, end: int, masks: list[tuple[int, int]]
) -> Iterator[re.Match[str]]:
    starts = [mask[0] for mask in masks]
    at = start
    while match := _STOP.search(text, at, end):
        place = bisect_right(starts, match.start()) - 1
        if place >= 0 and match.start() < masks[place][1]:
            at = masks[place][1]
            continue
        at = match.end()
        yield match


def _has_word(text: str, begin: int, end: int) -> bool:
    return any(char.isalnum() for char in text[begin:end])


def _is_boundary(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    after = stop.end()
    mark = stop.group("stop")
    if after >= end or _CJK_STOPS.intersection(mark):
        return True
    if not text[after].isspace():
        return _is_glued_boundary(text, begin, stop, end)
    lead = _LEAD.match(text, after, end)
    ahead = lead.end() if lead else after
    upcoming = text[ahead : min(end, ahead + 40)]
    if mark == ".":
        return _dot_ends(_word_before(text, begin, stop.start()), text, begin, stop, upcoming)
    return not upcoming[:1].islower()


def _is_glued_boundary(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    """A stop with no space behind it: `costs $3.50.The rate` holds two sentences."""
    after = text[stop.end() : min(end, stop.end() + 20)]
    if not re.match(r"[A-ZÀ-Þ](?:[a-zß-ÿ]+\b|\s)", after):
        return False
    word = _word_before(text, begin, stop.start())
    if word.lower() in NEVER_FINAL or word.lower() in MAYBE_FINAL:
        return False
    return bool(stop.group("close")) or word[-1:].isdigit() or len(word) >= 3


def _dot_ends(word: str, text: str, begin: int, stop: re.Match[str], upcoming: str) -> bool:
    lowered = word.lower()
    next_word = re.match(r"[^\W\d_]+", upcoming)
    starter = bool(next_word) and upcoming[:1].isupper() and _is_starter(next_word)
    if stop.group("close"):
        return not upcoming[:1].islower()
    # "2020 r." may end a sentence; "R. Smith" is a name.
    if (word if len(word) == 1 else lowered) in FINAL_BEFORE_CAPITAL:
        return upcoming[:1].isupper()
    if _may_end(word):
        return starter
    is_list_number = word.isdigit() and _is_enumerator(text, begin, stop.start() - len(word))
    before_number = lowered in BEFORE_NUMBER and upcoming[:1].isdigit()
    if is_list_number or before_number or lowered in NEVER_FINAL:
        return False
    return _follows_normally(word, upcoming)


def _may_end(word: str) -> bool:
    """Initials (`J.`) and abbreviations (`U.S.`) end a sentence where the next word starts one."""
    is_initial = len(word) == 1 and word.isalpha() and word.isupper() and word != "I"
    is_initialism = re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]", word) is not None
    known = word.lower() in MAYBE_FINAL
    return is_initial or known or (is_initialism and word.lower() not in NEVER_FINAL)


def _follows_normally(word: str, upcoming: str) -> bool:
    if upcoming[:1].islower():
        # Unknown abbreviations are short; a long word or a unit like MW ends a sentence.
        return word.isalpha() and (len(word) >= 5 or (len(word) > 1 and word.isupper()))
    return True


def _is_starter(word: re.Match[str] | None) -> bool:
    return word is not None and word.group().lower() in STARTERS


def _is_enumerator(text: str, begin: int, number_start: int) -> bool:
    """Tell `1.` of an inline list (after a colon, a comma or at the start) from a number."""
    before = text[begin:number_start].rstrip()
    return not before or before[-1] in ":;,"


def _word_before(text: str, begin: int, stop: int) -> str:
    found = _WORD_BEFORE.search(text, max(begin, stop - 40), stop)
    return found.group() if found else ""


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end

"""Faults inside one sentence: each function lists readable ways to make it say something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping

from apg_engine.calibration.planting.words import (
    DATE_CYCLES,
    NEGATION_CHANGES,
    NEGATION_FRAMES,
    QUANTIFIER_CHANGES,
    UNIT_CHANGES,
)

Planter = Callable[[str, str, random.Random], list[str]]

_NUMBER = re.compile(r"(?<![\w.,:])\d+(?:[.,]\d+)*(?![\w:])")
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)\b")
_YEAR = re.compile(r"\b(19|20)\d\d\b")
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_FLOOR = re.compile(
    r"(?:at least|more than|over|above|minimum of|no less than|not less than|co najmniej)\s*$", re.I
)
_CEILING = re.compile(
    r"(?:at most|less than|fewer than|under|below|up to|no more than|within|until|najwyżej)\s*$",
    re.I,
)


def number_change(text: str, language: str, dice: random.Random) -> list[str]:
    """Change one number, in the direction that does not follow from the original."""
    found = [
        _put(text, match, _other_number(text, match, dice)) for match in _NUMBER.finditer(text)
    ]
    for at, word in enumerate(_WORDS):
        other = _WORDS[(at + dice.randint(2, 6)) % len(_WORDS)]
        found += [_put(text, match, other) for match in _word(word, text) if language == "en"]
    return found


def unit_change(text: str, language: str, dice: random.Random) -> list[str]:
    """Measure the same number in another unit."""
    found = []
    for unit, others in UNIT_CHANGES.items():
        pattern = re.compile(rf"(?<=\d)( ?){re.escape(unit)}(?!\w)")
        for match in pattern.finditer(text):
            found.append(_put(text, match, match.group(1) + dice.choice(others)))
    return found


def date_change(text: str, language: str, dice: random.Random) -> list[str]:
    """Change a day, month, season, hour or year."""
    found = []
    for cycle in DATE_CYCLES:
        for at, word in enumerate(cycle):
            other = cycle[(at + dice.randint(1, len(cycle) - 1)) % len(cycle)]
            found += [_put(text, match, _cased(other, match)) for match in _word(word, text)]
    for match in _CLOCK.finditer(text):
        hour = (int(match.group(1)) + dice.randint(2, 9)) % 24
        found.append(_put(text, match, f"{hour:02d}:{match.group(2)}"))
    for match in _YEAR.finditer(text):
        found.append(_put(text, match, str(int(match.group()) + dice.choice((-7, -2, 1, 4)))))
    return found


def quantifier_change(text: str, language: str, dice: random.Random) -> list[str]:
    """Strengthen or turn round how many, how much or how often."""
    return list(_changed(text, QUANTIFIER_CHANGES))


def negation_change(text: str, language: str, dice: random.Random) -> list[str]:
    """Turn a statement into its opposite: in its verb, or by what it stands behind."""
    inside = list(_changed(text, NEGATION_CHANGES))
    framed = [frame.format(lowered(text)) for frame in NEGATION_FRAMES[language]]
    # One frame beside the changes inside, so that frames do not crowd them out.
    return [*inside, dice.choice(framed)]


FAULTS: Mapping[str, Planter] = {
    "number": number_change,
    "unit": unit_change,
    "date": date_change,
    "negation": negation_change,
    "quantifier": quantifier_change,
}


def lowered(text: str) -> str:
    """Give a sentence as it stands behind `that`: small initial, unless it starts a name."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    follows = first.casefold() in _OPENING or first.islower()
    return text[:1].lower() + text[1:] if follows else text


_OPENING = frozenset(
    """
    the a an this these those there each every all some most many only no half our their its two three
    four five six seven nine ten twelve when after before if it nobody just small half w na do od po
    każdy każda wszystkie tylko młode owoce
    """.split()
)


def _changed(text: str, changes: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for pattern, other in changes:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            yield _put(text, match, _cased(match.expand(other), match))


def _other_number(text: str, match: re.Match[str], dice: random.Random) -> str:
    raw = match.group()
    before = text[: match.start()]
    factors = [2, 3, 10]
    if _CEILING.search(before) or (not _FLOOR.search(before) and dice.random() < 0.5):
        factors = [1 / 2, 1 / 3, 1 / 10]
    plain = raw.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+", raw) else raw
    if not plain.isdigit():
        whole, mark, rest = re.split(r"([.,])", raw, maxsplit=1)
        return f"{int(whole) * 2 + 1}{mark}{rest}"
    value = int(plain)
    changed = round(value * dice.choice(factors))
    return str(changed if changed != value else value + 1 + dice.randint(0, 3))


def _word(word: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"\b{word}\b", text, re.IGNORECASE)


def _cased(other: str, match: re.Match[str]) -> str:
    return other[:1].upper() + other[1:] if match.group()[:1].isupper() else other


def _put(text: str, match: re.Match[str], other: str) -> str:
    return text[: match.start()] + other + text[match.end() :]

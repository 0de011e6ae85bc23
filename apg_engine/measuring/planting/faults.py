"""Faults inside one sentence: each function lists readable ways to make it say something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apg_engine.measuring.planting.plot import Planter, Plot
from apg_engine.measuring.planting.words import (
    CONDITIONS,
    DATE_CYCLES,
    MODAL_CHANGES,
    NEGATION_CHANGES,
    NEGATION_FRAMES,
    QUANTIFIER_CHANGES,
    UNIT_CHANGES,
)

_NUMBER = re.compile(r"(?<![\w.,:])\d+(?:[.,]\d+)*(?![\w:])")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_CLOCK = re.compile(r"\b([01]?\d|2[0-3]):([0-5]\d)\b")
_YEAR = re.compile(r"\b(19|20)\d\d\b")
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_NEGATED = re.compile(r"\b(?:cannot|not|never|no|nobody|without|nie)\b", re.IGNORECASE)
_FLOOR = re.compile(
    r"(?:at least|more than|over|above|minimum of|no less than|not less than|co najmniej)\s*$",
    re.IGNORECASE,
)
_CEILING = re.compile(
    r"(?:at most|less than|fewer than|under|below|up to|no more than|within|until|najwyżej)\s*$",
    re.IGNORECASE,
)
_ALL_OF_A_SORT = re.compile(
    r"\b((?:all|any)(?: (?:\d+|two|three|four|five))?) [a-z]{4,} ([a-z]{3,}s)\b", re.IGNORECASE
)
_FEWEST_LEFT = 4


def number_change(plot: Plot) -> list[str]:
    """Change one number, in the direction that does not follow from the original."""
    text = plot.text
    found = [_put(text, match, _other_number(plot, match)) for match in _NUMBER.finditer(text)]
    for at, word in enumerate(_WORDS if plot.language == "en" else ()):
        other = _WORDS[(at + plot.dice.randint(2, 6)) % len(_WORDS)]
        found += [_put(text, match, other) for match in _word(word, text)]
    return found


def unit_change(plot: Plot) -> list[str]:
    """Measure the same number in another unit."""
    return [
        _put(plot.text, match, match.group(1) + plot.dice.choice(others))
        for unit, others in UNIT_CHANGES.items()
        for match in re.finditer(rf"(?<=\d)( ?){re.escape(unit)}(?!\w)", plot.text)
    ]


def date_change(plot: Plot) -> list[str]:
    """Change a day, month, season, hour or year."""
    return [*_other_days(plot), *_other_hours(plot), *_other_years(plot)]


def negation_change(plot: Plot) -> list[str]:
    """Turn a statement into its opposite: in its verb, or by what it stands behind."""
    frame = plot.dice.choice(NEGATION_FRAMES[plot.language])
    # One frame beside the changes inside, so that frames do not crowd them out.
    return [*_changed(plot.text, NEGATION_CHANGES), frame.format(plot.lowered)]


def quantifier_change(plot: Plot) -> list[str]:
    """Strengthen or turn round how many, how much or how often."""
    return list(_changed(plot.text, QUANTIFIER_CHANGES))


def modal_change(plot: Plot) -> list[str]:
    """Make a wish, a duty or a possibility more certain than it was said."""
    return list(_changed(plot.text, MODAL_CHANGES))


def condition_drop(plot: Plot) -> list[str]:
    """Leave out the condition a statement was made under."""
    found = []
    behind = re.compile(rf",? \b(?:{CONDITIONS})\b [^,;:]*(?=[.,;]$)", re.IGNORECASE)
    before = re.compile(rf"^(?:{CONDITIONS})\b [^,;:]*, ", re.IGNORECASE)
    for pattern in (behind, before):
        rest = pattern.sub("", plot.text)
        if rest != plot.text and len(rest.split()) >= _FEWEST_LEFT:
            found.append(rest[:1].upper() + rest[1:])
    return found


def entity_change(plot: Plot) -> list[str]:
    """Say it of another thing of the same sort."""
    found = []
    for phrase, others in plot.rivals.items():
        # Two things that change places may leave the sentence as it was.
        strangers = [other for other in others if other not in plot.text]
        for match in _word(phrase, plot.text):
            found += [_put(plot.text, match, plot.dice.choice(strangers))] if strangers else []
    return found


def broadening(plot: Plot) -> list[str]:
    """Leave out the word that says which ones: the dam crossing, all planned operations."""
    text = plot.text
    which = [
        _put(text, match, f"{match[1]} {phrase.split()[1]}")
        for phrase in plot.rivals
        for match in re.finditer(rf"\b(the) {phrase}\b", text, re.IGNORECASE)
    ]
    return which + [_put(text, m, f"{m[1]} {m[2]}") for m in _ALL_OF_A_SORT.finditer(text)]


FAULTS: Mapping[str, Planter] = {
    "number": number_change,
    "unit": unit_change,
    "date": date_change,
    "negation": negation_change,
    "quantifier": quantifier_change,
    "modal": modal_change,
    "condition": condition_drop,
    "entity": entity_change,
    "broadened": broadening,
}


def _other_days(plot: Plot) -> Iterator[str]:
    for cycle in DATE_CYCLES:
        for at, word in enumerate(cycle):
            other = cycle[(at + plot.dice.randint(1, len(cycle) - 1)) % len(cycle)]
            for match in _word(word, plot.text):
                yield _put(plot.text, match, _cased(other, match))


def _other_hours(plot: Plot) -> Iterator[str]:
    for match in _CLOCK.finditer(plot.text):
        hour = (int(match.group(1)) + plot.dice.randint(2, 9)) % 24
        yield _put(plot.text, match, f"{hour:02d}:{match.group(2)}")


def _other_years(plot: Plot) -> Iterator[str]:
    for match in _YEAR.finditer(plot.text):
        yield _put(plot.text, match, str(int(match.group()) + plot.dice.choice((-7, -2, 1, 4))))


def _other_number(plot: Plot, match: re.Match[str]) -> str:
    raw = match.group()
    plain = raw.replace(",", "") if _GROUPED.fullmatch(raw) else raw
    if not plain.isdigit():
        whole, mark, rest = re.split(r"([.,])", raw, maxsplit=1)
        return f"{int(whole) * 2 + 1}{mark}{rest}"
    value = int(plain)
    changed = round(value * plot.dice.choice((2, 3, 10) if _upward(plot, match) else (0.5, 0.1)))
    return str(changed if changed != value else value + 1 + plot.dice.randint(0, 3))


def _upward(plot: Plot, match: re.Match[str]) -> bool:
    """Choose a direction: at least 42 follows from at least 60, but not the other way round."""
    before = plot.text[: match.start()]
    floor, ceiling = _FLOOR.search(before), _CEILING.search(before)
    bound = floor or ceiling
    if bound is None:
        return plot.dice.random() < 0.5
    is_negated = bool(_NEGATED.search(before[: bound.start()]))
    return bool(floor) != is_negated


def _changed(text: str, changes: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for pattern, other in changes:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            yield _put(text, match, _cased(match.expand(other), match))


def _word(word: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)


def _cased(other: str, match: re.Match[str]) -> str:
    return other[:1].upper() + other[1:] if match.group()[:1].isupper() else other


def _put(text: str, match: re.Match[str], other: str) -> str:
    return text[: match.start()] + other + text[match.end() :]

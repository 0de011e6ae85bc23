"""What speaks against a claim in its nearest sentence: number, date, unit, negation, quantifier."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from apg_engine.matching.index import Near, content_of, words_in
from apg_engine.matching.lexicon import (
    DATES,
    DISPROVING,
    MEASURES,
    NEGATIONS,
    QUANTIFIERS,
    REJECTIONS,
    STOPWORDS,
)
from apg_engine.matching.tokens import stem

_NEGATIONS = frozenset(map(stem, NEGATIONS | REJECTIONS | DISPROVING))
_QUANTIFIERS = frozenset(map(stem, QUANTIFIERS))
_MEASURES = frozenset(map(stem, MEASURES))
_DATES = frozenset(map(stem, DATES))
_STOP = frozenset(map(stem, STOPWORDS))
# The claim and the sentence are about one statement; below that, only about one thing.
_SAME_STATEMENT = 0.8
_SAME_THING = 0.6
_OF_UNIT = 0.5
_NAME = re.compile(r"\b[A-ZÀ-Þ\u0100-\u017f][\w-]*[a-zß-ÿ\u0100-\u017fA-Z][\w-]*")
_FIRST_LETTER = re.compile(r"[^\W\d_]")


class VetoKind(StrEnum):
    """What differs between the claim and the nearest sentence."""

    NUMBER = "number"
    UNIT = "unit"
    NEGATION = "negation"
    QUANTIFIER = "quantifier"
    DATE = "date"
    MODAL = "modal"
    CONDITION = "condition"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class Veto:
    """A difference that no model may overrule, with the words on both sides.

    `contradicts` is True where claim and sentence are otherwise one statement.
    """

    kind: VetoKind
    claimed: str
    found: str
    contradicts: bool


def veto_find(words: Sequence[str], near: Near) -> Veto | None:
    """Compare a claim's words with its nearest corpus sentence; None if nothing speaks up."""
    if not is_about(near):
        return None
    same = near.of_claim >= _SAME_STATEMENT and near.of_unit >= _OF_UNIT
    held = near.unit.words
    return (
        _date_veto(words, held, same=same)
        or _number_veto(words, held, same=same)
        or _unit_veto(words, held, same=same)
        or _negation_veto(words, held, same=same)
        or _quantifier_veto(words, held)
    )


def told(words: str) -> str:
    """Quote the words of one side of a veto; a side that lacks them has none."""
    return f"'{words}'" if words else "none"


def is_about(near: Near) -> bool:
    """Tell whether a corpus sentence is about the same thing as the claim."""
    return near.of_claim >= _SAME_THING and near.of_unit >= _OF_UNIT * near.of_claim


def differs(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two wordings of one statement differ in a number, unit, negation, quantifier."""
    return signature_of(tuple(one)) != signature_of(tuple(other))


@lru_cache(maxsize=200_000)
def signature_of(words: tuple[str, ...]) -> tuple[object, ...]:
    """Give what two wordings of one statement must have in common; worked out once per wording."""
    return (
        tuple(sorted(word for word in words if word[0] == "#")),
        _measured(words),
        _dates(words),
        _count(words, _NEGATIONS) % 2,
        _QUANTIFIERS.intersection(words),
    )


def _count(words: Sequence[str], kind: frozenset[str]) -> int:
    return sum(word in kind for word in words)


def _number_veto(words: Sequence[str], held: Sequence[str], *, same: bool) -> Veto | None:
    claimed, found = _numbers(words), _numbers(held)
    extra, other = claimed - found, found - claimed
    if not extra or not other:
        return None
    return Veto(VetoKind.NUMBER, _shown(extra), _shown(other), same)


def _date_veto(words: Sequence[str], held: Sequence[str], *, same: bool) -> Veto | None:
    claimed, found = _dates(words), _dates(held)
    if not claimed - found or not found - claimed:
        return None
    extra, other = sorted(claimed - found), sorted(found - claimed)
    return Veto(VetoKind.DATE, _told(extra), _told(other), same)


def _dates(words: Sequence[str]) -> frozenset[str]:
    return frozenset(word for word in words if word in _DATES or word[0] == "@")


def _told(dates: Sequence[str]) -> str:
    return ", ".join(date.removeprefix("@") for date in dates)


def entity_veto(claim: str, near: Near) -> Veto | None:
    """Compare the names in a claim with those in a sentence that is otherwise the same.

    A name is a word with a capital inside its sentence. A claim that swaps a name for another is
    more than the record gives, not its contradiction: both may be so.
    """
    if near.of_unit < _OF_UNIT or near.of_claim < _OF_UNIT:
        return None
    claimed, found = _names(claim), _names(near.unit.text)
    extra = {name: shown for name, shown in claimed.items() if name not in near.unit.words}
    words = words_in(claim) if extra and found else ()
    other = {name: shown for name, shown in found.items() if name not in words}
    if not extra or not other:
        return None
    return Veto(
        VetoKind.ENTITY, ", ".join(extra.values()), ", ".join(other.values()), contradicts=False
    )


@lru_cache(maxsize=10_000)
def _names(text: str) -> Mapping[str, str]:
    """Names by their stem. The first word of a sentence has its capital from its place."""
    shown = [match.group() for match in _NAME.finditer(text) if match.start() > _lead(text)]
    return {words[0]: name for name in shown for words in [words_in(name)] if words}


def _lead(text: str) -> int:
    first = _FIRST_LETTER.search(text)
    return first.start() if first else 0


def _unit_veto(words: Sequence[str], held: Sequence[str], *, same: bool) -> Veto | None:
    claimed, found = _counted(words), _counted(held)
    for number, unit in claimed.items():
        # `10 nights` beside `10 dark nights` is no other unit.
        if number in found and unit not in held and found[number] not in words:
            return Veto(
                VetoKind.UNIT, f"{number[1:]} {unit}", f"{number[1:]} {found[number]}", same
            )
    return None


def _negation_veto(words: Sequence[str], held: Sequence[str], *, same: bool) -> Veto | None:
    claimed = [word for word in words if word in _NEGATIONS]
    found = [word for word in held if word in _NEGATIONS]
    if len(claimed) % 2 == len(found) % 2:
        return None
    return Veto(VetoKind.NEGATION, ", ".join(claimed), ", ".join(found), same)


def _quantifier_veto(words: Sequence[str], held: Sequence[str]) -> Veto | None:
    claimed = {word for word in words if word in _QUANTIFIERS}
    found = {word for word in held if word in _QUANTIFIERS}
    if claimed == found:
        return None
    # All against some does not contradict: it is more than the record gives.
    return Veto(
        VetoKind.QUANTIFIER,
        ", ".join(sorted(claimed - found)),
        ", ".join(sorted(found - claimed)),
        contradicts=False,
    )


def _numbers(words: Sequence[str]) -> Counter[str]:
    return Counter(word for word in words if word[0] == "#")


def _measured(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    pairs = zip(words, [*words[1:], ""], strict=True)
    return frozenset((a, b) for a, b in pairs if a[0] == "#" and b in _MEASURES)


def _counted(words: Sequence[str]) -> dict[str, str]:
    """What stands behind each number, be it a unit of measure or any noun."""
    pairs = zip(words, [*words[1:], ""], strict=True)
    return {a: b for a, b in pairs if a[0] == "#" and b and b[0] != "#" and b not in _STOP}


def _shown(numbers: Counter[str]) -> str:
    return ", ".join(sorted(number[1:] for number in numbers))


def content_shared(one: Sequence[str], other: Sequence[str]) -> float:
    """Give the share of the shorter sentence's content words that the other has too (0 to 1)."""
    a, b = content_of(one), content_of(other)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def content_overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """Give the share of content words two sentences have in common (Jaccard, 0 to 1)."""
    return overlap(content_of(one), content_of(other))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Give the share of words two sets have in common (Jaccard, 0 to 1)."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if one or other else 0.0

"""A claim that is a sentence of the record but for one place: what stands there on both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apg_engine.matching.index import CorpusIndex, Near, content_of, words_of
from apg_engine.matching.lexicon import CONDITIONS, MEASURES, MODALS, QUANTIFIERS
from apg_engine.matching.tokens import stem
from apg_engine.matching.vetoes import Veto, VetoKind
from apg_engine.word_sets import word_set

_CONDITIONS = frozenset(map(stem, CONDITIONS))
_MEASURES = frozenset(map(stem, MEASURES))
_MODALS = frozenset(map(stem, MODALS))
_WHICHEVER = frozenset(map(stem, QUANTIFIERS & word_set("all every each any some most many no")))
_TIMES = tuple(
    frozenset(map(stem, words.split()))
    for words in (
        "morning noon afternoon evening night midnight dawn dusk",
        "spring summer autumn fall winter",
        "rano rankiem południe popołudnie wieczór wieczorem noc nocą",
        "wiosną latem jesienią zimą wiosna lato jesień zima",
    )
)
# How sure a sentence is of what it says: possible, wished for, settled.
_SURE = {
    stem(word): rank
    for rank, words in enumerate(
        (
            "may might can could może mogą mógłby mogłaby",
            "should ought would powinien powinna powinno powinny",
            "must will shall musi muszą",
        )
    )
    for word in words.split()
}
_WISHED = frozenset(
    map(stem, word_set("ask asks asked request requests requested propose proposes proposed seek"))
)
_GIVEN = frozenset(
    map(stem, word_set("receive receives received get gets obtain obtains secured secure won win"))
)
_CONDITIONAL_PHRASES = frozenset(
    (stem(one), stem(other))
    for one, other in (
        ("as", "long"),
        ("on", "condition"),
        ("only", "if"),
        ("only", "when"),
        ("o", "ile"),
    )
)
# So much of the sentence must be the same, and so little may be another.
_LEAST_SAME = 4
_LEAST_SHARE = 0.6
_MOST_OTHER = 3


@dataclass(frozen=True, slots=True)
class Place:
    """The one place where a claim and a sentence differ, as places among their words."""

    words: Sequence[str]
    held: Sequence[str]
    start: int
    end: int
    held_end: int

    @property
    def claimed(self) -> Sequence[str]:
        """What the claim has there; empty where it leaves something out."""
        return self.words[self.start : self.end]

    @property
    def found(self) -> Sequence[str]:
        """What the sentence of the record has there."""
        return self.held[self.start : self.held_end]

    @property
    def before(self) -> str:
        """The word before it, the same in both; empty at the start."""
        return self.words[self.start - 1] if self.start else ""

    @property
    def behind(self) -> str:
        """The word behind it, the same in both; empty at the end."""
        return self.words[self.end] if self.end < len(self.words) else ""


def aligned_veto(index: CorpusIndex, claim: str, words: Sequence[str], near: Near) -> Veto | None:
    """Compare a claim with a sentence it repeats but for one place; None if that says nothing.

    A word that is merely another one is no veto: it may mean the same. It is one where it measures
    a number, is surer of the matter, or names another thing of a sort the record tells apart; and
    where a condition, or the word that says which, is left out.
    """
    place = _place_find(words, near.unit.words)
    if place is None:
        return None
    for differs, kind, left, right in _RULES:
        if differs(index, place):
            start = place.start - left
            return Veto(
                kind,
                _shown(claim, start, place.end + right),
                _shown(near.unit.text, start, place.held_end + right),
                contradicts=kind in {VetoKind.UNIT, VetoKind.DATE},
            )
    return None


def _place_find(words: Sequence[str], held: Sequence[str]) -> Place | None:
    shorter = min(len(words), len(held))
    start = 0
    while start < shorter and words[start] == held[start]:
        start += 1
    same = 0
    while same < shorter - start and words[-1 - same] == held[-1 - same]:
        same += 1
    alike = start + same
    if alike < _LEAST_SAME or alike < _LEAST_SHARE * len(words) or alike == len(held):
        return None
    return Place(words, held, start, len(words) - same, len(held) - same)


def _other_unit(_index: CorpusIndex, place: Place) -> bool:
    """Another word behind the same number, where one of the two is a unit."""
    if len(place.claimed) != 1 or len(place.found) != 1 or place.before[:1] != "#":
        return False
    return not _MEASURES.isdisjoint((*place.claimed, *place.found))


def _other_time(_index: CorpusIndex, place: Place) -> bool:
    """Another part of the day, or another season."""
    if len(place.claimed) != 1 or len(place.found) != 1:
        return False
    return any({*place.claimed, *place.found} <= times for times in _TIMES)


def _surer(_index: CorpusIndex, place: Place) -> bool:
    """`Will` for `should`, or `receives` for `asks for`."""
    claimed = max((_SURE.get(word, -1) for word in place.claimed), default=-1)
    found = max((_SURE.get(word, -1) for word in place.found), default=-1)
    if len(place.claimed) > _MOST_OTHER or len(place.found) > _MOST_OTHER:
        return False
    if claimed > found >= 0:
        return True
    return not (_GIVEN.isdisjoint(place.claimed) or _WISHED.isdisjoint(place.found))


def _unconditional(_index: CorpusIndex, place: Place) -> bool:
    """The condition at one end of the sentence is left out."""
    at_an_end = not place.before or not place.behind
    if place.claimed or not at_an_end:
        return False
    return place.found[0] in _CONDITIONS or tuple(place.found[:2]) in _CONDITIONAL_PHRASES


def _other_of_its_sort(index: CorpusIndex, place: Place) -> bool:
    """The record has both before the word behind: the dam crossing, the market could."""
    if len(place.claimed) != 1 or len(place.found) != 1:
        return False
    is_name = _is_content(place.behind) or place.behind in _MODALS
    return is_name and {*place.claimed, *place.found} <= index.before(place.behind)


def _without_which(index: CorpusIndex, place: Place) -> bool:
    """The word that says which is left out: the crossing, all operations."""
    if place.claimed or len(place.found) != 1 or not _is_content(place.behind):
        return False
    sorts = index.before(place.behind)
    which = place.found[0] in sorts
    return which and (len(sorts) > 1 or place.before in _WHICHEVER or place.before[:1] == "#")


def _is_content(word: str) -> bool:
    return bool(word) and bool(content_of((word,)))


_Rule = Callable[[CorpusIndex, Place], bool]
# The rule, and how many of the words left and right of the place are shown with it.
_RULES: tuple[tuple[_Rule, VetoKind, int, int], ...] = (
    (_other_unit, VetoKind.UNIT, 1, 0),
    (_other_time, VetoKind.DATE, 0, 0),
    (_surer, VetoKind.MODAL, 0, 0),
    (_unconditional, VetoKind.CONDITION, 0, 0),
    (_other_of_its_sort, VetoKind.ENTITY, 0, 1),
    (_without_which, VetoKind.ENTITY, 0, 1),
)


def _shown(text: str, start: int, end: int) -> str:
    """The words of a place as they were written."""
    own = [token for _, token in words_of(text)][start:end]
    return text[own[0].start : own[-1].end] if own else ""

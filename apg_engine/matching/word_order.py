"""Do two wordings with nearly the same words say the same thing, or was something swapped?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from apg_engine.matching.index import content_of
from apg_engine.matching.lexicon import DATES
from apg_engine.matching.tokens import stem
from apg_engine.word_sets import word_set

_JOINTS = word_set("and oraz i")
# A phrase that begins with one of these may stand in front of its sentence or at its end.
_PREPOSITIONS = word_set("""
    in on at until till after before during for by from with since under within through to of over
    into between above below across against w we na do od dla po przed przez z ze pod nad bez
    """)
_NUMBER_AND_UNIT = 2
_DATES = frozenset(map(stem, DATES))


def is_reordered(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two wordings put the words they share into another order that matters.

    Order does not matter between the parts of a list, for a day or an hour, and where a phrase with
    its preposition moved from the front to the end. In doubt it does: two sentences that may say
    different things are not counted as agreement.
    """
    words = _shared(one, other)
    mine, theirs = _kept(one, words), _kept(other, words)
    return not (
        _paired(mine) == _paired(theirs)
        or _parts(mine) == _parts(theirs)
        or _is_rotated(mine, theirs)
        or _is_rotated(theirs, mine)
    )


def _shared(one: Sequence[str], other: Sequence[str]) -> frozenset[str]:
    """Words that stand equally often in both, so that their places can be compared."""
    mine, theirs = Counter(one), Counter(other)
    return frozenset(word for word in mine if mine[word] == theirs[word])


def _kept(words: Sequence[str], shared: frozenset[str]) -> list[str]:
    telling = content_of(words) & shared
    return [
        word
        for word in words
        if word in _JOINTS
        or (
            word in shared
            and word not in _DATES
            and (word in telling or word in _PREPOSITIONS or word[0] == "#")
        )
    ]


def _paired(words: Sequence[str]) -> list[str]:
    """The words in their order, but `pump and clinic` as `clinic and pump`."""
    found = list(words)
    for place in range(1, len(found) - 1):
        beside = [found[place - 1], found[place + 1]]
        if found[place] in _JOINTS and not any(word[0] == "#" for word in beside):
            found[place - 1], found[place + 1] = sorted(beside)
    return [word for word in found if word not in _JOINTS]


def _parts(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    """The parts of a list, cut at `and`, and before numbers if what each is for stands behind."""
    parts = _cut(words, numbers=True)
    if any(part[0][0] == "#" and len(part) <= _NUMBER_AND_UNIT for part in parts):
        parts = _cut(words, numbers=False)
    return Counter(map(tuple, parts))


def _cut(words: Sequence[str], *, numbers: bool) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _JOINTS or (numbers and word[0] == "#"):
            parts.append([])
        if word not in _JOINTS:
            parts[-1].append(word)
    return [part for part in parts if part]


def _is_rotated(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether the phrase at the front of one, with its preposition, ends the other."""
    if not one or one[0] not in _PREPOSITIONS or len(one) != len(other):
        return False
    cut = len(other) - other[::-1].index(one[0]) - 1 if one[0] in other else 0
    return cut > 0 and [*other[cut:], *other[:cut]] == list(one)

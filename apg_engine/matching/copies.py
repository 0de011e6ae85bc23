"""Which texts repeat one another, whole, nearly so, or cut off in the middle of a word?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

# Texts are compared by runs of words; of a long text every eighth run is enough.
_RUN = 5
_DENSE = 64
_EVERY = 8
# Share of the shorter and of the longer text's runs that both must hold: a sentence that a long
# text also says does not make the long text its copy.
_SAME, _SAME_OF_LONGER = 0.8, 0.6
# A run in more texts than this says nothing about which of them are copies.
_COMMON = 40
# A text cut shorter than this may begin like many others.
_LEAST_CUT = 40
# Of a text that stands there a thousand times, the first places say enough.
_MOST = 12
_WORD = re.compile(r"\w+")


def near_copies(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Give for each text the places of its first copies, itself included; linear in the lengths."""
    plain = [" ".join(_WORD.findall(text.casefold())) for text in texts]
    found: list[set[int]] = [{place} for place in range(len(texts))]
    for group in (*_equal(plain), *_cut(plain), *_overlapping(plain)):
        for place in group:
            found[place].update(group[:_MOST])
    return [tuple(sorted(group)) for group in found]


def _equal(plain: Sequence[str]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(plain):
        groups.setdefault(text, []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def _cut(plain: Sequence[str]) -> list[tuple[int, int]]:
    """A text that another begins with stands right before it once both are sorted."""
    order = sorted(range(len(plain)), key=lambda place: plain[place])
    pairs = []
    for short, long in pairwise(order):
        if len(plain[short]) >= _LEAST_CUT and plain[long].startswith(plain[short]):
            pairs.append((short, long))
    return pairs


def _overlapping(plain: Sequence[str]) -> list[tuple[int, int]]:
    runs = [_runs(text) for text in plain]
    holders: dict[int, list[int]] = {}
    for place, own in enumerate(runs):
        for run in own:
            holders.setdefault(run, []).append(place)
    shared: Counter[tuple[int, int]] = Counter()
    for places in holders.values():
        if 1 < len(places) <= _COMMON:
            shared.update((a, b) for at, a in enumerate(places) for b in places[at + 1 :])
    return [pair for pair, n in shared.items() if _is_copy(n, *(len(runs[at]) for at in pair))]


def _is_copy(shared: int, one: int, other: int) -> bool:
    return shared >= _SAME * min(one, other) and shared >= _SAME_OF_LONGER * max(one, other)


def _runs(text: str) -> set[int]:
    words = text.split()
    last = len(words) - _RUN + 1
    runs = {crc32(" ".join(words[at : at + _RUN]).encode()) for at in range(last)}
    # Chosen by value, so that two copies keep the same runs wherever these stand.
    return {run for run in runs if run % _EVERY == 0} if last > _DENSE else runs

"""Signs of the side in what should be chance: lengths, order and letters of tokens."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Final

# Chance alone goes beyond it once in 300,000 checks.
_Z_LIMIT: Final = 4.6
# Below it, no letter can be told from chance.
_LEAST_FOR_LETTERS: Final = 40
_SHOWN_LINES: Final = 6

Outlines = Mapping[bool, set[tuple[str, ...]]]


def outline_differences(outlines: Outlines) -> Iterator[str]:
    """Say where pages of one kind differ between the two ways round."""
    if len(outlines) < 2:
        return
    one, other = min(outlines[True]), min(outlines[False])
    if outlines[True] == outlines[False] and len(outlines[True]) == 1:
        return
    if one == other:
        different = sorted((outlines[True] | outlines[False]) - {one})
        other = different[0]
    lines = [line for line in unified_diff(one, other, lineterm="", n=0) if line[:3] not in _FRAME]
    yield "; ".join(line[:140] for line in lines[:_SHOWN_LINES])


_FRAME: Final = ("---", "+++")


def token_signs(sides: Mapping[str, bool]) -> Iterator[str]:
    """Say what in the tokens goes with the side; `sides` has True where the treatment is left."""
    left = sorted(token for token, is_left in sides.items() if is_left)
    right = sorted(token for token, is_left in sides.items() if not is_left)
    if not left or not right:
        return
    lengths = {len(token) for token in left}, {len(token) for token in right}
    if lengths[0] != lengths[1] or len(lengths[0]) != 1:
        found = " and ".join(str(sorted(side)) for side in lengths)
        yield f"lengths of tokens on the two sides are {found}; allowed is one length"
        return
    z = _rank_z(left, right)
    if abs(z) > _Z_LIMIT:
        yield f"order of tokens goes with the side (rank z = {z:.1f})"
    if min(len(left), len(right)) >= _LEAST_FOR_LETTERS:
        yield from _letter_signs(left, right)


def _rank_z(left: list[str], right: list[str]) -> float:
    """Standardised rank sum (Wilcoxon 1945); tokens have no ties."""
    ranked = sorted([*left, *right])
    ranks = {token: rank for rank, token in enumerate(ranked, start=1)}
    n, m = len(left), len(right)
    expected, variance = n * (n + m + 1) / 2, n * m * (n + m + 1) / 12
    return (sum(ranks[token] for token in left) - expected) / math.sqrt(variance)


def _letter_signs(left: list[str], right: list[str]) -> Iterator[str]:
    for place in range(len(left[0])):
        if not {token[place] for token in left} & {token[place] for token in right}:
            yield f"letter {place + 1} of tokens is never the same on both sides"

"""The offline miner: it cuts a claim where a conjunction joins whole clauses."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from typing import Final

from apg_engine.debates.material import Piece

_CLAUSE: Final = re.compile(r";\s+|,\s+(?:and|but|while|which)\s+|\s+(?:and|but|while)\s+")
_LEAST_CLAUSE: Final = 4
_DRAWN: Final = 0.5


def mine_by_rules(slots: Mapping[str, str], _: tuple[Piece, ...]) -> str:
    """Give a claim's premises; a claim of which a clause would be too short is its own."""
    claim = str(json.loads(slots["claim"]))
    clauses = _clauses(claim, _cuts(claim, int(slots["seed"]))[: int(slots["most"]) - 1])
    whole = all(len(clause.split()) >= _LEAST_CLAUSE for clause in clauses)
    return json.dumps({"premises": clauses if whole else [claim]}, ensure_ascii=False)


def _cuts(claim: str, seed: int) -> list[tuple[int, int]]:
    """Where a claim is cut: seed 0 takes every place, others draw, as models come out differently.

    So verdicts can be compared across premises offline, too.
    """
    cuts = [match.span() for match in _CLAUSE.finditer(claim)]
    dice = random.Random(f"{seed} {claim}")  # noqa: S311 (a choice, no secret)
    return [cut for cut in cuts if not seed or dice.random() < _DRAWN]


def _clauses(claim: str, cuts: Sequence[tuple[int, int]]) -> list[str]:
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(claim)]
    parts = (claim[start:end].strip(" .,;") for start, end in zip(starts, ends, strict=True))
    return [part for part in parts if part]

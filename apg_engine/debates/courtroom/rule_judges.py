"""Three offline rule-based judges, each with another rule; each abstains where it cannot tell.

    judge_a  weighs all near sentences: the sum of stance * nearness squared
    judge_b  takes the one nearest sentence that says anything
    judge_c  counts documents: each exhibit speaks with its own nearest sentence

They read exhibits only. How long, how often or by whom something was argued is nothing to them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from apg_engine.debates.courtroom.ballots import SCORE_MOST
from apg_engine.debates.courtroom.polarity import Bearing, Polarity, WordPolarity, bearings_find
from apg_engine.debates.courtroom.readings import ABSTAIN
from apg_engine.debates.courtroom.seats import RuleSeat
from apg_engine.debates.courtroom.verdicts import Finding
from apg_engine.debates.material import Piece

Leaning = Callable[[Sequence[Bearing]], float]
_NEAR: Final = 0.3
_LEAST: Final = 0.1


def rule_judge(role: str, polarity: Polarity | None = None) -> RuleSeat:
    """Give the rules that play a judge, on words or with a local cross-encoder."""
    reading = polarity or WordPolarity()
    name = f"offline rule-based {role} 1 ({reading.name})"
    leaning = _LEANINGS[role]

    def vote(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
        found = bearings_find(json.loads(slots["claim"]), pieces, reading, most=20)
        return _opinion([one for one in found if one.near >= _NEAR], leaning)

    return RuleSeat(name, {"judge": vote})


def _opinion(near: Sequence[Bearing], leaning: Leaning) -> str:
    lean = leaning(near)
    finding = ABSTAIN if abs(lean) < _LEAST else Finding.SUPPORT if lean > 0 else Finding.REFUTE
    own = [one for one in near if one.stance * lean > 0]
    cited = list(dict.fromkeys(one.exhibit for one in own))[:5]
    agreed = len(own) / len(near) if near else 0.0
    nearest = max((one.near for one in own), default=0.0)
    scores = {
        "evidence_quality": nearest,
        "evidence_coverage": min(1.0, len(cited) / 5),
        "logical_validity": agreed,
        "rebuttal": agreed,
        "source_reliability": 0.5,
        "uncertainty_handling": min(1.0, abs(lean)),
    }
    said = (
        f"{len(own)} of {len(near)} near sentences lean this way." if near else "Nothing is near."
    )
    return json.dumps(
        {
            "finding": finding,
            "scores": {name: round(SCORE_MOST * one, 2) for name, one in scores.items()},
            "cited": cited,
            "reason": said,
        }
    )


def _weighed(near: Sequence[Bearing]) -> float:
    total = math.fsum(one.near**2 for one in near)
    return math.fsum(one.stance * one.near**2 for one in near) / total if total else 0.0


def _nearest(near: Sequence[Bearing]) -> float:
    return next((one.stance for one in near if abs(one.stance) >= _LEAST), 0.0)


def _counted(near: Sequence[Bearing]) -> float:
    by_exhibit: dict[str, float] = {}
    for one in near:
        by_exhibit.setdefault(one.exhibit, one.stance)
    return math.fsum(by_exhibit.values()) / len(by_exhibit) if by_exhibit else 0.0


_LEANINGS: Final[dict[str, Leaning]] = {
    "judge_a": _weighed,
    "judge_b": _nearest,
    "judge_c": _counted,
}

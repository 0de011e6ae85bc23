"""What the courtroom adds to the record of a debate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from apg_engine.debates.courtroom.ballots import Ballot
from apg_engine.debates.courtroom.casting import Cast
from apg_engine.debates.courtroom.config import ROLES, CourtroomConfig
from apg_engine.debates.courtroom.docket import Item
from apg_engine.debates.courtroom.play import CourtroomPlay
from apg_engine.debates.courtroom.steps import Matter
from apg_engine.debates.courtroom.verdict import Tried, Verdict, verdict_to_dict
from apg_engine.debates.record_json import turn_to_dict
from apg_engine.debates.turn_loop import DebateEnd

Ended = tuple[CourtroomPlay, DebateEnd, Tried]


def trial_details(
    config: CourtroomConfig,
    cast: Cast,
    *,
    matter: Matter,
    verdict: Verdict,
    runs: Sequence[Ended],
) -> dict[str, Any]:
    """Give cast, premises, verdict, and of each run docket, searches, reflections and ballots."""
    first, *others = [_run(play, tried) for play, _, tried in runs]
    return {
        "claim": config.claim,
        "cast": {
            role: {
                "name": cast.seats[role].name,
                "offline": cast.seats[role].offline,
                "family": cast.families[role],
            }
            for role in ROLES
        },
        "premises": list(matter.premises),
        "verdict": verdict_to_dict(verdict),
        **first,
        "consistency": _consistency(runs, verdict),
        "switched_run": others[0] | _said(*runs[1][:2]) if others else None,
    }


def _run(play: CourtroomPlay, tried: Tried) -> dict[str, Any]:
    admitted = play.room.docket.admitted
    return {
        "docket": [_item(item) for item in play.room.docket.items],
        "evidence": {
            "chunks": len(admitted),
            "documents": len({item.chunk.document for item in admitted}),
        },
        "searches": [asdict(one) for one in play.room.iterations],
        "reflections": [
            {"party": one.party, "round": one.round, **asdict(one.reflection),
             "score": one.reflection.score}
            for one in play.reflections
        ],
        "reviews": {str(round_): asdict(review) for round_, review in play.reviews.items()},
        "ballots": [_ballot(one) for one in tried.ballots],
        "finding": tried.decision.finding.value,
    }  # fmt: skip


def _said(play: CourtroomPlay, end: DebateEnd) -> dict[str, Any]:
    return {
        "stop": {"reason": end.reason.value, "detail": end.detail, "rounds_held": end.rounds_held},
        "turns": [turn_to_dict(turn) for turn in play.floor.turns],
        "warnings": [*play.floor.warnings, *play.room.warnings],
    }


def _consistency(runs: Sequence[Ended], verdict: Verdict) -> dict[str, Any] | None:
    """Compare the two runs by code: findings and cited exhibits."""
    if len(runs) < 2:
        return None
    (_, _, one), (_, _, other) = runs
    return {
        "findings": [one.decision.finding.value, other.decision.finding.value],
        "cited_by_both": sorted(one.cited & other.cited),
        "cited_by_one": sorted(one.cited ^ other.cited),
        "delta": verdict.parts.role_switch,
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "chunk": item.chunk.id,
        "document": item.chunk.document,
        "title": item.chunk.title,
        "sha256": item.chunk.sha256,
        "side": item.side,
        "round": item.round,
        "query": item.query,
        "cosine": round(item.cosine, 6),
        "novelty": None if item.novelty is None else round(item.novelty, 6),
        "relevance": item.weight.relevance if item.weight else None,
        "credibility": item.weight.credibility if item.weight else None,
        "admission": item.admission.value,
    }


def _ballot(ballot: Ballot) -> dict[str, Any]:
    return {
        "judge": ballot.judge,
        "family": ballot.family,
        "status": ballot.status.value,
        "finding": ballot.finding.value if ballot.finding else None,
        "scores": dict(ballot.scores),
        "cited": list(ballot.cited),
        "reason": ballot.reason,
        "exchanged": ballot.exchanged.value if ballot.exchanged else None,
        "is_cut": ballot.is_cut,
    }

"""A debate's record as JSON: how it ended, each turn, and each call with what it was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from apg_engine.debates.floor import Floor
from apg_engine.debates.records import Answer, AnswerStatus, SpokenTurn
from apg_engine.debates.turn_loop import DebateEnd
from apg_engine.spending.spent import Spent

RECORD_SCHEMA: Final = "apg-debate"
RECORD_VERSION: Final = 1


def record_to_dict(
    *,
    system: str,
    setup: Mapping[str, Any],
    floor: Floor,
    end: DebateEnd,
    spent: Spent,
    more: Mapping[str, Any],
) -> dict[str, Any]:
    """Give the record of an ended debate.

    Args:
        system: committee or courtroom.
        setup: the configuration it was held with, as JSON.
        floor: what was said.
        end: why it ended.
        spent: of all its calls; an unknown price makes the cost null.
        more: what the system adds.
    """
    return {
        "schema": RECORD_SCHEMA,
        "version": RECORD_VERSION,
        "system": system,
        "setup": dict(setup),
        "stop": {
            "reason": end.reason.value,
            "is_whole": end.is_whole,
            "detail": end.detail,
            "rounds_held": end.rounds_held,
        },
        "parties": [asdict(party) for party in floor.parties],
        "withheld": sorted(floor.calls.withheld.ids),
        "turns": [turn_to_dict(turn) for turn in floor.turns],
        "calls": [answer_to_dict(answer) for answer in floor.calls.answers],
        "failed_calls": _failed(floor.calls.answers),
        "prompts": list(floor.calls.prompts),
        "warnings": [*floor.warnings, *floor.calls.warnings],
        "spent": {**asdict(spent), "is_cost_complete": spent.cost is not None},
        **more,
    }


def turn_to_dict(turn: SpokenTurn) -> dict[str, Any]:
    """Give one turn with what its speaker was shown."""
    data = asdict(turn)
    return {**data, "exposures": [_exposed(exposure) for exposure in data["exposures"]]}


def answer_to_dict(answer: Answer) -> dict[str, Any]:
    """Give one call without its text, which stands in the journal."""
    data = asdict(answer)
    del data["text"]
    exposures = [_exposed(exposure) for exposure in data["exposures"]]
    return {**data, "status": answer.status.value, "exposures": exposures}


def _exposed(exposure: Mapping[str, Any]) -> dict[str, Any]:
    cut_at = exposure["shown"] if exposure["shown"] < exposure["characters"] else None
    return {**exposure, "kind": exposure["kind"].value, "cut_at": cut_at}


def _failed(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    return [
        {"row": one.row, "role": one.role, "purpose": one.purpose, "status": one.status.value}
        for one in answers
        if one.status is not AnswerStatus.OK
    ]

"""Small traces written for tests, in the project's format and in the shape of the paper's logs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from apg_engine.errors import TraceError
from apg_engine.records import Trace
from apg_engine.traces import import_trace

# Any: tests take these documents apart and break them at will.
Document = dict[str, Any]
AXIOM = "Nothing that grows should be uprooted twice."


def as_bytes(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def imported(document: object, *, file_name: str = "sample.json") -> Trace:
    return import_trace(as_bytes(document), file_name=file_name)


def refusal(document: object, *, file_name: str = "sample.json") -> TraceError:
    with pytest.raises(TraceError) as caught:
        imported(document, file_name=file_name)
    return caught.value


def own_document(**changes: object) -> Document:
    return {
        "format": "apg-trace",
        "version": 1,
        "title": "A ferry and two islands",
        "crisis_context": "One ferry runs this week. It makes 6 crossings a day.",
        "question": "Which island gets the morning crossing?",
        "agents": [
            {"id": "north", "name": "North Island"},
            {"id": "south", "name": "South Island", "mandate": "keep the school open"},
        ],
        "turns": [
            {"number": 1, "speaker": "north", "text": "The bakery needs flour by 7."},
            {
                "number": 2,
                "speaker": "south",
                "text": "The pupils need to cross by 8.",
                "private_trace": "A later bell would do.",
                "evidence": ["bell"],
            },
        ],
        "documents": [{"id": "bell", "kind": "document", "text": "The bell rings at 8:15."}],
        "shocks": [
            {"turn": 2, "kind": "zero_sum", "severity": "high", "text": "One engine is out."}
        ],
        **changes,
    }


def strategy_json(**changes: object) -> str:
    return json.dumps(
        {
            "target_opponent_claim_id": "claim_01",
            "attack_surface": "RESOURCE_TRADEOFF",
            "strategic_intent": "COUNTER",
            "simulated_antagonist_counter": "The orchard will say that frost kills blossom.",
            "retrieved_axioms": [AXIOM],
            **changes,
        }
    )


def turn_metadata(**changes: object) -> Document:
    """Metadata of a turn with a real strategy; twins of the legacy names are equal."""
    strategy = strategy_json()
    return {
        "cf_flags": {"activated": True, "turn_idx": 0, "cfr_mode": "kg_cfr_full"},
        "private_strategy_json": strategy,
        "private_strategy_nl": "Answer the frost | Ground it in: nothing is uprooted twice",
        "cfr_generated": True,
        "rag_used": True,
        "rag_docs_count": 6,
        "opponent_claims": [],
        "privatestrategyjson": strategy,
        "cfrgenerated": True,
        "ragdocscount": 6,
        "kg_status": "ok",
        "kg_latency_ms": 0,
        "kg_fallback_reason": "",
        **changes,
    }


def fallback_metadata() -> Document:
    """Metadata of a turn whose planner failed: flags say so, nothing was retrieved."""
    strategy = strategy_json(simulated_antagonist_counter="Say no.", retrieved_axioms=[])
    flags = {"activated": True, "turn_idx": 0, "cfr_mode": "kg_cfr_full", "fallback": True}
    return turn_metadata(
        cf_flags=flags,
        private_strategy_json=strategy,
        privatestrategyjson=strategy,
        private_strategy_nl="Refute it | Say no.",
        rag_used=False,
        rag_docs_count=0,
        ragdocscount=0,
        kg_status="disabled",
        kg_latency_ms=None,
    )


def empty_metadata() -> Document:
    """Metadata of a first turn: no strategy yet."""
    return turn_metadata(
        cf_flags={"activated": False, "turn_idx": 0},
        private_strategy_json="",
        privatestrategyjson="",
        private_strategy_nl="",
        cfr_generated=False,
        cfrgenerated=False,
        rag_docs_count=0,
        ragdocscount=0,
        kg_status="disabled",
    )


def logged_turn(number: int, module: str, text: str, **changes: object) -> Document:
    return {
        "turn_number": number,
        "timestamp": f"2026-01-02T03:04:{number:02d}.000001",
        "phase": "standoff",
        "module_id": module,
        "module_label": module.upper(),
        "message_content": text,
        "message_length": len(text),
        "concepts_mentioned": [],
        "response_time_ms": None,
        "metadata": empty_metadata(),
        **changes,
    }


def logged_shock(turn: int, **changes: object) -> Document:
    return {
        "timestamp": f"2026-01-02T03:04:{turn - 1:02d}.000001",
        "shock_type": "S2",
        "shock_text": "Hail is forecast for the valley.",
        "turn_number": turn,
        "metadata": {"category": "cascading_risk", "source": "X/telemetry", "severity": "medium"},
        **changes,
    }


def trajectory(
    *,
    turns: list[Document] | None = None,
    shocks: list[Document] | None = None,
    metadata: Mapping[str, object] | None = None,
    **changes: object,
) -> Document:
    """A session of three modules about an orchard, shaped as the paper's files are."""
    if turns is None:
        turns = [
            logged_turn(1, "oak", "The orchard keeps its water."),
            logged_turn(2, "elm", "The nursery needs half of the water."),
            logged_turn(3, "ash", "The well holds 30 litres.", metadata=turn_metadata()),
        ]
    shocks = [logged_shock(3)] if shocks is None else shocks
    return {
        "session_info": {
            "session_id": "exp_x_kg_cfr_full_004",
            "crisis_context": "The well holds 30 litres. The AEGIS committee decides.",
            "session_start": "2026-01-02T03:04:00.000001",
            "metadata": {
                "debate_turns": len(turns) - 1,
                "dilemma_id": "orchard",
                "cfr_mode": "kg_cfr_full",
                "condition_label": "kg_cfr_full",
                "condition_label_legacy": "kgcfrfull",
                **(metadata or {}),
            },
            "statistics": {"total_turns": len(turns), "total_shocks": len(shocks)},
        },
        "turn_logs": turns,
        "shock_logs": shocks,
        **changes,
    }


def with_metadata(*metadata: object) -> Document:
    """A trajectory in which turn i carries the i-th metadata."""
    turns = [logged_turn(i, "oak", f"Message {i}.", metadata=m) for i, m in enumerate(metadata, 1)]
    return trajectory(turns=turns, shocks=[])

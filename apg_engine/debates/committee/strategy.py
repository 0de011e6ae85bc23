"""The private step before a turn: what to attack, how, and what to expect in return."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from apg_engine.debates.answers import (
    UnreadableAnswerError,
    choice_read,
    object_read,
    text_read,
    texts_read,
)
from apg_engine.debates.committee.knowledge import KnowledgeGraph

MOST_AXIOMS: Final = 2
_LONGEST_COUNTER: Final = 300
_LONGEST_CLAIM: Final = 600


class AttackSurface(StrEnum):
    """Where the target claim is open to attack (the paper's four)."""

    AXIOM_VIOLATION = "axiom_violation"
    RESOURCE_TRADEOFF = "resource_tradeoff"
    INCONSISTENCY = "inconsistency"
    VALUE_CONFLICT = "value_conflict"


class Intent(StrEnum):
    """What the turn is to do (the paper's three)."""

    COUNTER = "counter"
    PIVOT = "pivot"
    CONCEDE = "concede"


@dataclass(frozen=True, slots=True)
class Strategy:
    """One private step.

    Attributes:
        target: address of the sentence that is answered, `T3.2`; empty before anybody spoke.
        target_text: that sentence.
        anticipated_counter: what the other side is expected to say.
        axioms: ids of nodes of the module's own graph.
    """

    target: str
    target_text: str
    attack_surface: AttackSurface
    intent: Intent
    anticipated_counter: str
    axioms: tuple[str, ...]


def strategy_schema() -> dict[str, Any]:
    """Give the JSON Schema a strategy must follow."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [
            "target_claim",
            "attack_surface",
            "intent",
            "anticipated_counter",
            "retrieved_axioms",
        ],
        "properties": {
            "target_claim": {"type": "string"},
            "attack_surface": {"type": "string", "enum": [one.value for one in AttackSurface]},
            "intent": {"type": "string", "enum": [one.value for one in Intent]},
            "anticipated_counter": {"type": "string"},
            "retrieved_axioms": {"type": "array", "items": {"type": "string"}},
        },
    }


def strategy_read(text: str, *, targets: Mapping[str, str], axioms: Collection[str]) -> Strategy:
    """Read a strategy from an answer.

    Args:
        text: one JSON object.
        targets: opponents' sentences by address; empty where nobody has spoken yet.
        axioms: ids the module was shown.

    Raises:
        UnreadableAnswerError: a field is missing, or names a claim or an axiom that was not shown.
    """
    data = object_read(text)
    claim = text_read(data, "target_claim", most=_LONGEST_CLAIM, empty=not targets)
    target = _target(claim, targets) if targets else ""
    named = texts_read(data, "retrieved_axioms", most=MOST_AXIOMS)
    invented = [name for name in named if name not in axioms]
    if invented:
        told = f"retrieved_axioms names {', '.join(invented)}; allowed: {', '.join(axioms)}"
        raise UnreadableAnswerError(told)
    return Strategy(
        target=target,
        target_text=targets.get(target, ""),
        attack_surface=AttackSurface(choice_read(data, "attack_surface", list(AttackSurface))),
        intent=Intent(choice_read(data, "intent", list(Intent))),
        anticipated_counter=text_read(data, "anticipated_counter", most=_LONGEST_COUNTER),
        axioms=tuple(dict.fromkeys(named)),
    )


def _target(claim: str, targets: Mapping[str, str]) -> str:
    """Find the sentence a quote stands in; the newest one where several hold it."""
    quoted = " ".join(claim.split()).strip('"')
    found = [at for at, sentence in targets.items() if quoted in " ".join(sentence.split())]
    if not found:
        told = (
            f"target_claim is {claim!r:.80}; allowed: one sentence of another module, word for word"
        )
        raise UnreadableAnswerError(told)
    return found[-1]


def strategy_to_json(strategy: Strategy) -> dict[str, Any]:
    """Give a strategy as it is asked for."""
    return {
        "target_claim": strategy.target_text,
        "attack_surface": strategy.attack_surface.value,
        "intent": strategy.intent.value,
        "anticipated_counter": strategy.anticipated_counter,
        "retrieved_axioms": list(strategy.axioms),
    }


def strategy_render(strategy: Strategy, graph: KnowledgeGraph) -> str:
    """Give a strategy in words, as the trace keeps it."""
    axioms = [node.text for name in strategy.axioms if (node := graph.node(name))]
    parts = [
        f"Answer {strategy.target}: {strategy.target_text}" if strategy.target else "Open.",
        f"Attack it as {strategy.attack_surface.value.replace('_', ' ')}.",
        f"The turn is to {strategy.intent.value}.",
        f"Expect in return: {strategy.anticipated_counter}",
    ]
    return "\n".join([*parts, *(f"Rest on: {axiom}" for axiom in axioms)])

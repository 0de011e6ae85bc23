"""The private side of a trajectory's turn: strategy, retrieved axioms, fallback flag."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from apg_engine.errors import TraceError
from apg_engine.traces.decoding import clean_document
from apg_engine.traces.json_field import Field

# Each datum was logged under two names; the first is canonical.
_TWINS = {
    "private_strategy_json": "privatestrategyjson",
    "cf_flags": "cfflags",
    "cfr_generated": "cfrgenerated",
    "rag_docs_count": "ragdocscount",
}


@dataclass(frozen=True, slots=True)
class PrivateSide:
    """What a module planned in private before it spoke.

    Attributes:
        text: the strategy in words, empty if none was recorded.
        counter: the simulated counter-argument in full (the strategy text cuts it at 100).
        axioms: retrieved axioms in order, each once.
        fallback: the planner failed and left its fixed text.
    """

    text: str
    counter: str
    axioms: tuple[str, ...]
    fallback: bool


def private_side(metadata: Field, *, warn: Callable[[str], None]) -> PrivateSide:
    """Read a turn's metadata; whatever cannot be read is reported through `warn`, not guessed."""
    if not isinstance(metadata.value, dict):
        return PrivateSide("", "", (), fallback=False)
    for canonical, legacy in _TWINS.items():
        _warn_of_mismatch(metadata.get(canonical), metadata.get(legacy), warn)
    strategy = _strategy(metadata, warn)
    counter = _string(strategy.get("simulated_antagonist_counter"))
    return PrivateSide(
        text=_strategy_text(metadata) or counter,
        counter=counter,
        axioms=_axioms(metadata, strategy, warn),
        fallback=_is_fallback(metadata.first("cf_flags", "cfflags").value),
    )


def _warn_of_mismatch(canonical: Field, legacy: Field, warn: Callable[[str], None]) -> None:
    if canonical.present and legacy.present and canonical.value != legacy.value:
        warn(f"{canonical.place} differs from its legacy twin {legacy.place}; the first was read")


def _strategy_text(metadata: Field) -> str:
    words = _string(metadata.get("private_strategy_nl").value)
    older = _string(metadata.get("private_strategy").value)
    return words or ("" if older.lstrip().startswith("{") else older)


def _strategy(metadata: Field, warn: Callable[[str], None]) -> dict[str, object]:
    field = metadata.first("private_strategy_json", "privatestrategyjson", "private_strategy")
    value = field.value
    if isinstance(value, str) and value.strip() and not _is_words(field):
        value = _parsed(field, value, warn)
    if isinstance(value, dict):
        return value
    if value not in (None, "") and not _is_words(field):
        warn(f"{field.place} is no JSON object and was not read")
    return {}


def _is_words(field: Field) -> bool:
    # The oldest name held either JSON or plain words.
    plain = isinstance(field.value, str) and not field.value.lstrip().startswith("{")
    return plain and field.place.endswith(".private_strategy")


def _parsed(field: Field, value: str, warn: Callable[[str], None]) -> object:
    try:
        return clean_document(json.loads(value), file_name=field.file).document
    except (ValueError, RecursionError, TraceError):
        warn(f"{field.place} is not valid JSON and was not read")
        return None


def _axioms(
    metadata: Field, strategy: dict[str, object], warn: Callable[[str], None]
) -> tuple[str, ...]:
    listed = metadata.first("retrieved_axioms", "retrieve_cf_axioms").value
    axioms: dict[str, None] = {}
    for source in (listed, strategy.get("retrieved_axioms")):
        # A bare text is one axiom; iterating over it would give its letters.
        for axiom in source if isinstance(source, list) else [source]:
            if isinstance(axiom, str) and axiom.strip():
                axioms.setdefault(axiom)
            elif axiom is not None and not isinstance(axiom, str):
                warn(f"{metadata.place}: an axiom that is no text was left out")
    return tuple(axioms)


def _is_fallback(flags: object) -> bool:
    return isinstance(flags, dict) and flags.get("fallback") is True


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""

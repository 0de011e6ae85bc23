"""What must hold between the parts of a trace, whichever format it came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apg_engine.errors import TraceError
from apg_engine.records import Trace, Turn
from apg_engine.traces.json_field import shortened

_NAMED_AT_MOST = 10


def refuse_inconsistency(trace: Trace, *, file: str) -> None:
    """Check identifiers, turn numbers, speakers, evidence and shocks against each other.

    Raises:
        TraceError: the first contradiction found.
    """
    for error in _contradictions(trace, file):
        raise error


def _contradictions(trace: Trace, file: str) -> Iterator[TraceError]:
    yield from _repeated("agents", [agent.id for agent in trace.agents], file)
    yield from _repeated("documents", [document.id for document in trace.documents], file)
    agents = {agent.id: None for agent in trace.agents}
    documents = {document.id: None for document in trace.documents}
    for index, turn in enumerate(trace.turns):
        yield from _turn_faults(turn, index, agents, documents, file)
    for index, shock in enumerate(trace.shocks):
        if not 1 <= shock.turn <= len(trace.turns):
            yield TraceError(
                file,
                f"shocks[{index}].turn",
                f"the number {shock.turn}",
                f"1 to {len(trace.turns)}",
            )


def _turn_faults(
    turn: Turn, index: int, agents: Iterable[str], documents: Iterable[str], file: str
) -> Iterator[TraceError]:
    place = f"turns[{index}]"
    if turn.number != index + 1:
        yield TraceError(
            file,
            f"{place}.number",
            f"the number {turn.number}",
            f"{index + 1} (turns stand in order and are numbered from 1)",
        )
    if turn.speaker not in agents:
        yield _unknown(file, f"{place}.speaker", turn.speaker, agents)
    for position, identifier in enumerate(turn.evidence):
        if identifier not in documents:
            yield _unknown(file, f"{place}.evidence[{position}]", identifier, documents)
    yield from _repeated(f"{place}.evidence", turn.evidence, file, member="")


def _repeated(
    place: str, identifiers: Iterable[str], file: str, *, member: str = ".id"
) -> Iterator[TraceError]:
    seen: set[str] = set()
    for index, identifier in enumerate(identifiers):
        if identifier in seen:
            yield TraceError(
                file,
                f"{place}[{index}]{member}",
                f"{shortened(identifier)} a second time",
                "each identifier once",
            )
        seen.add(identifier)


def _unknown(file: str, place: str, found: str, known: Iterable[str]) -> TraceError:
    names = [shortened(name) for name in known]
    more = f", and {len(names) - _NAMED_AT_MOST} more" if len(names) > _NAMED_AT_MOST else ""
    allowed = ", ".join(names[:_NAMED_AT_MOST]) + more
    return TraceError(file, place, shortened(found), allowed or "nothing: the list is empty")

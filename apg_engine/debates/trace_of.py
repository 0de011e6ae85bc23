"""From the floor of a debate to a trace in the project's own format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from apg_engine.debates.floor import Floor
from apg_engine.debates.turn_loop import DebateEnd
from apg_engine.records import Agent, ConflictLevel, Document, Shock, Source, Trace, Turn
from apg_engine.traces import trace_sha256
from apg_engine.traces.checks import refuse_inconsistency


@dataclass(frozen=True, slots=True)
class Frame:
    """What a trace says around its turns.

    Attributes:
        shocks: each with the number of the turn it came before.
    """

    title: str
    crisis_context: str
    question: str
    source_name: str
    documents: tuple[Document, ...] = ()
    shocks: tuple[Shock, ...] = ()
    conflict_level: ConflictLevel = ""
    language: str = "en"
    source_format: str = "apg-debate"


def trace_of(
    floor: Floor, frame: Frame, *, end: DebateEnd, warnings: Iterable[str] = ()
) -> Trace | None:
    """Give the debate as a trace; None where nobody was heard.

    Turns that a fork withholds are left out and the others numbered anew; a shock before such a
    turn moves to the next one. A partial debate says so in its warnings.

    Raises:
        TraceError: turns, speakers, documents and shocks contradict each other.
    """
    places = {turn.number: place for place, turn in enumerate(floor.heard, start=1)}
    if not places:
        return None
    withheld = floor.calls.withheld.ids
    documents = tuple(one for one in frame.documents if one.id not in withheld)
    trace = Trace(
        title=frame.title,
        language=frame.language,
        crisis_context=frame.crisis_context,
        question=frame.question,
        agents=tuple(Agent(one.id, one.name, one.mandate) for one in floor.parties),
        turns=tuple(_turns(floor, places, {one.id for one in documents})),
        documents=documents,
        shocks=tuple(_moved(_kept(frame.shocks, withheld), places)),
        conflict_level=frame.conflict_level,
        source=Source(frame.source_format, frame.source_name, "0" * 64),
        warnings=tuple(_warnings(floor, end, warnings)),
    )
    refuse_inconsistency(trace, file=frame.source_name)
    return replace(trace, source=replace(trace.source, sha256=trace_sha256(trace)))


def _turns(floor: Floor, places: dict[int, int], documents: set[str]) -> Iterable[Turn]:
    for turn in floor.heard:
        yield Turn(
            number=places[turn.number],
            speaker=turn.speaker,
            text=turn.text,
            private_trace=turn.private,
            private_is_boilerplate=turn.private_is_boilerplate,
            evidence=tuple(one for one in turn.evidence if one in documents),
        )


def _kept(shocks: Iterable[Shock], withheld: frozenset[str]) -> Iterable[Shock]:
    return (one for place, one in enumerate(shocks, start=1) if f"S{place}" not in withheld)


def _moved(shocks: Iterable[Shock], places: dict[int, int]) -> Iterable[Shock]:
    for shock in shocks:
        after = [place for number, place in places.items() if number >= shock.turn]
        if after:
            yield replace(shock, turn=min(after))


def _warnings(floor: Floor, end: DebateEnd, others: Iterable[str]) -> Iterable[str]:
    if not end.is_whole:
        yield f"partial debate ({end.reason.value}): {end.detail}"
    for turn in floor.heard:
        yield from turn.warnings
    yield from floor.warnings
    yield from others

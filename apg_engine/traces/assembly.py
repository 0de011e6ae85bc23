"""From speeches in order to a trace, for formats that know speakers and texts but no shocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from apg_engine.errors import TraceError
from apg_engine.records import Agent, Document, Trace, Turn
from apg_engine.traces.checks import refuse_inconsistency
from apg_engine.traces.conflict import conflict_level
from apg_engine.traces.own_format import TITLE_CHARACTERS
from apg_engine.traces.request import ImportRequest


@dataclass(frozen=True, slots=True)
class Speech:
    """One contribution before turns are numbered."""

    speaker: str
    text: str
    private_trace: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(slots=True)
class Record:
    """A debate in the making; importers add to it in the order of their file."""

    file: str
    title: str = ""
    crisis_context: list[str] = field(default_factory=list)
    question: str = ""
    agents: dict[str, Agent] = field(default_factory=dict)
    speeches: list[Speech] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)

    def warn(self, line: str) -> None:
        """Keep a warning once."""
        self.warnings.setdefault(line)

    def add_document(self, text: str) -> str:
        """Keep a document once; returns its id."""
        new = Document(f"document-{len(self.documents) + 1}", "document", text)
        return self.documents.setdefault(text, new).id


def assembled(record: Record, request: ImportRequest, *, place: str) -> Trace:
    """Number the turns, name agents that only their speeches name, and check the whole.

    Raises:
        TraceError: nothing was said, or parts contradict each other.
    """
    if not record.speeches:
        raise TraceError(record.file, place, "no message with a text", "at least one")
    agents = dict(record.agents)
    for speech in record.speeches:
        agents.setdefault(speech.speaker, Agent(speech.speaker, speech.speaker))
    trace = Trace(
        title=(record.title.strip() or request.source.file_name)[:TITLE_CHARACTERS],
        language="en",
        crisis_context="\n\n".join(text for text in record.crisis_context if text.strip()),
        question=record.question,
        agents=tuple(_who_speak(agents.values(), record)),
        turns=tuple(_turn(number, s) for number, s in enumerate(record.speeches, start=1)),
        documents=tuple(record.documents.values()),
        shocks=(),
        conflict_level=conflict_level((), rule=request.conflict_rule),
        source=request.source,
        warnings=(*request.warnings, *record.warnings),
    )
    refuse_inconsistency(trace, file=record.file)
    return trace


def _who_speak(agents: Iterable[Agent], record: Record) -> Iterable[Agent]:
    speakers = {speech.speaker for speech in record.speeches}
    return (agent for agent in agents if agent.id in speakers)


def _turn(number: int, speech: Speech) -> Turn:
    return Turn(
        number=number,
        speaker=speech.speaker,
        text=speech.text,
        private_trace=speech.private_trace,
        evidence=tuple(dict.fromkeys(speech.evidence)),
    )

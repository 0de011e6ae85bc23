"""Importer for the APG paper's trajectory files, with the older shapes of their logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from apg_engine.errors import TraceError
from apg_engine.records import Agent, Document, Source, Trace, Turn
from apg_engine.traces.checks import refuse_inconsistency
from apg_engine.traces.conflict import conflict_level
from apg_engine.traces.json_field import Field
from apg_engine.traces.leaks import PrivateText, leak_warnings
from apg_engine.traces.mojibake import message_checked, repaired_text
from apg_engine.traces.own_format import TITLE_CHARACTERS
from apg_engine.traces.request import ImportRequest, chosen
from apg_engine.traces.trajectory_private import PrivateSide, private_side
from apg_engine.traces.trajectory_shocks import shocks_of

FORMAT = "apg-paper-trajectory"
SYNTHESIS_PHASE = "phase4_synthesis"
SPEAKER_KEYS = ("module_id", "team_id", "agent_name", "speaker", "module_label")
NAME_KEYS = ("module_label", "agent_name", "team_id", "speaker", "module_id")
MESSAGE_KEYS = ("message_content", "message")
_SESSION_KEYS = ("session_info", "session_metadata")
_CONDITION_ALIASES = {
    "kgcfrfull": "kg_cfr_full",
    "knowledge-grounded": "kg_cfr_full",
    "cfrnokg": "cfr_no_kg",
    "prompt-only": "cfr_no_kg",
    "none": "no_cfr_baseline",
}


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """A turn as the file tells it, before turns are numbered and axioms become documents."""

    number: int
    speaker: str
    name: str
    text: str
    private: PrivateSide


@dataclass(frozen=True, slots=True)
class Notes:
    """Warnings in the making; every step adds to one list."""

    lines: dict[str, None] = field(default_factory=dict)

    def add(self, line: str) -> None:
        """Keep a warning once."""
        self.lines.setdefault(line)


def recognises(document: object) -> bool:
    """True for an object with the log's own top-level names, or turns shaped as older logs had."""
    if not isinstance(document, dict):
        return False
    if document.keys() & {"turn_logs", *_SESSION_KEYS}:
        return True
    turns = document.get("turns")
    first = turns[0] if isinstance(turns, list) and turns else None
    return (
        isinstance(first, dict)
        and any(key in first for key in MESSAGE_KEYS)
        and any(key in first for key in SPEAKER_KEYS)
    )


def trace_from_field(root: Field, request: ImportRequest) -> Trace:
    """Read a trajectory; what is odd but readable becomes a warning.

    Opponents' claims, mentioned concepts and timestamps are not read: claims are views of the
    messages that are numbered anew every turn, concepts are matched inside other words, and a
    shock carries the time of the turn before it. Order comes from turn numbers alone.

    Raises:
        TraceError: a turn, speaker or shock cannot be read or placed.
    """
    chosen([root], request, file=root.file, place="")
    notes = Notes(dict.fromkeys(request.warnings))
    session = root.first(*_SESSION_KEYS)
    logged = _numbered(_logged_turns(root, notes), notes)
    shocks = shocks_of(root, numbers=[turn.number for turn in logged], warn=notes.add)
    _note_lost(session, turns=len(logged), shocks=len(shocks), notes=notes)
    identifiers = _axiom_identifiers(logged)
    turns = _turns(logged, identifiers)
    for line in leak_warnings(turns, _private_texts(logged, turns, identifiers)):
        notes.add(line)
    trace = Trace(
        title=_title(session, request.source),
        language="en",
        crisis_context=_crisis_context(root, session),
        question="",
        agents=_agents(logged, notes),
        turns=turns,
        documents=tuple(Document(key, "axiom", text) for text, key in identifiers.items()),
        shocks=shocks,
        conflict_level=conflict_level(shocks, rule=request.conflict_rule),
        source=request.source,
        warnings=tuple(notes.lines),
    )
    refuse_inconsistency(trace, file=root.file)
    return trace


def _logged_turns(root: Field, notes: Notes) -> list[LoggedTurn]:
    logs = root.first("turn_logs", "turns")
    turns = [
        _logged_turn(log, index, notes)
        for index, log in enumerate(logs.filled_items())
        if not _is_synthesis(log, notes)
    ]
    if turns:
        return turns
    raise TraceError(
        root.file, logs.place, "no turn of a debate", f"a turn outside {SYNTHESIS_PHASE}"
    )


def _is_synthesis(log: Field, notes: Notes) -> bool:
    # The paper's own synthesis was logged as a last turn; no party said it.
    if log.get("phase").value != SYNTHESIS_PHASE:
        return False
    notes.add(f"{log.place} is a {SYNTHESIS_PHASE} record, not a turn; it was left out")
    return True


def _logged_turn(log: Field, index: int, notes: Notes) -> LoggedTurn:
    number = log.get("turn_number")
    if not number.present:
        notes.add(f"{number.place} is missing; the place in the list was taken")
    speaker = log.first(*SPEAKER_KEYS).filled_text()
    private = private_side(log.get("metadata"), warn=notes.add)
    if private.text != repaired_text(private.text):
        notes.add(f"{log.place}: the private trace looks like mojibake; no length proves a repair")
    return LoggedTurn(
        number=number.integer() if number.present else index + 1,
        speaker=speaker,
        name=log.first(*NAME_KEYS).filled_text(),
        text=_message(log, notes),
        private=private,
    )


def _message(log: Field, notes: Notes) -> str:
    message = log.first(*MESSAGE_KEYS)
    length = log.get("message_length").value
    recorded = length if isinstance(length, int) and not isinstance(length, bool) else None
    checked = message_checked(message.filled_text(), recorded)
    if checked.warning:
        notes.add(f"{message.place}: {checked.warning}")
    return checked.text


def _numbered(turns: list[LoggedTurn], notes: Notes) -> list[LoggedTurn]:
    ordered = sorted(turns, key=lambda turn: turn.number)
    numbers = [turn.number for turn in ordered]
    if numbers != [turn.number for turn in turns]:
        notes.add("turns stood out of order and were sorted by turn_number")
    if numbers != list(range(1, len(numbers) + 1)):
        notes.add(f"turn numbers {_listed(numbers)} became 1 to {len(numbers)}")
    return ordered


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:12])
    return f"{shown}, ..." if len(numbers) > 12 else shown


def _axiom_identifiers(turns: list[LoggedTurn]) -> dict[str, str]:
    axioms = dict.fromkeys(axiom for turn in turns for axiom in turn.private.axioms)
    return {axiom: f"axiom-{index}" for index, axiom in enumerate(axioms, start=1)}


def _turns(logged: list[LoggedTurn], identifiers: dict[str, str]) -> tuple[Turn, ...]:
    repeated = _repeated_strategies(logged)
    return tuple(
        Turn(
            number=number,
            speaker=turn.speaker,
            text=turn.text,
            private_trace=turn.private.text,
            private_is_boilerplate=turn.private.fallback or turn.private.text in repeated,
            evidence=tuple(identifiers[axiom] for axiom in turn.private.axioms),
        )
        for number, turn in enumerate(logged, start=1)
    )


def _repeated_strategies(logged: list[LoggedTurn]) -> set[str]:
    # Newer code writes no fallback flag: a strategy that retrieved nothing and stands in several
    # turns word for word was not thought up for any of them.
    bare = Counter(turn.private.text for turn in logged if not turn.private.axioms)
    return {text for text, count in bare.items() if text and count > 1}


def _private_texts(
    logged: list[LoggedTurn], turns: tuple[Turn, ...], identifiers: dict[str, str]
) -> list[PrivateText]:
    texts = [PrivateText(key, text) for text, key in identifiers.items()]
    for turn, log in zip(turns, logged, strict=True):
        if not turn.private_is_boilerplate:
            counter = log.private.counter or turn.private_trace
            texts.append(PrivateText(f"the private trace of turn {turn.number}", counter))
    return texts


def _agents(logged: list[LoggedTurn], notes: Notes) -> tuple[Agent, ...]:
    agents: dict[str, Agent] = {}
    for turn in logged:
        agent = agents.setdefault(turn.speaker, Agent(turn.speaker, turn.name))
        if agent.name != turn.name:
            notes.add(
                f"speaker {turn.speaker!r} is also called {turn.name!r}; {agent.name!r} was kept"
            )
    return tuple(agents.values())


def _title(session: Field, source: Source) -> str:
    # The session id, not the file's name: run_09.json exists once per scenario.
    if not session.present:
        return source.file_name
    metadata = session.get("metadata").value
    details = metadata if isinstance(metadata, dict) else {}
    condition = details.get("condition_label", details.get("cfr_mode"))
    parts = (
        details.get("dilemma_id"),
        _CONDITION_ALIASES.get(condition, condition) if isinstance(condition, str) else None,
        session.get("session_id").value,
    )
    known = [part for part in parts if isinstance(part, str) and part]
    return (", ".join(known) or source.file_name)[:TITLE_CHARACTERS]


def _crisis_context(root: Field, session: Field) -> str:
    holders = [session, root] if session.present else [root]
    for holder in holders:
        context = holder.first("crisis_context", "topic", "prompt")
        if context.present:
            return context.text()
    return ""


def _note_lost(session: Field, *, turns: int, shocks: int, notes: Notes) -> None:
    # debate_turns is not compared: it is the stop test's 0-based limit, one less than the turns.
    statistics = session.get("statistics").value if session.present else None
    if not isinstance(statistics, dict):
        return
    for key, found in (("total_turns", turns), ("total_shocks", shocks)):
        recorded = statistics.get(key)
        if isinstance(recorded, int) and recorded != found:
            notes.add(f"{session.place}.statistics.{key} is {recorded} but the file holds {found}")

"""A stored debate trace as a participant reads it: public turns, shocks in place, documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studyapp.domain.markup import is_as_written, speech_render

COLOURS: Final = 8
# A shock of this kind reports new measurements; every other kind is news of another sort.
_TELEMETRY: Final = "epistemic_shift"
_CONTEXT_HEADING: Final = 3
_TURN_HEADING: Final = 5


@dataclass(frozen=True, slots=True)
class SpeakerView:
    """A party; `colour` is a number from 1 to COLOURS, `initials` tell it apart without colour."""

    name: str
    mandate: str
    colour: int
    initials: str


@dataclass(frozen=True, slots=True)
class ShockView:
    """News before a turn; `number` counts the shocks of the debate from 1."""

    number: int
    severity: str
    is_telemetry: bool
    html: str


@dataclass(frozen=True, slots=True)
class TurnView:
    """One public turn and the news that reached the parties right before it.

    `raw` is the text as it was written, and empty where the page shows exactly that. `private_html`
    is what the speaker thought, and empty unless the study shows it.
    """

    number: int
    speaker: SpeakerView
    html: str
    raw: str
    private_html: str
    shocks: tuple[ShockView, ...]

    @property
    def address(self) -> str:
        """The turn's address in the corpus."""
        return f"T{self.number}"


@dataclass(frozen=True, slots=True)
class RoundView:
    """Turns in which each party speaks at most once; `number` counts from 1."""

    number: int
    turns: tuple[TurnView, ...]


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A text that the parties could use; `number` counts from 1 within its kind.

    `title` is the one that the trace gives it; empty where it gives none.
    """

    number: int
    kind: str
    html: str
    title: str


@dataclass(frozen=True, slots=True)
class TraceView:
    """What a participant reads of a debate.

    `has_rounds` is false where grouping the turns would say nothing: one round, or rounds of hardly
    more than a turn each.
    """

    title: str
    language: str
    context_html: str
    question: str
    speakers: tuple[SpeakerView, ...]
    rounds: tuple[RoundView, ...]
    late_shocks: tuple[ShockView, ...]
    documents: tuple[DocumentView, ...]

    @property
    def turns(self) -> tuple[TurnView, ...]:
        """All turns in order."""
        return tuple(turn for part in self.rounds for turn in part.turns)

    @property
    def has_rounds(self) -> bool:
        """Say whether the rounds are worth a heading."""
        return len(self.rounds) > 1 and len(self.turns) >= 2 * len(self.rounds)

    @property
    def addresses(self) -> frozenset[str]:
        """What of this debate a page can show: context, turns, shocks, documents."""
        shocks = sum(len(turn.shocks) for turn in self.turns) + len(self.late_shocks)
        return frozenset(
            {"C1", *(turn.address for turn in self.turns)}
            | {f"S{number}" for number in range(1, shocks + 1)}
            | {f"A{number}" for number in range(1, len(self.documents) + 1)}
        )


def trace_view_build(content: Mapping[str, Any], *, shows_private: bool = False) -> TraceView:
    """Build the view of a trace stored in the project's own format, version 1."""
    speakers = dict(_speakers(content["agents"]))
    shocks = dict(_shocks(content["shocks"]))
    turns = [
        _turn(turn, speakers, tuple(shocks.pop(turn["number"], ())), shows_private=shows_private)
        for turn in content["turns"]
    ]
    return TraceView(
        title=content["title"],
        language=content["language"],
        context_html=speech_render(content["crisis_context"], heading=_CONTEXT_HEADING),
        question=content["question"],
        speakers=tuple(speakers.values()),
        rounds=tuple(_rounds(turns)),
        late_shocks=tuple(shock for late in shocks.values() for shock in late),
        documents=tuple(_documents(content["documents"])),
    )


def _turn(
    turn: Mapping[str, Any],
    speakers: Mapping[str, SpeakerView],
    shocks: tuple[ShockView, ...],
    *,
    shows_private: bool,
) -> TurnView:
    html = speech_render(turn["text"], heading=_TURN_HEADING)
    private = turn.get("private_trace", "") if shows_private else ""
    if turn.get("private_is_boilerplate"):
        private = ""
    return TurnView(
        number=turn["number"],
        speaker=speakers[turn["speaker"]],
        html=html,
        raw="" if is_as_written(turn["text"], html) else turn["text"],
        private_html=speech_render(private, heading=_TURN_HEADING) if private else "",
        shocks=shocks,
    )


def _rounds(turns: Sequence[TurnView]) -> Iterator[RoundView]:
    """A round ends where somebody speaks who has spoken in it: traces do not say it themselves."""
    number, current, spoken = 1, list[TurnView](), set[str]()
    for turn in turns:
        if turn.speaker.initials in spoken:
            yield RoundView(number, tuple(current))
            number, current, spoken = number + 1, [], set()
        current.append(turn)
        spoken.add(turn.speaker.initials)
    if current:
        yield RoundView(number, tuple(current))


def _speakers(agents: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, SpeakerView]]:
    taken: set[str] = set()
    for index, agent in enumerate(agents):
        initials = _initials(agent["name"])
        if initials in taken:
            initials = str(index + 1)
        taken.add(initials)
        yield (
            agent["id"],
            SpeakerView(agent["name"], agent["mandate"], index % COLOURS + 1, initials),
        )


def _initials(name: str) -> str:
    words = [word for word in name.split() if word[0].isalnum()]
    return "".join(word[0].upper() for word in words[:2]) or "?"


def _shocks(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, list[ShockView]]]:
    """Group the shocks by the turn they come before, in the order of the turns."""
    views: dict[int, list[ShockView]] = {}
    for number, row in enumerate(sorted(rows, key=lambda row: int(row["turn"])), start=1):
        html = speech_render(row["text"], heading=_TURN_HEADING)
        view = ShockView(number, row["severity"], row["kind"] == _TELEMETRY, html)
        views.setdefault(row["turn"], []).append(view)
    yield from views.items()


def _documents(rows: Sequence[Mapping[str, str]]) -> Iterator[DocumentView]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["kind"]] = counts.get(row["kind"], 0) + 1
        html = speech_render(row["text"], heading=_TURN_HEADING)
        yield DocumentView(counts[row["kind"]], row["kind"], html, row.get("title", ""))

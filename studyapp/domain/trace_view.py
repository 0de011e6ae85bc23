"""A stored debate trace as a participant reads it: public turns, shocks in place, documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studyapp.domain.markup import speech_render

COLOURS: Final = 8
_CONTEXT_HEADING: Final = 3
_TURN_HEADING: Final = 4


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
    html: str


@dataclass(frozen=True, slots=True)
class TurnView:
    """One public turn and the news that reached the parties right before it."""

    number: int
    speaker: SpeakerView
    html: str
    shocks: tuple[ShockView, ...]


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A text that the parties could use; `number` counts from 1 within its kind."""

    number: int
    kind: str
    html: str


@dataclass(frozen=True, slots=True)
class TraceView:
    """What a participant reads of a debate. It has no place for private traces."""

    title: str
    language: str
    context_html: str
    question: str
    speakers: tuple[SpeakerView, ...]
    turns: tuple[TurnView, ...]
    late_shocks: tuple[ShockView, ...]
    documents: tuple[DocumentView, ...]


def trace_view_build(content: Mapping[str, Any]) -> TraceView:
    """Build the view of a trace stored in the project's own format, version 1."""
    speakers = dict(_speakers(content["agents"]))
    shocks = dict(_shocks(content["shocks"]))
    turns = tuple(
        TurnView(
            number=turn["number"],
            speaker=speakers[turn["speaker"]],
            html=speech_render(turn["text"], heading=_TURN_HEADING),
            shocks=tuple(shocks.pop(turn["number"], ())),
        )
        for turn in content["turns"]
    )
    return TraceView(
        title=content["title"],
        language=content["language"],
        context_html=speech_render(content["crisis_context"], heading=_CONTEXT_HEADING),
        question=content["question"],
        speakers=tuple(speakers.values()),
        turns=turns,
        late_shocks=tuple(shock for late in shocks.values() for shock in late),
        documents=tuple(_documents(content["documents"])),
    )


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
        views.setdefault(row["turn"], []).append(ShockView(number, row["severity"], html))
    yield from views.items()


def _documents(rows: Sequence[Mapping[str, str]]) -> Iterator[DocumentView]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row["kind"]] = counts.get(row["kind"], 0) + 1
        html = speech_render(row["text"], heading=_TURN_HEADING)
        yield DocumentView(counts[row["kind"]], row["kind"], html)

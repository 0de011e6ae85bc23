"""Sentences that say who states something: `According to the Water Board, ...`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apg_engine.records import Agent

_VERBS = (
    r"(?:states?|says?|holds?|argues?|maintains?|notes?|warns?|insists?|proposes?|recommends?|"
    r"claims?|asserts?|stress(?:es)?|reports?|adds?|agrees?|uważa(?:ją)?|twierdz[ią]|"
    r"stwierdza(?:ją)?|wskazuj[eą]|zaleca(?:ją)?)"
)
_EVERYONE = (
    r"(?:all|every|each)(?: of the)?(?: \w+)? part(?:y|ies)(?: to the debate)?"
    r"|wszystkie strony|każda ze stron"
)
_TAIL = re.compile(
    rf"\W*(?:(?:also|further|itself|themselves) )?{_VERBS}(?:,? (?:that|the following|iż|że)\b)?"
    r"\W*(?P<inner>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who is said to state what; `inner` starts at character `start` of the sentence."""

    agents: tuple[str, ...]
    inner: str
    start: int


def attribution_find(text: str, agents: Sequence[Agent]) -> Attribution | None:
    """Read `NAME states that X`, `According to NAME, X` or `All parties recommend that X`."""
    everyone = re.match(rf"\W*(?:{_EVERYONE})\b", text, re.IGNORECASE)
    if everyone:
        ids = tuple(agent.id for agent in agents)
        return _read(text, everyone.end(), ids, _TAIL)
    according = re.match(r"\W*(?:according to|zdaniem|według) (?:the )?", text, re.IGNORECASE)
    if according:
        named = _names(text, according.end(), agents)
        return _read(text, named[1], named[0], re.compile(r"\W*(?P<inner>\S.*)$", re.DOTALL))
    start = re.match(r"\W*(?:the )?", text, re.IGNORECASE)
    named = _names(text, start.end() if start else 0, agents)
    return _read(text, named[1], named[0], _TAIL)


def _read(text: str, at: int, agents: tuple[str, ...], tail: re.Pattern[str]) -> Attribution | None:
    match = tail.match(text, at) if agents else None
    if match is None:
        return None
    return Attribution(agents, match.group("inner"), match.start("inner"))


def _names(text: str, at: int, agents: Sequence[Agent]) -> tuple[tuple[str, ...], int]:
    """Read one or more agents' names, joined by commas and `and`."""
    ids: list[str] = []
    while True:
        found = _name_at(text, at, agents)
        if found is None:
            return tuple(ids), at
        ids.append(found[0])
        at = found[1]
        joint = re.compile(r"(?:,? (?:and|oraz|i) |, )(?:the )?", re.IGNORECASE).match(text, at)
        if joint is None or _name_at(text, joint.end(), agents) is None:
            return tuple(ids), at
        at = joint.end()


def _name_at(text: str, at: int, agents: Sequence[Agent]) -> tuple[str, int] | None:
    for agent in sorted(agents, key=lambda agent: -len(agent.name)):
        name = agent.name.removeprefix("The ")
        end = at + len(name)
        is_whole = not text[end : end + 1].isalnum()
        if name and is_whole and text[at:end].casefold() == name.casefold():
            return agent.id, end
    return None

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
_JOINT = re.compile(r"(?:,? (?P<and>and|oraz|i) |, )(?:the )?", re.IGNORECASE)
# What goes on behind a name is another word.
_MORE = re.compile(r"\w|['\u2019]")
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
        named = _names(text, according.end(), _Names(agents))
        return _read(text, named[1], named[0], re.compile(r"\W*(?P<inner>\S.*)$", re.DOTALL))
    start = re.match(r"\W*(?:the )?", text, re.IGNORECASE)
    named = _names(text, start.end() if start else 0, _Names(agents))
    return _read(text, named[1], named[0], _TAIL)


def _read(text: str, at: int, agents: tuple[str, ...], tail: re.Pattern[str]) -> Attribution | None:
    match = tail.match(text, at) if agents else None
    if match is None:
        return None
    return Attribution(agents, match.group("inner"), match.start("inner"))


class _Names:
    """Agents by name and by the length of it; of equal names the first agent's counts."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._ids: dict[tuple[int, str], str] = {}
        for agent in agents:
            name = agent.name.removeprefix("The ")
            self._ids.setdefault((len(name), name.casefold()), agent.id)
        self._lengths = sorted({length for length, _ in self._ids if length}, reverse=True)

    def at(self, text: str, start: int) -> tuple[str, int] | None:
        """Give who is named at a place, by the longest name, and where that name ends."""
        for length in self._lengths:
            end = start + length
            agent = self._ids.get((length, text[start:end].casefold()))
            if agent is not None and not _MORE.match(text, end):
                return agent, end
        return None


def _names(text: str, at: int, names: _Names) -> tuple[tuple[str, ...], int]:
    """Read one name, or a list of names that ends with `and`."""
    first = names.at(text, at)
    if first is None:
        return (), at
    ids, end = [first[0]], first[1]
    while joint := _JOINT.match(text, end):
        name = names.at(text, joint.end())
        if name is None:
            break
        ids.append(name[0])
        end = name[1]
        if "," not in joint.group() or joint["and"]:
            return tuple(ids), end
    # `According to A, B ...` names A alone: B begins what A says.
    return (first[0],), first[1]

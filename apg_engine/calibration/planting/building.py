"""A planted-truth set out of one debate."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apg_engine.calibration.cases import Case, Truth, trace_corpus
from apg_engine.calibration.planting.faults import FAULTS, Planter, lowered
from apg_engine.calibration.planting.quotes import QUOTES
from apg_engine.calibration.planting.words import AGREEMENTS, ATTRIBUTIONS, BRIDGES, TAILS
from apg_engine.records import Agent, BlockKind, Corpus, ItemKind, Trace

_WORD = re.compile(r"[^\W_]+")
_FEWEST_WORDS = 5
# So many of the words in common, and two sentences may say the same.
_ALIKE = 0.75


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence of the debate, with who said it; `speaker` is empty for context and documents."""

    address: str
    text: str
    speaker: str


def planted_cases(trace: Trace, *, dice: random.Random) -> tuple[Case, ...]:
    """Plant quotes, near quotes and faults, each with its truth by construction.

    A changed sentence that the debate states elsewhere is left out: it would be no fault.
    """
    bed = _Bed(trace, dice)
    drafts = [*bed.quotes(), *bed.faults(), *bed.told(), *bed.bridges()]
    seen: set[str] = set()
    cases = []
    for draft in drafts:
        if draft.text not in seen:
            seen.add(draft.text)
            cases.append(bed.case(draft, len(cases) + 1))
    return tuple(cases)


@dataclass(frozen=True, slots=True)
class _Draft:
    text: str
    kind: str
    is_true: bool
    source: str


class _Bed:
    """One debate with what planting has to know about it."""

    def __init__(self, trace: Trace, dice: random.Random) -> None:
        self._trace = trace
        self._dice = dice
        self._language = "pl" if trace.language.startswith("pl") else "en"
        self._corpus = trace_corpus(trace)
        self._stated = tuple(_statements(self._corpus))
        self._said = [(stated, _words(stated.text)) for stated in self._stated]
        self._plain = [" ".join(words) for _, words in self._said]

    def case(self, draft: _Draft, number: int) -> Case:
        return Case(
            id=f"{self._trace.title}: {number}",
            claim=draft.text,
            corpus=self._corpus,
            truth=Truth.SUPPORTED if draft.is_true else Truth.REFUTED,
            group=f"{self._trace.title}: {draft.source}",
            kind=draft.kind,
        )

    def quotes(self) -> Iterator[_Draft]:
        yield from self._planted(QUOTES, is_true=True)
        for stated in self._stated:
            if stated.speaker:
                text = self._attributed(stated, stated.speaker)
                yield _Draft(text, "near: attributed", True, stated.address)

    def faults(self) -> Iterator[_Draft]:
        yield from self._planted(FAULTS, is_true=False)

    def told(self) -> Iterator[_Draft]:
        """Right words in the wrong mouth: another speaker, or everyone."""
        for stated in self._stated:
            others = self._silent(stated)
            if not stated.speaker or not others:
                continue
            wrong = self._attributed(stated, self._dice.choice(others).id)
            yield _Draft(wrong, "speaker", False, stated.address)
            frame = self._dice.choice(AGREEMENTS[self._language])
            yield _Draft(frame.format(lowered(stated.text)), "agreement", False, stated.address)

    def bridges(self) -> Iterator[_Draft]:
        agents = self._trace.agents
        for frame in BRIDGES[self._language]:
            for one, other in zip(agents, (*agents[1:], *agents[:1]), strict=True):
                if one != other:
                    text = frame.format(self._named(one), self._named(other))
                    yield _Draft(text[:1].upper() + text[1:], "bridge", False, "bridge")
        for stated in self._stated[::3]:
            tail = self._dice.choice(TAILS[self._language])
            yield _Draft(f"{stated.text.rstrip('.')}{tail}.", "bridge", False, stated.address)

    def _planted(self, planters: Mapping[str, Planter], *, is_true: bool) -> Iterator[_Draft]:
        for kind, planter in planters.items():
            for stated in self._stated:
                ways = planter(stated.text, self._language, self._dice)
                fitting = ways if is_true else [w for w in ways if not self._is_stated(w, stated)]
                if fitting:
                    yield _Draft(self._dice.choice(fitting), kind, is_true, stated.address)

    def _attributed(self, stated: Stated, speaker: str) -> str:
        name = next(self._named(agent) for agent in self._trace.agents if agent.id == speaker)
        frame = self._dice.choice(ATTRIBUTIONS[self._language])
        text = frame.format(lowered(stated.text), name)
        return text[:1].upper() + text[1:]

    def _named(self, agent: Agent) -> str:
        article = "the " if self._language == "en" else ""
        return article + agent.name.removeprefix("The ")

    def _silent(self, stated: Stated) -> list[Agent]:
        """Give the parties that never say anything like it."""
        words = set(_words(stated.text))
        saying = {other.speaker for other, own in self._said if _alike(words, set(own)) >= _ALIKE}
        return [agent for agent in self._trace.agents if agent.id not in saying]

    def _is_stated(self, text: str, source: Stated) -> bool:
        """Tell whether the debate says the changed sentence after all."""
        words = _words(text)
        if any(" ".join(words) in own for own in self._plain):
            return True
        changed, before = set(words), set(_words(source.text))
        return any(
            _alike(changed, set(own)) >= _ALIKE
            and changed - before <= set(own)
            and not (before - changed) & set(own)
            for _, own in self._said
        )


def _statements(corpus: Corpus) -> Iterator[Stated]:
    prose = {BlockKind.PARAGRAPH, BlockKind.BULLET}
    for item in corpus.items:
        for ordinal, segment in enumerate(item.segments, start=1):
            text = item.text[segment.start : segment.end]
            is_statement = text.endswith(".") and len(_words(text)) >= _FEWEST_WORDS
            if item.kind is not ItemKind.PRIVATE and segment.block in prose and is_statement:
                yield Stated(f"{item.address}.{ordinal}", text, item.speaker)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _alike(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def kinds_of(cases: Sequence[Case]) -> list[str]:
    """List the kinds, true ones first, in the order they were planted."""
    return list(dict.fromkeys(case.kind for case in cases))

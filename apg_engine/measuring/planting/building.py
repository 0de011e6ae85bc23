"""A planted-truth set out of one debate."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apg_engine.measuring.cases import Case, Truth, trace_corpus
from apg_engine.measuring.planting.faults import FAULTS
from apg_engine.measuring.planting.plot import Plot
from apg_engine.measuring.planting.quotes import QUOTES
from apg_engine.measuring.planting.words import AGREEMENTS, ATTRIBUTIONS, BRIDGES, TAILS
from apg_engine.records import Agent, BlockKind, Corpus, ItemKind, Trace
from apg_engine.word_sets import word_set

_WORD = re.compile(r"[^\W_]+")
_INNER_CAPITAL = re.compile(r"(?<=[^\W_] )[A-ZÀ-Þ][^\W_]*")
_PHRASE = re.compile(r"\b[Tt]he ([a-z]{3,}) ([a-z]{4,})\b")
# Not what tells one thing from another of its sort.
_NO_NAME = frozenset({"new", "old", "same", "other", "whole", "next", "last", "only", "main"})
_NO_NOUN = word_set("ought must should cannot will could would might have were needs stays comes")
_FEWEST_WORDS = 5
# So many of the words in common, and two sentences may say the same.
_ALIKE = 0.75
# These go beyond the debate without speaking against it; the other faults do.
_TRUTHS = dict.fromkeys(
    ("modal", "condition", "broadened", "agreement", "bridge"), Truth.NOT_ENOUGH
)
# One sentence in three also gets an invented tail.
_TAIL_EVERY = 3


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
    true = [*bed.quotes(), *bed.attributed()]
    false = [*bed.faults(), *bed.wrong_speakers(), *bed.false_agreements(), *bed.bridges()]
    truths = {planted.text: _TRUTHS.get(planted.kind, Truth.REFUTED) for planted in false}
    # Where a fault and a quote read the same, the debate states it.
    truths |= dict.fromkeys((planted.text for planted in true), Truth.SUPPORTED)
    distinct = {planted.text: planted for planted in [*false, *true]}
    ordered = [distinct.pop(p.text) for p in [*true, *false] if p.text in distinct]
    return tuple(
        bed.case(planted, number, truths[planted.text])
        for number, planted in enumerate(ordered, start=1)
    )


def kinds_of(cases: Sequence[Case]) -> list[str]:
    """List the kinds in the order they were planted: true ones first."""
    return list(dict.fromkeys(case.kind for case in cases))


@dataclass(frozen=True, slots=True)
class _Planted:
    text: str
    kind: str
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
        self._names = frozenset(
            match.group() for s in self._stated for match in _INNER_CAPITAL.finditer(s.text)
        )
        self._rivals = _rivals(self._stated)

    def case(self, planted: _Planted, number: int, truth: Truth) -> Case:
        """Make a case of a planted sentence."""
        return Case(
            id=f"{self._trace.title}: {number}",
            claim=planted.text,
            corpus=self._corpus,
            truth=truth,
            group=f"{self._trace.title}: {planted.source}",
            kind=planted.kind,
        )

    def quotes(self) -> Iterator[_Planted]:
        """Plant what the debate states."""
        for kind, planter in QUOTES.items():
            for stated in self._stated:
                ways = planter(self._plot(stated))
                if ways:
                    yield _Planted(self._dice.choice(ways), kind, stated.address)

    def attributed(self) -> Iterator[_Planted]:
        """Plant `NAME states that ...` with the right name."""
        for stated in self._quotable():
            agent = next(a for a in self._trace.agents if a.id == stated.speaker)
            yield _Planted(self._told_by(agent, stated), "near: attributed", stated.address)

    def faults(self) -> Iterator[_Planted]:
        """Plant a fault of each kind in every sentence that can hold it."""
        for kind, planter in FAULTS.items():
            for stated in self._stated:
                ways = [w for w in planter(self._plot(stated)) if not self._is_stated(w, stated)]
                if ways:
                    yield _Planted(self._dice.choice(ways), kind, stated.address)

    def wrong_speakers(self) -> Iterator[_Planted]:
        """Put right words in the wrong mouth."""
        for stated in self._quotable():
            others = self._silent_on(stated)
            if others:
                text = self._told_by(self._dice.choice(others), stated)
                yield _Planted(text, "speaker", stated.address)

    def false_agreements(self) -> Iterator[_Planted]:
        """Tell one side's claim as everybody's."""
        for stated in self._quotable():
            if self._silent_on(stated):
                frame = self._dice.choice(AGREEMENTS[self._language])
                text = frame.format(self._plot(stated).lowered)
                yield _Planted(text, "agreement", stated.address)

    def bridges(self) -> Iterator[_Planted]:
        """Invent joining sentences, and joining tails to true ones."""
        agents = self._trace.agents
        for frame in BRIDGES[self._language]:
            for one, other in zip(agents, (*agents[1:], *agents[:1]), strict=True):
                text = frame.format(self._named(one), self._named(other))
                yield _Planted(text[:1].upper() + text[1:], "bridge", "bridge")
        for stated in self._stated[::_TAIL_EVERY]:
            tail = self._dice.choice(TAILS[self._language])
            yield _Planted(f"{stated.text.rstrip('.')}{tail}.", "bridge", stated.address)

    def _plot(self, stated: Stated) -> Plot:
        return Plot(stated.text, self._dice, self._language, self._names, self._rivals)

    def _told_by(self, agent: Agent, stated: Stated) -> str:
        frame = self._dice.choice(ATTRIBUTIONS[self._language])
        text = frame.format(self._plot(stated).lowered, self._named(agent))
        return text[:1].upper() + text[1:]

    def _named(self, agent: Agent) -> str:
        article = "the " if self._language == "en" else ""
        return article + agent.name.removeprefix("The ")

    def _quotable(self) -> Iterator[Stated]:
        """Give what parties said that does not name a party: told again it would read oddly."""
        names = [agent.name.removeprefix("The ") for agent in self._trace.agents]
        for stated in self._stated:
            if stated.speaker and not any(name in stated.text for name in names):
                yield stated

    def _silent_on(self, stated: Stated) -> list[Agent]:
        """Give the parties that never say anything like it."""
        words = set(_words(stated.text))
        saying = {other.speaker for other, own in self._said if _alike(words, set(own)) >= _ALIKE}
        return [agent for agent in self._trace.agents if agent.id not in saying]

    def _is_stated(self, text: str, source: Stated) -> bool:
        """Tell whether the debate says the changed sentence after all."""
        words = _words(text)
        plain, own_plain = " ".join(words), " ".join(_words(source.text))
        # A part of the source itself is no quote of it: its condition may have been left out.
        if plain == own_plain or any(
            f" {plain} " in f" {own} " for own in self._plain if own != own_plain
        ):
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


def _rivals(stated: Sequence[Stated]) -> Mapping[str, tuple[str, ...]]:
    """Find phrases that name one sort of thing: clinic crossing, mill crossing, dam crossing."""
    before: dict[str, set[str]] = {}
    for one in stated:
        for word, noun in _PHRASE.findall(one.text):
            if word not in _NO_NAME and noun not in _NO_NOUN and not noun.endswith("ed"):
                before.setdefault(noun, set()).add(f"{word} {noun}")
    return {
        phrase: tuple(sorted(phrases - {phrase}))
        for _, phrases in sorted(before.items())
        for phrase in sorted(phrases)
        if len(phrases) > 1
    }


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _alike(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)

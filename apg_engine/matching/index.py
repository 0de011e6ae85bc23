"""The corpus sentence by sentence, in normal form, with an index from words to sentences."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from apg_engine.matching.lexicon import DATES, LIGHT, MEASURES, NEGATIONS, QUANTIFIERS, STOPWORDS
from apg_engine.matching.names import NameFinder
from apg_engine.matching.tokens import Token, stem, stems_of, tokens_of
from apg_engine.records import Corpus, CorpusItem, ItemKind

_LIGHT_STEMS = frozenset(map(stem, LIGHT))
_STOP_STEMS = frozenset(map(stem, STOPWORDS))
_SAYING = frozenset(map(stem, NEGATIONS | QUANTIFIERS | MEASURES | DATES))
# A word in more sentences than this says little about which one is meant.
_COMMON = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One sentence of the corpus: its address, its text and its words in normal form."""

    address: str
    item: CorpusItem
    start: int
    end: int
    text: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """A corpus sentence near a claim: share of the claim's weight and of its own covered."""

    unit: Unit
    of_claim: float
    of_unit: float


def words_in(text: str) -> list[str]:
    """Give the stems that count in a comparison."""
    return [word for word in stems_of(text) if word not in _LIGHT_STEMS]


def words_of(text: str) -> list[tuple[str, Token]]:
    """Give the stems that count in a comparison, each with its token."""
    paired = ((stem(token.norm), token) for token in tokens_of(text))
    return [(word, token) for word, token in paired if word not in _LIGHT_STEMS]


def content_of(words: Iterable[str]) -> frozenset[str]:
    """Keep the words that carry content; numbers and times are kept apart and left out here."""
    return frozenset(word for word in words if word not in _STOP_STEMS and word[0] not in "#@")


def _subject_of(words: Iterable[str]) -> frozenset[str]:
    """What a sentence is about, without negations, quantifiers, units and dates."""
    return content_of(words) - _SAYING


class CorpusIndex:
    """Looks corpus sentences up by their words. Build it once per corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.units = tuple(_units(corpus))
        self._postings: dict[str, list[int]] = {}
        self._contents: dict[tuple[str, ...], frozenset[str]] = {}
        self._subjects: dict[tuple[str, ...], tuple[frozenset[str], float]] = {}
        self._sets: dict[str, frozenset[int]] = {}
        self._weights: dict[str, float] = {}
        # What `statements` looked up, kept as long as the index itself.
        self.memo: dict[tuple[str, tuple[str, ...]], tuple[Unit, ...]] = {}
        self._of_item: dict[str, list[Unit]] = {}
        for number, unit in enumerate(self.units):
            self._of_item.setdefault(unit.item.address, []).append(unit)
            for word in set(unit.words):
                self._postings.setdefault(word, []).append(number)

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """Ids of the parties that say something in public, in the order of the agents."""
        spoken = {item.speaker for item in self.corpus.items if item.kind is ItemKind.TURN}
        return tuple(agent.id for agent in self.corpus.agents if agent.id in spoken)

    @cached_property
    def names(self) -> NameFinder:
        """Finds the names of the agents in texts."""
        return NameFinder(agent.name for agent in self.corpus.agents)

    @cached_property
    def ids_of(self) -> Mapping[str, frozenset[str]]:
        """The ids of the agents by their names, of which two may be the same."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for agent in self.corpus.agents:
            found[agent.name].add(agent.id)
        return {name: frozenset(ids) for name, ids in found.items()}

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of all sentences, in the order of the corpus."""
        return tuple(unit.address for unit in self.units)

    def of_item(self, item: CorpusItem) -> Sequence[Unit]:
        """Give the sentences of one item."""
        return self._of_item.get(item.address, ())

    def touching(self, words: Iterable[str]) -> list[Unit]:
        """Give the sentences that hold any of the words, in the order of the corpus."""
        numbers = {n for word in words for n in self._postings.get(word, ())}
        return [self.units[number] for number in sorted(numbers)]

    def before(self, word: str) -> frozenset[str]:
        """Give the words of content that stand right before a word somewhere in the record."""
        return self._befores.get(word, frozenset())

    @cached_property
    def _befores(self) -> dict[str, frozenset[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for unit in self.units:
            for one, other in pairwise(unit.words):
                if one not in _STOP_STEMS and one[0] not in "#@":
                    found[other].add(one)
        return {word: frozenset(words) for word, words in found.items()}

    def spoken_by(self, agent: str) -> Sequence[Unit]:
        """Give what a party said in public, in the order of the corpus."""
        return self._spoken.get(agent, ())

    @cached_property
    def _spoken(self) -> dict[str, list[Unit]]:
        spoken: dict[str, list[Unit]] = {}
        for unit in self.units:
            if is_public_turn(unit):
                spoken.setdefault(unit.item.speaker, []).append(unit)
        return spoken

    def holding(self, words: Iterable[str]) -> list[Unit]:
        """Give the sentences that hold every one of the words, strongest kind first."""
        rarest = sorted(dict.fromkeys(words), key=self._frequency)[:4]
        if not rarest:
            return []
        numbers: Iterable[int] = self._postings.get(rarest[0], ())
        for word in rarest[1:]:
            numbers = self._members(word).intersection(numbers)
        found = [self.units[number] for number in sorted(numbers)]
        return sorted(found, key=lambda unit: unit.item.kind.rank)

    def _members(self, word: str) -> frozenset[int]:
        """Which sentences hold a word, as a set; made when first asked for."""
        found = self._sets.get(word)
        if found is None:
            found = self._sets[word] = frozenset(self._postings.get(word, ()))
        return found

    def content(self, unit: Unit) -> frozenset[str]:
        """Give the content words of a sentence, worked out once."""
        found = self._contents.get(unit.words)
        if found is None:
            found = self._contents[unit.words] = content_of(unit.words)
        return found

    def alike(self, words: Iterable[str], *, share: float = 0.8) -> list[Unit]:
        """Give the sentences that may have `share` of their content words in common with these.

        A sentence that shares so much must hold one of the rarest words; only these are looked up.
        """
        rarest = self._rarest(words, share)
        numbers = sorted({n for word in rarest for n in self._postings.get(word, ())})
        return [self.units[number] for number in numbers]

    def alike_at_most(self, words: Iterable[str], *, share: float) -> int:
        """Tell how many sentences `alike` would give at most, without looking them up."""
        return sum(map(self._frequency, self._rarest(words, share)))

    def _rarest(self, words: Iterable[str], share: float) -> list[str]:
        content = sorted(content_of(words), key=lambda word: (self._frequency(word), word))
        return content[: int((1 - share) * len(content) + 1e-9) + 1]

    def near(self, words: Iterable[str], *, limit: int = 12) -> list[Near]:
        """Give the sentences nearest in content, best first; weights favour rare words."""
        content = _subject_of(words)
        whole = self._weight(content)
        found = []
        for place, number in enumerate(self._sharing_most(content, 8 * limit)):
            unit = self.units[number]
            near = self._nearness(content, whole, unit)
            found.append((-near.of_claim, -near.of_unit, unit.item.kind.rank, place, near))
        return [last for *_, last in sorted(found)[:limit]]

    def _sharing_most(self, content: Iterable[str], most: int) -> list[int]:
        """Numbers of the sentences that share most words, the more the earlier in the list."""
        postings = (self._postings.get(word, ()) for word in content)
        counted = Counter(chain.from_iterable(p for p in postings if len(p) <= _COMMON))
        by_count: defaultdict[int, list[int]] = defaultdict(list)
        for number, count in counted.items():
            by_count[count].append(number)
        found: list[int] = []
        for count in sorted(by_count, reverse=True):
            if len(found) < most:
                found += heapq.nsmallest(most - len(found), by_count[count])
        return found

    def nearness(self, words: Iterable[str], unit: Unit) -> Near:
        """Tell how near one sentence of the corpus is to a claim's words."""
        content = _subject_of(words)
        return self._nearness(content, self._weight(content), unit)

    def _nearness(self, content: frozenset[str], whole: float, unit: Unit) -> Near:
        own, weight = self._subject(unit)
        shared = self._weight(content & own)
        return Near(unit, _share(shared, whole), _share(shared, weight))

    def _subject(self, unit: Unit) -> tuple[frozenset[str], float]:
        """What a sentence is about and the weight of that, worked out once per wording."""
        found = self._subjects.get(unit.words)
        if found is None:
            own = _subject_of(unit.words)
            found = self._subjects[unit.words] = own, self._weight(own)
        return found

    def _frequency(self, word: str) -> int:
        return len(self._postings.get(word, ()))

    def _weight(self, words: Iterable[str]) -> float:
        # fsum: a plain sum depends on the order in which a set is walked.
        return math.fsum(map(self._word_weight, words))

    def _word_weight(self, word: str) -> float:
        weight = self._weights.get(word)
        if weight is None:
            total = len(self.units) + 1
            weight = self._weights[word] = math.log(total / (self._frequency(word) + 0.5)) + 0.1
        return weight


@lru_cache(maxsize=2)
def index_of(corpus: Corpus) -> CorpusIndex:
    """Give the index of a corpus, built once; the last two are kept."""
    return CorpusIndex(corpus)


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _units(corpus: Corpus) -> Iterator[Unit]:
    for item in corpus.items:
        for ordinal, segment in enumerate(item.segments, start=1):
            text = item.text[segment.start : segment.end]
            words = tuple(words_in(text))
            if words:
                address = f"{item.address}.{ordinal}"
                yield Unit(address, item, segment.start, segment.end, text, words)


def is_public_turn(unit: Unit) -> bool:
    """Tell whether a sentence was said in public by a party."""
    return unit.item.kind is ItemKind.TURN

"""Private text that stands in a public turn: found by shared word sequences, told as warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from apg_engine.records import Turn

SHARED_WORDS = 6
LEAST_WORDS = 3
NAMES_OF_ONE_PHRASE = 3
STRATEGY_TAG = "cfr_turn_strategy"
_WORD = re.compile(r"\w+")
_TITLE = re.compile(r"([A-Z][\w'-]*(?: [\w'-]+){1,7}):\s")


@dataclass(frozen=True, slots=True)
class PrivateText:
    """Something only its owner should know, and the name a warning gives it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Word sequences to look for, each with the names of the private texts that hold it."""

    names: dict[str, list[str]] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)

    def add(self, words: Sequence[str], name: str) -> None:
        names = self.names.setdefault(" ".join(words), [])
        self.lengths.add(len(words))
        if name not in names and len(names) < NAMES_OF_ONE_PHRASE:
            names.append(name)

    def forget(self, words: Sequence[str]) -> None:
        """Drop what these words hold too: it is no secret."""
        for length in self.lengths:
            for start in range(len(words) - length + 1):
                self.names.pop(" ".join(words[start : start + length]), None)

    def found_in(self, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Every (name, phrase) the words hold, longer phrases first."""
        for length in sorted(self.lengths, reverse=True):
            for start in range(len(words) - length + 1):
                phrase = " ".join(words[start : start + length])
                for name in self.names.get(phrase, ()):
                    yield name, phrase


def leak_warnings(
    turns: Iterable[Turn], private_texts: Iterable[PrivateText], *, public: Iterable[str] = ()
) -> tuple[str, ...]:
    """Say which public turns quote a private text, once for each turn and text.

    A quotation is a run of six words in common, the whole of a shorter private text of at least
    three words, or the title in front of a private text's colon. A turn that names the tag under
    which strategies are handed to a module gives away that it had one. What stands in a text of
    `public` as well is no secret.
    """
    distinct = {text.text: text for text in reversed(list(private_texts))}
    runs, titles = _Phrases(), _Phrases()
    for text in reversed(distinct.values()):
        for run in _runs(text.text):
            runs.add(run, text.name)
        if match := _TITLE.match(text.text):
            titles.add(_WORD.findall(match.group(1)), text.name)
    for known in public:
        runs.forget(_WORD.findall(known.casefold()))
    return tuple(warning for turn in turns for warning in _leaks_of(turn, runs, titles))


def _leaks_of(turn: Turn, runs: _Phrases, titles: _Phrases) -> Iterator[str]:
    if STRATEGY_TAG in turn.text:
        yield f"turn {turn.number} names the private strategy tag in public"
    quotes: dict[str, str] = {}
    # A title is a name, so its capitals count.
    for name, phrase in titles.found_in(_WORD.findall(turn.text)):
        quotes.setdefault(name, phrase)
    for name, phrase in runs.found_in(_WORD.findall(turn.text.casefold())):
        quotes.setdefault(name, phrase)
    for name, quote in quotes.items():
        yield f"turn {turn.number} quotes {name} in public: {quote!r}"


def _runs(text: str) -> Iterator[list[str]]:
    words = _WORD.findall(text.casefold())
    length = min(SHARED_WORDS, len(words))
    if length >= LEAST_WORDS:
        for start in range(len(words) - length + 1):
            yield words[start : start + length]

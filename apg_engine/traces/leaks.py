"""Private text that stands in a public turn: found by shared word sequences, told as warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apg_engine.records import Turn

SHARED_WORDS = 6
STRATEGY_TAG = "cfr_turn_strategy"
_WORD = re.compile(r"\w+")
_TITLE = re.compile(r"([A-Z][\w'-]*(?: [\w'-]+){1,7}):\s")


@dataclass(frozen=True, slots=True)
class PrivateText:
    """Something only its owner should know, and the name a warning gives it."""

    name: str
    text: str


def leak_warnings(turns: Iterable[Turn], private_texts: Iterable[PrivateText]) -> tuple[str, ...]:
    """Say which public turns quote a private text, once for each turn and text.

    A quotation is a run of six words in common, the whole of a shorter private text of at least
    three words, or the title in front of a private text's colon. A turn that names the tag under
    which strategies are handed to a module gives away that it had one.
    """
    known = tuple(private_texts)
    index = _word_runs(known)
    titles = {match.group(1): text.name for text in known if (match := _TITLE.match(text.text))}
    return tuple(
        warning for turn in turns for warning in _leaks_of(turn, index=index, titles=titles)
    )


def _leaks_of(turn: Turn, *, index: dict[str, list[str]], titles: dict[str, str]) -> Iterator[str]:
    if STRATEGY_TAG in turn.text:
        yield f"turn {turn.number} names the private strategy tag in public"
    quotes = {name: title for title, name in titles.items() if title in turn.text}
    words = _words(turn.text)
    for length in sorted({len(run.split()) for run in index}, reverse=True):
        for start in range(len(words) - length + 1):
            run = " ".join(words[start : start + length])
            for name in index.get(run, ()):
                quotes.setdefault(name, run)
    for name, quote in quotes.items():
        yield f"turn {turn.number} quotes {name} in public: {quote!r}"


def _word_runs(texts: Iterable[PrivateText]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for text in texts:
        words = _words(text.text)
        length = min(SHARED_WORDS, len(words))
        if length < 3:
            continue
        for start in range(len(words) - length + 1):
            names = index.setdefault(" ".join(words[start : start + length]), [])
            if text.name not in names:
                names.append(text.name)
    return index


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())

"""Where texts call parties by name; each text is read once, however many parties there are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_WORDS = re.compile(r"\w+")
_DOTLESS = str.maketrans({"\u0131": "i", "\u0130": "i", "\u0307": None})
_ARTICLE = re.compile(r"\bthe \Z", re.IGNORECASE)
_ARTICLE_MOST = len("_the ")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, and whether an article stands before it."""

    name: str
    has_article: bool


class NameFinder:
    """Finds names in texts, as whole words and in any case; a name without a word is not found."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_words: defaultdict[tuple[str, ...], list[_Pattern]] = defaultdict(list)
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)
        for name in dict.fromkeys(names):
            words = _folded_words(name)
            if words:
                self._by_words[words].append(_Pattern(name))
                self._lengths[words[0]].add(len(words))

    def mentions(self, text: str) -> Iterator[Mention]:
        """Give each mention of a name, in the order of the text."""
        words = _folded_words(text)
        for place, word in enumerate(_WORDS.finditer(text)):
            for length in self._lengths.get(words[place], ()):
                for pattern in self._by_words.get(words[place : place + length], ()):
                    start = pattern.start(text, word.start())
                    if start is not None:
                        yield Mention(pattern.name, _has_article(text, start))


class _Pattern:
    """A name, looked for where its first word stands; what is before that word belongs to it."""

    def __init__(self, name: str) -> None:
        first = _WORDS.search(name)
        self.name = name
        self._before = first.start() if first else 0
        self._found = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)

    def start(self, text: str, word: int) -> int | None:
        """Give where the name begins if its first word is at `word`; None if it is not there."""
        at = word - self._before
        return at if at >= 0 and self._found.match(text, at) else None


def _has_article(text: str, start: int) -> bool:
    return _ARTICLE.search(text[max(0, start - _ARTICLE_MOST) : start]) is not None


def _folded_words(text: str) -> tuple[str, ...]:
    """The words as a pattern that ignores case compares them: it takes a dotless i for an i."""
    return tuple(word.casefold().translate(_DOTLESS) for word in _WORDS.findall(text))

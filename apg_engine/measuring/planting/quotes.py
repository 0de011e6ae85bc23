"""The other side of the ledger: sentences the debate does state, verbatim or nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apg_engine.measuring.planting.plot import Planter, Plot
from apg_engine.measuring.planting.words import CONNECTIVES, DROPPED

_SPELLED = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "12": "twelve",
}  # fmt: skip
_SHORT = {
    "cannot": "can't", "does not": "doesn't", "do not": "don't", "is not": "isn't",
    "are not": "aren't", "has not": "hasn't", "must not": "mustn't", "will not": "won't",
}  # fmt: skip
_LONGEST_DROP = 9


def quote(plot: Plot) -> list[str]:
    """Give the sentence as it stands."""
    return [plot.text]


def typography(plot: Plot) -> list[str]:
    """Change quotes, dashes, spaces, capitals or marks, but no word."""
    text = plot.text
    ways = [
        text.replace("'", "\u2019").replace(" - ", " \u2013 ").replace("-", "\u2011"),
        text.replace(" ", "  ", 2),
        f"**{text}**",
        f"{text.rstrip('.')}!",
        text[:1].lower() + text[1:],
        f"\u201c{text}\u201d",
    ]
    return [way for way in ways if way != text]


def connective(plot: Plot) -> list[str]:
    """Put a linking word in front."""
    return [plot.dice.choice(CONNECTIVES[plot.language]) + plot.lowered]


def respelled(plot: Plot) -> list[str]:
    """Write a number or a negation the other way."""
    return [*_renumbered(plot), *_contracted(plot.text)]


def shortened(plot: Plot) -> list[str]:
    """Leave out one word that carries nothing."""
    found = []
    for word in DROPPED:
        pattern = re.compile(rf"(?<=\w) {word}(?= \w)")
        if len(plot.text.split()) >= _LONGEST_DROP and pattern.search(plot.text):
            found.append(pattern.sub("", plot.text, count=1))
    return found


QUOTES: Mapping[str, Planter] = {
    "quote": quote,
    "near: typography": typography,
    "near: connective": connective,
    "near: respelled": respelled,
    "near: shortened": shortened,
}


def _renumbered(plot: Plot) -> Iterator[str]:
    if re.search(r"\d,\d{3}", plot.text):
        yield re.sub(r"(\d),(\d{3})", r"\1\2", plot.text)
    for digits, word in _SPELLED.items() if plot.language == "en" else ():
        number = re.compile(rf"(?<![\d.,:]){digits}(?![\d.,:]|\w)")
        if number.search(plot.text):
            yield number.sub(word, plot.text, count=1)
        if re.search(rf"\b{word}\b", plot.text):
            yield re.sub(rf"\b{word}\b", digits, plot.text, count=1)


def _contracted(text: str) -> Iterator[str]:
    for long, short in _SHORT.items():
        if long in text:
            yield text.replace(long, short, 1)

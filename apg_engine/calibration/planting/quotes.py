"""The other side of the ledger: sentences the debate does state, verbatim or nearly so."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from apg_engine.calibration.planting.faults import Planter, lowered
from apg_engine.calibration.planting.words import CONNECTIVES, DROPPED

_SPELLED = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "10": "ten", "12": "twelve",
}  # fmt: skip
_SHORT = {
    "cannot": "can't", "does not": "doesn't", "do not": "don't", "is not": "isn't",
    "are not": "aren't", "has not": "hasn't", "must not": "mustn't", "will not": "won't",
}  # fmt: skip


def quote(text: str, language: str, dice: random.Random) -> list[str]:
    """Give the sentence as it stands."""
    return [text]


def typography(text: str, language: str, dice: random.Random) -> list[str]:
    """Change quotes, dashes, spaces, capitals or marks, but no word."""
    ways = [
        text.replace("'", "’").replace(" - ", " – ").replace("-", "\u2011"),
        text.replace(" ", "  ", 2),
        f"**{text}**",
        text.rstrip(".") + "!" if text.endswith(".") else text,
        text[:1].lower() + text[1:],
        f"“{text}”",
    ]
    return [way for way in ways if way != text]


def connective(text: str, language: str, dice: random.Random) -> list[str]:
    """Put a linking word in front."""
    return [dice.choice(CONNECTIVES[language]) + lowered(text)]


def respelled(text: str, language: str, dice: random.Random) -> list[str]:
    """Write a number or a negation the other way."""
    found = []
    for digits, word in _SPELLED.items():
        pattern = re.compile(rf"(?<![\d.,:]){digits}(?![\d.,:]|\w)")
        if language == "en" and pattern.search(text):
            found.append(pattern.sub(word, text, count=1))
        if language == "en" and re.search(rf"\b{word}\b", text):
            found.append(re.sub(rf"\b{word}\b", digits, text, count=1))
    found += [text.replace(long, short, 1) for long, short in _SHORT.items() if long in text]
    found += [re.sub(r"(\d),(\d{3})", r"\1\2", text)] if re.search(r"\d,\d{3}", text) else []
    return found


def shortened(text: str, language: str, dice: random.Random) -> list[str]:
    """Leave out one word that carries nothing."""
    found = []
    for word in DROPPED:
        pattern = re.compile(rf"(?<=\w) {word}(?= \w)")
        if len(text.split()) >= 9 and pattern.search(text):
            found.append(pattern.sub("", text, count=1))
    return found


QUOTES: Mapping[str, Planter] = {
    "quote": quote,
    "near: typography": typography,
    "near: connective": connective,
    "near: respelled": respelled,
    "near: shortened": shortened,
}

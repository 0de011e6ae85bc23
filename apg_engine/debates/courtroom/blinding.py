"""Hiding from a judge which side said what, without touching the words of an exhibit."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from apg_engine.debates.material import Piece

_SIDES: Final = re.compile(r"\b(plaintiff|defendant|defen[sc]e)(s?)\b", re.IGNORECASE)
_WORD: Final = re.compile(r"\w+")
# "immune defense" is no party; "the defense", "defense counsel" and a capital D are.
_ADDRESSED: Final = re.compile(
    r"\b(?:the|this|that|my|our|your|opposing|learned|counsel for|for|as|by) *\Z", re.IGNORECASE
)
_ACTING: Final = re.compile(
    r"(?:['\u2019]s\b|\W+(?:counsel|team|side|argu|claim|say|said|content|insist|cit|has|is|must))",
    re.IGNORECASE,
)
_WORDS_AROUND: Final = 2


@dataclass(frozen=True, slots=True)
class Blinding:
    """How one judge is told the sides: `Side 1` and `Side 2` by the names of the parties."""

    labels: dict[str, str]
    exhibits: tuple[str, ...]

    def hidden(self, piece: Piece) -> Piece:
        """Give a turn with the sides' names replaced, where they name a side."""
        speaker = _SIDES.sub(lambda match: self.labels[_party(match[1])], piece.speaker)
        return replace(piece, speaker=speaker, text=self._told(piece.text))

    def _told(self, text: str) -> str:
        def label(match: re.Match[str]) -> str:
            is_side = self._is_side(match, text[: match.start()], text[match.end() :])
            return self.labels[_party(match[1])] if is_side else match[0]

        return _SIDES.sub(label, text)

    def _is_side(self, match: re.Match[str], before: str, after: str) -> bool:
        if self._is_quoted(match[0], before, after):
            return False
        if _party(match[1]) == "plaintiff" or match[1].lower() == "defendant":
            return True
        return (
            match[0][0].isupper() or bool(_ADDRESSED.search(before)) or bool(_ACTING.match(after))
        )

    def _is_quoted(self, word: str, before: str, after: str) -> bool:
        """Tell whether the word stands so in an exhibit, with the words around it."""
        ahead = _WORD.findall(re.split(r"[\[\]]", before)[-1])[-_WORDS_AROUND:]
        behind = _WORD.findall(re.split(r"[\[\]]", after)[0])[:_WORDS_AROUND]
        if len(ahead) + len(behind) < _WORDS_AROUND:
            return False
        phrase = " ".join([*ahead, word, *behind]).lower()
        return any(f" {phrase} " in exhibit for exhibit in self.exhibits)


def blinding_of(judge: str, *, seed: int, exchanged: bool, exhibits: Sequence[Piece]) -> Blinding:
    """Draw for a judge which side is called the first.

    Args:
        judge: whose order is drawn.
        seed: of the trial.
        exchanged: gives the names the other way round.
        exhibits: whose words are left as they are.
    """
    names = ["plaintiff", "defense"]
    random.Random(f"{seed} {judge}").shuffle(names)  # noqa: S311 (an order, no secret)
    if exchanged:
        names.reverse()
    labels = {name: f"Side {number}" for number, name in enumerate(names, start=1)}
    words = (" ".join(_WORD.findall(piece.text)).lower() for piece in exhibits)
    return Blinding(labels, tuple(f" {one} " for one in words))


def _party(word: str) -> str:
    return "plaintiff" if word.lower() == "plaintiff" else "defense"

"""One sentence with what planting has to know about the debate around it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Plot:
    """A sentence, ready for planting.

    Attributes:
        text: the sentence as the debate has it.
        dice: chooses among the ways to change it.
        language: en or pl.
        names: words that keep their capital inside a sentence.
        rivals: phrases with the phrases that stand in their place elsewhere.
    """

    text: str
    dice: random.Random
    language: str = "en"
    names: frozenset[str] = frozenset()
    rivals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def lowered(self) -> str:
        """The sentence as it stands behind `that`: small initial, unless a name comes first."""
        first = self.text.split(maxsplit=1)[0].rstrip(",")
        return self.text if first in self.names else self.text[:1].lower() + self.text[1:]


Planter = Callable[[Plot], list[str]]

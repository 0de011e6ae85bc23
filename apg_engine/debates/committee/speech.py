"""The rule-based debater's own sentences, and the dice that vary them."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib.resources import files
from typing import Any

from apg_engine.debates.committee.view import View
from apg_engine.reading.phrases import capital


class Speech:
    """Fills patterns for one turn; equal seeds and turns give equal wordings.

    Args:
        view: whose turn it is.
        step: what the wording is for, so that plan and turn draw apart.
        heard: what was said before; a sentence of it is said again only where nothing else is left.
    """

    def __init__(self, view: View, step: str, heard: str = "") -> None:
        self._heard = heard
        self._view = view
        share = view.scenario.share_of(view.party.id)
        self._load = share.load
        # Endings of a verb behind the module's own load: they need, it needs; they do, it does.
        self._endings = {"s": "", "es": ""} if share.is_plural else {"s": "s", "es": "es"}
        self._dice = random.Random(  # noqa: S311 (wordings, no secret)
            f"{view.seed}:{view.scenario.id}:{view.party.id}:{view.turn}:{step}"
        )

    def line(self, kind: str, *, inner: str = "", **slots: str) -> str:
        """Give one sentence of a kind; `inner` picks a list within it."""
        patterns = _patterns()[kind]
        choices = patterns[inner] if inner else patterns
        filled = [self._filled(choice, slots) for choice in choices]
        fresh = [line for line in filled if line not in self._heard]
        return self._dice.choice(fresh or filled)

    def fixed(self, kind: str, **slots: str) -> str:
        """Give the one sentence of a kind, which every module says in the same words."""
        return self._filled(_patterns()[kind], slots)

    def amount(self, number: int) -> str:
        """Write an amount with its unit."""
        return f"{number} {self._view.scenario.unit}"

    def _filled(self, pattern: str, slots: dict[str, str]) -> str:
        given = {"name": self._view.party.name, "load": self._load, **self._endings, **slots}
        return capital(pattern.format(**given, Load=capital(given["load"])))


@cache
def _patterns() -> dict[str, Any]:
    path = files("apg_engine").joinpath("debates", "committee", "offline_speech.json")
    patterns: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return patterns

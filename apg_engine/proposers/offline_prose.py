"""The offline proposer's own sentences: what a smooth writer adds and no trace states."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentence patterns of one language; a run picks one of each by its corpus hash.

    Openers, reviews and closers come in two halves: one for debates that share a recommendation
    and one for those that do not, so that a reader of both does not meet a sentence twice.

    Slots: {parties} all parties' names, {total} what there is to share, {l0} {l1} {l2} what the
    parties speak for, {every} how often, {inner} a sentence of the record.
    """

    openers: tuple[str, ...]
    plans: tuple[str, ...]
    plans_without_loads: tuple[str, ...]
    bridges: tuple[str, ...]
    bridges_without_loads: tuple[str, ...]
    reviews: tuple[str, ...]
    closers: tuple[str, ...]
    compromises: tuple[str, ...]
    compromises_without_loads: tuple[str, ...]
    agreement: str
    reports: tuple[str, ...]
    verbs: tuple[tuple[str, str], ...]
    total: str
    no_total: str
    every: str
    no_every: str
    all_parties: str
    joint: str


@cache
def prose_load(language: str) -> Prose:
    """Read the patterns of a language, `en` or `pl`."""
    name = f"offline_prose.{language}.json"
    data = json.loads(files("apg_engine").joinpath("proposers", name).read_text("utf-8"))
    return Prose(**{key: _frozen(value) for key, value in data.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(inner) for inner in value) if isinstance(value, list) else value

"""What of the record a prompt shows: all of it, or, where a context is too small, what ranks first.

The rule: sentences are taken by the rank of their kind (context, shocks, turns, then axioms and
documents, then private traces) and, within a kind, by how near they are to what is asked about,
until the room is full. What is shown stands in the order of the record. What is left out is
recorded with the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from apg_engine.journal import CallLedger
from apg_engine.matching.index import CorpusIndex, index_of, words_in
from apg_engine.prompting import evidence_lines, evidence_rows, json_lines
from apg_engine.records import Corpus

# Fewer characters than any common tokeniser packs into a token of plain prose on average.
CHARACTERS_PER_TOKEN = 3
NO_ROOM = "the model's context has no room for a single sentence of the record"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The lines of a prompt, and the addresses it has no room for; no lines if nothing fits."""

    lines: str
    left_out: tuple[str, ...]


def evidence_fit(corpus: Corpus, *, room: int | None, about: Sequence[str]) -> Evidence:
    """Choose the sentences a prompt shows.

    Args:
        corpus: the whole record.
        room: characters there are for it; None where the context is not known to be limited.
        about: the texts that are asked about.
    """
    whole = _whole(corpus)
    if room is None or len(whole) <= room:
        return Evidence(whole, ())
    rows = list(evidence_rows(corpus))
    lengths = [len(json_lines([row])) + 1 for row in rows]
    shown: set[int] = set()
    for place in _ranked(index_of(corpus), [row["address"] for row in rows], about):
        if lengths[place] > room:
            break
        room -= lengths[place]
        shown.add(place)
    kept = [row for place, row in enumerate(rows) if place in shown]
    absent = [row["address"] for place, row in enumerate(rows) if place not in shown]
    return Evidence(json_lines(kept), tuple(absent))


def room_for(context_tokens: int, *, reply_tokens: int, others: int) -> int | None:
    """Count the characters a context leaves for the record; None where its size is not known.

    Args:
        context_tokens: tokens the model reads and writes in one call; 0 if unknown.
        reply_tokens: tokens kept for the answer.
        others: characters of the rest of the prompt.
    """
    if not context_tokens:
        return None
    return CHARACTERS_PER_TOKEN * (context_tokens - reply_tokens) - others


def left_out_note(calls: CallLedger, role: str, evidence: Evidence) -> None:
    """Record what a role was not shown."""
    if evidence.left_out:
        calls.left_out.setdefault(role, set()).update(evidence.left_out)


@lru_cache(maxsize=2)
def _whole(corpus: Corpus) -> str:
    return evidence_lines(corpus)


def _ranked(index: CorpusIndex, addresses: Sequence[str], about: Sequence[str]) -> list[int]:
    near: dict[str, float] = {}
    for text in about:
        for found in index.near(words_in(text), limit=200):
            address = found.unit.address
            near[address] = max(near.get(address, 0.0), found.of_claim)
    ranks = {item.address: item.kind.rank for item in index.corpus.items}

    def order(place: int) -> tuple[int, float, int]:
        address = addresses[place]
        return ranks[address.partition(".")[0]], -near.get(address, 0.0), place

    return sorted(range(len(addresses)), key=order)

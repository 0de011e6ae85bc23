"""How fast does the ladder audit, and does time grow linearly?

`python -m benchmarks.ladder_throughput` audits sentences against a corpus of 300 items, and 1, 2
and 4 times as many. The aim is printed beside what was measured; nothing is asserted. Whole runs:
`python -m benchmarks.gate_scaling`.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Sequence
from itertools import accumulate

from apg_engine import (
    Agent,
    Document,
    MemoryJournal,
    Sentence,
    SentenceKind,
    Source,
    Trace,
    Turn,
)
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.journal import CallLedger
from apg_engine.matching.index import index_of
from apg_engine.measuring.cases import trace_corpus
from apg_engine.records import Corpus
from benchmarks.tables import line_print, table_print

SENTENCES_PER_ITEM = 5
_ITEMS = 300
_AIM_RATE = 2_000
_AGENTS = (
    Agent("water", "Water Board", "keep the pumping stations running"),
    Agent("clinic", "Clinic Trust", "keep the clinics running"),
    Agent("roads", "Road Office", "keep the roads open"),
)
_SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "mi", "na", "pe", "ro", "su", "te", "vo", "wa")
# Some words are in many sentences and most are in few, as in any language.
_NOUNS = [a + b + c + d for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES for d in "nr"]
_WEIGHTS = list(accumulate(1 / rank for rank in range(1, len(_NOUNS) + 1)))
# A longer text has more words, by about the root of its length (Heaps' law).
_WORDS_PER_ROOT = 12
_VERBS = ("draws", "needs", "receives", "loses", "stores")
_UNITS = ("MW", "hours", "litres", "metres", "beds")
_PLAN = (
    "The board should give 24 MW to the pump of the valley and 16 MW to the clinic of the ridge."
)


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    _rate_print(options.sentences, options.seed)
    _growth_print(options.sentences, options.seed)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ladder_throughput", description=__doc__
    )
    parser.add_argument("--sentences", type=int, default=5_000, help="to audit (5000)")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _rate_print(count: int, seed: int) -> None:
    dice = random.Random(seed)
    corpus = trace_corpus(trace_made(_ITEMS, dice))
    started = time.process_time()
    index_of(corpus)
    built = time.process_time() - started
    seconds = _audit_seconds(corpus, sentences_made(corpus, count, dice))
    line_print(
        f"{count} sentences against {len(corpus.items)} items "
        f"({sum(len(item.segments) for item in corpus.items)} sentences): "
        f"{count / seconds:,.0f} a second of one core (aim {_AIM_RATE:,}); "
        f"index built once in {built:.2f} s"
    )


def _growth_print(count: int, seed: int) -> None:
    dice = random.Random(seed)
    corpus = trace_corpus(trace_made(_ITEMS, dice))
    sentences = sentences_made(corpus, count, dice)
    index_of(corpus)
    timed = [(n, _audit_seconds(corpus, sentences[: n * count // 4])) for n in (1, 2, 4)]
    first = timed[0][1]
    line_print()
    table_print(
        ("sentences", "seconds", "against 1x", "linear would be"),
        [
            (f"{n}x = {n * count // 4}", f"{seconds:.2f}", f"{seconds / first:.2f}", f"{n:.2f}")
            for n, seconds in timed
        ],
    )
    line_print()


def trace_made(items: int, dice: random.Random) -> Trace:
    """Make a debate with so many turns, each of a few sentences with numbers and units."""
    words = int(_WORDS_PER_ROOT * math.sqrt(items * SENTENCES_PER_ITEM))
    turns = tuple(
        Turn(
            n,
            _AGENTS[n % 3].id,
            " ".join([*_said(dice, words), *([_PLAN] if n > items - 3 else [])]),
        )
        for n in range(1, items)
    )
    return Trace(
        title="A debate made for measuring",
        language="en",
        crisis_context="Only 40 MW of power remain in the valley until Friday.",
        question="How should the 40 MW be shared?",
        agents=_AGENTS,
        turns=turns,
        documents=(Document("d1", "document", "The cable of the ridge carries 40 MW."),),
        shocks=(),
        conflict_level="",
        source=Source("made", "made.json", "0" * 64),
    )


def sentences_made(corpus: Corpus, count: int, dice: random.Random) -> list[Sentence]:
    """Make sentences to audit: quotes, changed numbers and inventions, a third each."""
    held = [item.text[s.start : s.end] for item in corpus.items for s in item.segments]
    texts = []
    for number in range(count):
        text = dice.choice(held)
        if number % 3 == 1:
            text = "".join(str(dice.randint(1, 9)) if c.isdigit() else c for c in text)
        elif number % 3 == 2:
            one, other = _nouns(dice, 2, len(held))
            text = f"A fair plan for the {one} serves the {other}."
        texts.append(text)
    return [Sentence(f"s{n}", t, 0, len(t), SentenceKind.CLAIM) for n, t in enumerate(texts, 1)]


def _said(dice: random.Random, words: int) -> list[str]:
    return [_sentence(_nouns(dice, 4, words), dice) for _ in range(SENTENCES_PER_ITEM)]


def _sentence(nouns: Sequence[str], dice: random.Random) -> str:
    a, b, c, d = nouns
    return (
        f"The {a} of the {b} {dice.choice(_VERBS)} {dice.randint(2, 900)} {dice.choice(_UNITS)} "
        f"before the {c} of the {d} can open for {dice.randint(2, 90)} days."
    )


def _nouns(dice: random.Random, count: int, words: int) -> list[str]:
    known = min(words, len(_NOUNS))
    return dice.choices(_NOUNS[:known], cum_weights=_WEIGHTS[:known], k=count)


def _audit_seconds(corpus: Corpus, sentences: Sequence[Sentence]) -> float:
    """Give the processor seconds of an audit; other processes on the machine do not count."""
    started = time.process_time()
    LadderAuditor().audit(sentences=sentences, corpus=corpus, calls=CallLedger(MemoryJournal()))
    return time.process_time() - started


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

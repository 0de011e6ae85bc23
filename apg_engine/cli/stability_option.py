"""`audit --repeat K --prompts N`: how stable the auditor's verdicts are, onto its card."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from apg_engine.auditors.protocol import Auditor
from apg_engine.calibration.card import CalibrationCard, Flips, card_to_dict
from apg_engine.calibration.rates import Rate
from apg_engine.disk import file_write
from apg_engine.errors import CardError
from apg_engine.journal import CallJournal, CallLedger, MemoryJournal
from apg_engine.journal_file import FileJournal
from apg_engine.measuring.cases import trace_corpus
from apg_engine.measuring.stability import MOST_PROMPTS, stability_measure
from apg_engine.records import Trace
from apg_engine.stages.sentences import draft_sentences


def stability_add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--repeat", type=int, default=0, metavar="K", help="audit K times and count flips"
    )
    parser.add_argument(
        "--prompts",
        type=int,
        default=1,
        metavar="N",
        help=f"ask a model in N wordings and in Polish (1 to {MOST_PROMPTS})",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the order of the evidence (1)")
    parser.add_argument(
        "--write-card", type=Path, metavar="FILE", help="write the card with the flips on it"
    )


def is_asked(options: argparse.Namespace) -> bool:
    """Tell whether stability is to be measured."""
    return bool(options.repeat or options.prompts > 1 or options.write_card)


def stability_run(
    options: argparse.Namespace,
    *,
    text: str,
    trace: Trace,
    auditor: Auditor,
    card: CalibrationCard | None,
) -> tuple[Flips, ...]:
    """Measure it, and write the card if that was asked for.

    Raises:
        CardError: a card is to be written, and the auditor has none.
    """
    if options.write_card and card is None:
        raise CardError(str(options.write_card), "card", "none", "an auditor with --auditor-card")
    flips = stability_measure(
        auditor,
        sentences=draft_sentences(text),
        corpus=trace_corpus(trace),
        repeat=options.repeat,
        prompts=min(MOST_PROMPTS, options.prompts),
        dice=random.Random(options.seed),  # noqa: S311 (an order of evidence, no secret)
        calls=CallLedger(_journal(options.journal)),
    )
    if options.write_card and card:
        data = card_to_dict(replace(card, flips=flips))
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        file_write(options.write_card, text.encode())
    return flips


def stability_told(flips: Sequence[Flips]) -> Iterator[str]:
    """Tell each flip rate in a line."""
    for one in flips:
        yield f"verdicts changed on {one.what}: {Rate(one.changed, one.n)}"


def _journal(path: Path | None) -> CallJournal:
    """Keep these calls apart: the audit's own journal holds the audit's own calls."""
    return FileJournal(path.with_suffix(".stability.jsonl")) if path else MemoryJournal()

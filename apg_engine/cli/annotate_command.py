"""`annotate`: a blind sheet of runs' sentences for people, and what they say, read back."""

from __future__ import annotations

import argparse
import datetime
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.annotation.reading import Annotation, annotation_card, annotation_read
from apg_engine.annotation.sheet import Item, items_list, record_write, sheet_write
from apg_engine.calibration.card import card_to_dict
from apg_engine.calibration.identity import auditor_sha256
from apg_engine.cli.status import ExitStatus
from apg_engine.disk import file_write
from apg_engine.errors import InputError
from apg_engine.models import auditor_build
from apg_engine.provenance.engine_version import engine_sha256
from apg_engine.provenance.verification import StoredRun, run_load, run_verify

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def annotate_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("annotate", help="have people judge the sentences of runs")
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="folders `gate` wrote")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write a blind sheet here")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the sheet")
    parser.add_argument(
        "--read", type=Path, action="append", metavar="FILE", help="a filled-in sheet; one a rater"
    )
    parser.add_argument("--card", type=Path, metavar="FILE", help="write the auditor's card here")
    parser.add_argument("--json", action="store_true", help="print the agreement as JSON")


def annotate_run(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Write a sheet, or read filled-in ones.

    Raises:
        EngineError: a run does not hold, or a sheet cannot be read.
    """
    if (options.sheet is None) == (options.read is None):
        raise InputError("annotate", "options", "neither or both", "--sheet FILE or --read FILE")
    runs = [run_load(path) for path in options.runs]
    items = items_list(runs)
    if not items:
        raise InputError("annotate", "runs", "no claim", "runs whose drafts were audited")
    if options.sheet is not None:
        _write(options, runs, items)
    else:
        _read(options, runs, items, environment)
    return ExitStatus.PUBLISHED


def _write(options: argparse.Namespace, runs: Sequence[StoredRun], items: Sequence[Item]) -> None:
    record = options.sheet.with_suffix(".record.md")
    sheet = sheet_write(items, dice=random.Random(options.seed))  # noqa: S311 (no secret)
    if options.sheet.exists() and options.sheet.read_bytes() != sheet:
        told = "a sheet that people may have written in"
        raise InputError(str(options.sheet), "file", told, "a name that is not taken")
    file_write(record, record_write(runs).encode("utf-8", "replace"))
    file_write(options.sheet, sheet)
    sys.stdout.write(
        f"{len(items)} sentences in {options.sheet}; raters judge them by {record}: supported, "
        "contradicted, not enough, or unsure\n"
    )


def _read(
    options: argparse.Namespace,
    runs: Sequence[StoredRun],
    items: Sequence[Item],
    environment: Mapping[str, str],
) -> None:
    found = annotation_read(items, options.read)
    if options.card is not None:
        _card(options, runs, items, found, environment)
    if options.json:
        data = {**asdict(found), "truths": {k: v.value for k, v in found.truths.items()}}
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(_told(found)) + "\n")


def _card(
    options: argparse.Namespace,
    runs: Sequence[StoredRun],
    items: Sequence[Item],
    found: Annotation,
    environment: Mapping[str, str],
) -> None:
    specs = {run.result.config.auditor for run in runs}
    languages = {run.trace.language for run in runs}
    if len(specs) > 1 or len(languages) > 1:
        raise InputError("annotate", "--card", "several auditors or languages", "one of each")
    # A card is bound to what the auditor is; rules that have changed since are another auditor.
    if any(run_verify(path).engine != engine_sha256() for path in options.runs):
        raise InputError("annotate", "--card", "runs of another engine", "runs of this one")
    if not found.truths:
        raise InputError("annotate", "--card", "no settled sentence", "judged sentences")
    auditor = auditor_build(specs.pop(), environment=environment)
    card = annotation_card(
        items,
        found,
        auditor=auditor.name,
        auditor_sha256=auditor_sha256(auditor),
        language=languages.pop(),
        date=datetime.datetime.now(tz=datetime.UTC).date().isoformat(),  # noqa: TID251 (the edge)
    )
    text = json.dumps(card_to_dict(card), ensure_ascii=False, indent=1) + "\n"
    file_write(options.card, text.encode())


def _told(found: Annotation) -> Iterator[str]:
    yield f"{found.judged} of {found.sentences} sentences judged, {found.settled} settled"
    for pair in found.pairs:
        yield (
            f"{pair.first} and {pair.second}: {pair.agreed} of {pair.n} alike, "
            f"Cohen's kappa {_number(pair.kappa)}"
        )
    yield f"Krippendorff's alpha (nominal): {_number(found.alpha)}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"

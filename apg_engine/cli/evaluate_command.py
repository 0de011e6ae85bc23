"""`evaluate`: have systems judge claims whose answers are known, and report how well they did."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apg_engine.auditors.known_pairs import known_pairs_load
from apg_engine.cli.endpoint_options import endpoint_spec
from apg_engine.cli.evaluate_options import (
    TASKS,
    bench_options_add,
    court_of,
    limits_of,
    roles_of,
)
from apg_engine.cli.spending_options import prices_of
from apg_engine.cli.status import ExitStatus
from apg_engine.debates.budget import DebateLimits, limits_checked
from apg_engine.disk import file_write
from apg_engine.errors import InputError
from apg_engine.evaluating.assembly import SYSTEMS, Bench, specs_of, system_build
from apg_engine.evaluating.check_covid import check_covid_read
from apg_engine.evaluating.claims import (
    Label,
    LabelledClaim,
    claims_choose,
    claims_read,
    claims_sha256,
)
from apg_engine.evaluating.exhibits import ExhibitSource, Rationale, Retrieved
from apg_engine.evaluating.rows import Row, rows_load
from apg_engine.evaluating.running import EvaluationPlan, evaluation_run, settings_read
from apg_engine.evaluating.stance import NliReader
from apg_engine.evaluating.summary import rows_summarise
from apg_engine.evaluating.summary_json import summary_to_dict
from apg_engine.evaluating.summary_markdown import summary_markdown
from apg_engine.retrieval.embedder_named import embedder_load
from apg_engine.retrieval.evidence_index import EvidenceIndex, index_open, manifest_read

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)

_REPORT = "report"
_DEBATES = ("courtroom", "mad")
_FREE = ("vote", "self_consistency")


def evaluate_add(commands: Commands) -> None:
    """Declare the command and what stands behind it."""
    parser = commands.add_parser("evaluate", help="judge claims whose answers are known")
    tasks = parser.add_subparsers(dest="data_set", required=True, metavar="DATA")
    covid = tasks.add_parser("check-covid", help="the claims of Check-COVID")
    covid.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="e.g. ../shared/data/check-covid"
    )
    covid.add_argument("--split", choices=("train", "dev", "test"), default="test")
    own = tasks.add_parser("claims", help="claims of your own, as JSON Lines")
    own.add_argument("--data", type=Path, required=True, metavar="FILE")
    own.add_argument("--training", type=Path, metavar="FILE", help="claims the controls learn from")
    for one in (covid, own):
        bench_options_add(one, systems=SYSTEMS)
    report = tasks.add_parser("report", help="write the report of a folder's rows again")
    report.add_argument("--out", type=Path, required=True, metavar="DIR")
    report.add_argument("--json", action="store_true", help="print the report as JSON")


def evaluate_run(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Judge claims and report, or only report.

    Raises:
        EngineError: bad input; nothing is written before it is checked.
    """
    if options.data_set == _REPORT:
        return _report(options.out, as_json=options.json)
    labels = TASKS[options.task]
    known, training = _claims(options)
    bench = _bench(options, labels, training, environment)
    limits = DebateLimits(run=limits_of(options))
    limits_checked(limits, specs=specs_of(bench), prices=bench.prices)
    equal_to = _equal(options)
    # What others take first must be known before they may take as much.
    order = sorted(dict.fromkeys(options.system), key=lambda name: name in equal_to)
    plan = EvaluationPlan(
        systems=tuple(system_build(name, bench) for name in order),
        claims=claims_choose(known, labels=labels, count=options.n),
        data=_data(options, labels, known),
        prices=bench.prices,
        seeds=options.seeds,
        equal_to=equal_to,
        limits=limits.run,
        concurrency=options.concurrency,
    )
    outcome = evaluation_run(plan, folder=options.out, on_row=None if options.json else _tell)
    if outcome.rows:
        _report(options.out, as_json=options.json)
    if outcome.stopped:
        sys.stderr.write(f"stopped: {outcome.stopped}; a larger budget goes on from here\n")
        return ExitStatus.NOT_JUDGED
    return ExitStatus.PUBLISHED


def _claims(
    options: argparse.Namespace,
) -> tuple[tuple[LabelledClaim, ...], tuple[LabelledClaim, ...]]:
    """Read the claims to judge, and those the controls learn from."""
    if options.data_set == "check-covid":
        known = check_covid_read(options.data, split=options.split)
        is_training = options.split == "train"
        return known, () if is_training else check_covid_read(options.data, split="train")
    training = () if options.training is None else claims_read(options.training)
    return claims_read(options.data), training


def _bench(
    options: argparse.Namespace,
    labels: tuple[Label, ...],
    training: tuple[LabelledClaim, ...],
    environment: Mapping[str, str],
) -> Bench:
    index, load = _index(options), cache(known_pairs_load)
    return Bench(
        labels=labels,
        environment=environment,
        prices=prices_of(options),
        exhibits=_exhibits(options, labels, index),
        training=training,
        reader=NliReader(load(options.nli)) if options.nli else None,
        model=endpoint_spec(options, options.model) if options.model else None,
        roles=roles_of(options),
        samples=options.samples,
        rounds=options.rounds,
        index=index,
        index_sha256=manifest_read(options.index).sha256 if index else "",
        court=court_of(options) if index else None,
        load=load,
    )


def _index(options: argparse.Namespace) -> EvidenceIndex | None:
    if options.index is None:
        return None
    name = manifest_read(options.index).embedder
    return index_open(options.index, embedder_load(name, folder=options.embedder))


def _exhibits(
    options: argparse.Namespace, labels: tuple[Label, ...], index: EvidenceIndex | None
) -> ExhibitSource | None:
    """Three labels are judged by the rationale: there alone the third one says something."""
    if Label.NOT_ENOUGH in labels:
        if index is not None:
            allowed = "no index: NOTENOUGHINFO is only known against the rationale"
            raise InputError("evaluation", "--index", str(options.index), allowed)
        return Rationale()
    if index is None:
        return None
    digest = manifest_read(options.index).sha256
    return Retrieved(index, count=options.chunks, digest=digest)


def _data(
    options: argparse.Namespace, labels: Sequence[Label], known: Sequence[LabelledClaim]
) -> dict[str, Any]:
    """Give what a folder of results is kept to, whatever the number of claims."""
    eligible = [claim for claim in known if claim.label in labels]
    return {
        "claims": options.data_set,
        "task": options.task,
        "eligible": len(eligible),
        "sha256": claims_sha256(eligible),
    }


def _equal(options: argparse.Namespace) -> dict[str, str]:
    """Let votes take what a debate of the same command took, unless another one is named."""
    debates = [name for name in _DEBATES if name in options.system]
    named = options.equal_to or next(iter(debates), "")
    return {name: named for name in _FREE if named and name in options.system}


def _report(folder: Path, *, as_json: bool) -> ExitStatus:
    rows, settings = rows_load(folder), settings_read(folder)
    summary = rows_summarise(rows)
    told = summary_to_dict(summary, settings=settings)
    text = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    file_write(folder / "report.json", text.encode())
    page = summary_markdown(summary, settings=settings)
    file_write(folder / "report.md", page.encode())
    sys.stdout.write(text if as_json else f"{page}\nwritten to {folder}\n")
    return ExitStatus.PUBLISHED


def _tell(row: Row, done: int, of: int) -> None:
    found = row.opinion.label or row.opinion.ending
    sys.stderr.write(f"{row.system} {done}/{of}: {row.item} seed {row.seed}: {found}\n")

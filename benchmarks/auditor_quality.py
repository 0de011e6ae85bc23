"""What an auditor's verdicts are worth on human labels, beside controls that know less.

`python -m benchmarks.auditor_quality` judges Check-COVID, FEVER-symmetric, negation and number sets
and prints TPR, FPR and precision on *supported* with Wilson intervals, beside a majority control, a
control that sees the claims alone, and the auditor itself with foreign evidence. For a model with a
score it adds the area under the curve and the TPR at a threshold that keeps the FPR at 5 %, chosen
on other cases (Check-COVID dev). `--choose FILE` writes such thresholds.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from apg_engine import EngineError
from apg_engine.auditors.ladder_nli import VetoedLadder
from apg_engine.auditors.nli import NliAuditor
from apg_engine.auditors.nli_folder import pair_scorer_load
from apg_engine.auditors.nli_settings import (
    Aggregation,
    NliSettings,
    settings_read,
    settings_to_dict,
)
from apg_engine.auditors.protocol import Auditor
from apg_engine.measuring.cases import Truth
from apg_engine.measuring.judging import Judged
from apg_engine.measuring.measurement import CaseSet, auditor_measure
from apg_engine.measuring.nli_scores import (
    CaseScore,
    RememberingScorer,
    area_under_curve,
    cases_score,
    support_rates,
    support_threshold,
    veto_threshold,
)
from apg_engine.records import Label
from benchmarks.cards import card_options, card_print, card_write
from benchmarks.judges import SHARED, judge_build, judge_options
from benchmarks.labelled_data import cases_of, covid_gold, sets_read
from benchmarks.tables import line_print, progress_print, table_print

_MOST_FALSE = 0.05
_DEV = "Check-COVID dev, gold rationale"
_REFUTED = frozenset({Truth.REFUTED})
_LOCAL = ("nli", "ladder+nli")


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    data = options.data
    if not data.is_dir():
        sys.stderr.write(f"error: {data}: no such folder; name the labelled sets with --data\n")
        return 2
    try:
        bench = _Bench(options)
    except EngineError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    if options.choose:
        bench.choose(options.choose)
        return 0
    for number, case_set in enumerate(
        sets_read(data, limit=options.limit, seed=options.seed), start=1
    ):
        bench.measure(case_set, number)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.auditor_quality", description=__doc__
    )
    parser.add_argument("--data", type=Path, default=SHARED / "data", help="the labelled sets")
    parser.add_argument("--limit", type=int, default=300, help="most cases of a set; 0 for all")
    parser.add_argument("--choose", type=Path, metavar="FILE", help="write thresholds for --nli")
    judge_options(parser, default="ladder+nli")
    card_options(parser)
    return parser


class _Bench:
    """The auditor, its model where it has a local one, and the thresholds chosen on dev."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._nli: NliAuditor | None = None
        self._auditors: list[Auditor] = []
        if options.auditor in _LOCAL or options.choose:
            self._scorer = RememberingScorer(pair_scorer_load(options.nli, threads=2))
            given = options.thresholds
            settings = settings_read(Path(given)) if given else NliSettings()
            self._nli = NliAuditor(self._scorer, settings)
        if self._nli and options.auditor == "nli":
            self._auditors.append(self._nli)
        elif self._nli:
            self._auditors += [judge_build(options, name="ladder"), VetoedLadder(self._nli)]
        else:
            self._auditors.append(judge_build(options))
        self._dev = self._dev_scores() if self._nli else []

    def measure(self, case_set: CaseSet, number: int) -> None:
        """Measure every auditor on one set, and the model's scores."""
        truths = Counter(case.truth.value for case in case_set.cases)
        line_print()
        line_print(f"## {case_set.name}: {dict(truths)}")
        for auditor in self._auditors:
            found = auditor_measure(
                auditor,
                case_set,
                date=self._options.date,
                dice=random.Random(self._options.seed),
                on_progress=lambda done: progress_print(f"{case_set.name}: {done} verdicts "),
            )
            progress_print("\n")
            card_print(found.card)
            _labels_print(found.judged)
            if self._options.card:
                stem = self._options.card.with_suffix("")
                card_write(found.card, stem.with_name(f"{stem.name}-{number}.json"))
        if self._nli:
            self._scores_print(cases_score(case_set.cases, self._nli), case_set.name)

    def choose(self, path: Path) -> None:
        """Choose the way of aggregation and the veto's threshold on dev, and write them."""
        ways: tuple[Aggregation, ...] = get_args(Aggregation)
        scores = {way: self._dev_scores(way) for way in ways}
        areas = {way: area_under_curve(scores[way], against=_REFUTED) or 0.0 for way in ways}
        cuts = {way: veto_threshold(scores[way], most_false=_MOST_FALSE) for way in ways}
        line_print(f"{_DEV}: aggregation, measured")
        table_print(
            ("evidence", "AUC supported/refuted", "veto threshold"),
            [(way, f"{areas[way]:.3f}", f"{cuts[way]:.3f}") for way in ways],
        )
        best = max(ways, key=lambda way: areas[way])
        chosen = NliSettings(
            contradicted=cuts[best],
            aggregation=best,
            model_sha256=self._scorer.sha256,
            data_set=_DEV,
            genre="biomedical abstracts",
            date=self._options.date,
        )
        path.write_text(json.dumps(settings_to_dict(chosen), indent=1) + "\n", "utf-8")
        line_print(f"thresholds written to {path}")

    def _dev_scores(self, aggregation: Aggregation | None = None) -> list[CaseScore]:
        cases = cases_of(covid_gold(self._options.data, "dev"))
        settings = NliSettings()
        if aggregation:
            settings = replace(settings, aggregation=aggregation)
        return cases_score(cases, NliAuditor(self._scorer, settings))

    def _scores_print(self, scores: Sequence[CaseScore], name: str) -> None:
        refuted = area_under_curve(scores, against=_REFUTED)
        rest = area_under_curve(scores, against=frozenset({Truth.REFUTED, Truth.NOT_ENOUGH}))
        threshold = support_threshold(self._dev, most_false=_MOST_FALSE)
        tpr, fpr = support_rates(scores, threshold)
        own = " (chosen on these very cases)" if name.startswith(_DEV) else ""
        line_print(
            f"the model's score alone: AUC supported/refuted {_area(refuted)}, "
            f"supported/rest {_area(rest)}; at the threshold {threshold:.3f} that keeps the FPR at "
            f"5 % on {_DEV}{own}: TPR {tpr}, FPR {fpr}"
        )


def _labels_print(judged: Sequence[Judged]) -> None:
    counts = Counter((one.case.truth, one.verdict.label) for one in judged)
    labels = [label for label in Label if any(counts[truth, label] for truth in Truth)]
    rows = [
        (truth.value, *(str(counts[truth, label]) for label in labels))
        for truth in Truth
        if any(counts[truth, label] for label in labels)
    ]
    table_print(("in truth", *(label.value.replace("_", " ") for label in labels)), rows)


def _area(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""A summary as Markdown that a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apg_engine.calibration.calibration_error import CalibrationReport
from apg_engine.calibration.rates import Rate
from apg_engine.evaluating.published import (
    CLAIMS,
    ECE,
    ECE_AVERAGED,
    PUBLISHED,
    SOURCE,
    PublishedRow,
)
from apg_engine.evaluating.summary import Flips, RunSummary, SeedSummary, Summary

_NONE = "-"
_SEED_NAMES = ("System", "Seeds", "Claims", "Right", "SD", "Any seed right", "Flips")
_RESULT_NAMES = ("System", "Seed", "Right", "of decided", "Macro-F1", "kappa")
_BALLOT_NAMES = ("System", "Seed", "Paper's weights", "delta_rs = 0", "delta_ref = 0", "Fitted")
_TAKEN_NAMES = ("Rounds", "Documents", "Chunks", "Calls", "Tokens", "Cost")
_JUDGE_NAMES = ("System", "Seed", "Right", "Seats", "Claims", "Cohen", "Fleiss", "Order flips")
_FEW = "Fewer than 30 claims: counts are shown, and no share should be read out of them."


def summary_markdown(summary: Summary, *, settings: Mapping[str, Any]) -> str:
    """Tell what was run, what it was run with, and beside it what others have published."""
    parts = [
        "# Evaluation",
        *_setting(settings),
        "## Results",
        "Right ones of all claims; a claim left open is not right. Intervals are 95 %.",
        *_results(summary.runs),
        "## Published elsewhere, not measured here",
        (
            f"{SOURCE}; {CLAIMS} claims, with Wilson intervals of our own reckoning. Other models "
            "and other runs: no line of it is a result of this project."
        ),
        _table(("Published", "Right", "kappa", "Rounds", "Evidence", "Tokens"), _published()),
        (
            f"Published calibration error: {ECE}; of plain averaging {ECE_AVERAGED}. At {CLAIMS} "
            "claims the differences between its lines are 1 to 12 claims, and they are unpaired."
        ),
        "## Judges",
        _table(_JUDGE_NAMES, _judges(summary)),
        "## Calibration",
        "Expected calibration error with a bootstrap interval, and the share of claims it is over.",
        *_calibration(summary.runs),
        "## Verdicts",
        _table(
            ("System", "Seed", "REFUTE found", "REFUTE known", "Rounds by verdict", "Endings"),
            [_verdicts(run) for run in summary.runs],
        ),
        "## Seeds",
        _table(
            (*_SEED_NAMES, "other premises", "same premises"),
            [_seeds(one) for one in summary.seeds],
        ),
        "## Paired tests",
        "McNemar's exact test, two-sided, claim by claim; not corrected for their number.",
        _table(
            ("First", "Second", "Seed", "Claims", "Only first right", "Only second right", "p"),
            [
                (t.first, t.second, t.seed, t.items, t.first_only, t.second_only, _p(t.p))
                for t in summary.tests
            ],
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def rate_told(rate: Rate) -> str:
    """Show a share in percent with its interval and counts."""
    if rate.value is None:
        return _NONE
    low, high = rate.interval.low, rate.interval.high
    bounds = f"[{100 * low:.1f}, {100 * high:.1f}]"
    return f"{100 * rate.value:.1f} % {bounds} ({rate.hits}/{rate.n})"


def _setting(settings: Mapping[str, Any]) -> Iterable[str]:
    data = settings["data"]
    yield "\n".join(f"- {name}: {value}" for name, value in data.items())
    offline = [name for name, one in settings["systems"].items() if one["offline"]]
    if offline:
        yield (
            f"Offline, so rules, a local cross-encoder or a control and no language model: "
            f"{', '.join(offline)}. Another seed is another choice of where a court's rules cut a "
            "claim into premises; all else is the same with every seed."
        )


def _results(runs: Sequence[RunSummary]) -> Iterable[str]:
    yield _table((*_RESULT_NAMES, *_TAKEN_NAMES), [_result(run) for run in runs])
    if any(run.accuracy.n < 30 for run in runs):
        yield _FEW


def _result(run: RunSummary) -> tuple[object, ...]:
    taken = run.taken
    return (
        run.system,
        run.seed,
        rate_told(run.accuracy),
        rate_told(run.accuracy_decided),
        _number(run.macro_f1, 3),
        _number(run.kappa_truth, 3),
        _number(taken.rounds, 2),
        _number(taken.documents, 1),
        _number(taken.chunks, 1),
        _number(taken.calls, 1),
        "not told" if taken.tokens is None else f"{taken.tokens:.0f}",
        "not known" if taken.cost is None else f"{taken.cost:.4f}",
    )


def _published() -> Iterable[tuple[object, ...]]:
    for row in PUBLISHED:
        yield _published_row(row)


def _published_row(row: PublishedRow) -> tuple[object, ...]:
    return (
        row.told,
        rate_told(row.accuracy),
        _number(row.kappa, 3),
        _number(row.rounds, 2),
        _number(row.evidence, 1),
        _number(row.tokens, 0),
    )


def _judges(summary: Summary) -> Iterable[tuple[object, ...]]:
    for run in summary.runs:
        panel, flips = run.judges, run.order_flips
        if panel is not None or flips.n:
            yield (
                run.system,
                run.seed,
                rate_told(run.accuracy),
                panel.judges if panel else 1,
                panel.items if panel else _NONE,
                _number(panel.pairwise if panel else None, 3),
                _number(panel.fleiss if panel else None, 3),
                rate_told(flips) if flips.n else "not asked",
            )


def _calibration(runs: Sequence[RunSummary]) -> Iterable[str]:
    names = ("System", "Seed", "Stated", "Plain average", "Isotonic (5 folds)")
    yield _table(
        names,
        [
            (run.system, run.seed, *map(_error, (c.stated, c.averaged, c.isotonic)))
            for run in runs
            for c in [run.calibration]
        ],
    )
    tried = [run for run in runs if run.calibration.paper]
    if tried:
        yield "From the stored ballots of courts, with the paper's weights and with fitted ones:"
        yield _table(_BALLOT_NAMES, [_of_ballots(run) for run in tried])


def _of_ballots(run: RunSummary) -> tuple[object, ...]:
    c = run.calibration
    reports = (c.paper, c.without_role_switch, c.without_reflection, c.fitted)
    return run.system, run.seed, *map(_error, reports)


def _error(report: CalibrationReport | None) -> str:
    if report is None:
        return _NONE
    interval = f"[{report.low:.3f}, {report.high:.3f}]"
    return f"{report.value:.3f} {interval} over {100 * report.coverage:.0f} %"


def _verdicts(run: RunSummary) -> tuple[object, ...]:
    rounds = ", ".join(
        f"{found} {mean:.2f} ({count})" for found, (mean, count) in run.rounds_by_finding.items()
    )
    endings = ", ".join(f"{ending} {count}" for ending, count in sorted(run.endings.items()))
    return (
        run.system,
        run.seed,
        rate_told(run.refute_found),
        rate_told(run.refute_known),
        rounds,
        endings,
    )


def _seeds(one: SeedSummary) -> tuple[object, ...]:
    told = ", ".join(f"{100 * share:.1f} %" for share in one.accuracies)
    spread = _NONE if one.spread is None else f"{100 * one.spread:.1f}"
    flips = (_flips(one.flips), _flips(one.other_premises), _flips(one.same_premises))
    return one.system, len(one.seeds), one.items, told, spread, rate_told(one.oracle), *flips


def _flips(flips: Flips) -> str:
    return f"{flips.flipped} of {flips.pairs}" if flips.pairs else _NONE


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _number(value: float | None, places: int) -> str:
    return _NONE if value is None else f"{value:.{places}f}"


def _table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [" | ".join(str(one).replace("|", "\\|") for one in row) for row in rows]
    if not lines:
        return "None."
    rule = " | ".join("---" for _ in names)
    return "\n".join(f"| {line} |" for line in (" | ".join(names), rule, *lines))

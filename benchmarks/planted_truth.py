"""How many planted faults does an auditor catch, and how many quotes does it refuse?

`python -m benchmarks.planted_truth` plants quotes, near quotes and faults in the project's own
debates, where the truth is known by construction, and prints the rates by kind. The set holds no
paraphrases: what an auditor does with those is not measured here.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from apg_engine import EngineError, import_trace
from apg_engine.calibration.rates import Rate
from apg_engine.measuring.cases import Case
from apg_engine.measuring.judging import Judged
from apg_engine.measuring.measurement import CaseSet, auditor_measure
from apg_engine.measuring.planting.building import kinds_of, planted_cases
from apg_engine.records import Label
from benchmarks.cards import card_options, card_print, card_write
from benchmarks.judges import judge_build, judge_options
from benchmarks.tables import line_print, table_print

ROOT = Path(__file__).resolve().parent.parent
_BEDS = ("fixtures/debates", "tests/apg_engine/debates", "benchmarks/beds")
_AIM_CAUGHT, _AIM_REFUSED = 0.95, 0.05
_NOTE = (
    "Quotes, near quotes and planted faults only; paraphrases are not in the set, and an auditor "
    "that abstains on them looks better here than on a model's draft."
)


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    paths = options.traces or _own_debates()
    try:
        cases = planted_read(paths, seed=options.seed, language=options.language)
        auditor = judge_build(options)
    except EngineError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    case_set = CaseSet("planted truth", "debate", options.language, cases, note=_NOTE)
    found = auditor_measure(auditor, case_set, date=options.date, dice=random.Random(options.seed))
    _kinds_print(found.judged)
    card_print(found.card)
    if options.cases:
        _cases_write(cases, options.cases)
    card_write(found.card, options.card)
    return 0


def planted_read(paths: Sequence[Path], *, seed: int, language: str) -> tuple[Case, ...]:
    """Plant in every debate of one language, each with its own dice.

    Raises:
        TraceError: a file is no debate.
    """
    cases: list[Case] = []
    for path in paths:
        trace = import_trace(path.read_bytes(), file_name=path.name)
        if trace.language.startswith(language):
            cases += planted_cases(trace, dice=random.Random(f"{seed} {path.name}"))
    return tuple(cases)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planted_truth", description=__doc__)
    parser.add_argument("traces", nargs="*", type=Path, help="debates (the project's own)")
    parser.add_argument("--language", choices=("en", "pl"), default="en")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="write the cases as JSON lines")
    judge_options(parser, default="ladder")
    card_options(parser)
    return parser


def _own_debates() -> list[Path]:
    return [path for folder in _BEDS for path in sorted((ROOT / folder).glob("*.json"))]


def _kinds_print(judged: Sequence[Judged]) -> None:
    cases = [one.case for one in judged]
    quotes = [one for one in judged if one.case.is_supported]
    faults = [one for one in judged if not one.case.is_supported]
    line_print(f"{len({case.corpus.sha256 for case in cases})} debates, {len(cases)} cases")
    line_print()
    table_print(
        ("quotes", "n", "falsely refused"),
        [(kind, str(rate.n), str(rate)) for kind, rate in _by_kind(quotes, _is_refused)],
    )
    line_print()
    named = dict(_by_kind(faults, _is_named))
    table_print(
        ("planted faults", "n", "caught", "of these with both spans shown"),
        [
            (kind, str(rate.n), str(rate), str(named[kind]))
            for kind, rate in _by_kind(faults, _is_refused)
        ],
    )
    line_print()
    _aim_print(Rate(sum(map(_is_refused, faults)), len(faults)), caught=True)
    _aim_print(Rate(sum(map(_is_refused, quotes)), len(quotes)), caught=False)
    line_print()


def _by_kind(judged: Sequence[Judged], is_hit: Callable[[Judged], bool]) -> list[tuple[str, Rate]]:
    found = []
    for kind in kinds_of([one.case for one in judged]):
        own = [one for one in judged if one.case.kind == kind]
        found.append((kind, Rate(sum(map(is_hit, own)), len(own))))
    return found


def _is_refused(one: Judged) -> bool:
    return one.verdict.label is not Label.SUPPORTED


def _is_named(one: Judged) -> bool:
    return _is_refused(one) and bool(one.verdict.opposing)


def _aim_print(rate: Rate, *, caught: bool) -> None:
    said, aim = ("faults caught", _AIM_CAUGHT) if caught else ("quotes refused", _AIM_REFUSED)
    value = rate.value or 0.0
    met = value >= aim if caught else value <= aim
    sign = ">=" if caught else "<="
    line_print(f"{said}: {rate}; aim {sign} {aim:.2f}: {'met' if met else 'missed'}")


def _cases_write(cases: Sequence[Case], path: Path) -> None:
    rows = (
        {"id": c.id, "kind": c.kind, "truth": c.truth.value, "claim": c.claim, "group": c.group}
        for c in cases
    )
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, "utf-8")
    line_print(f"cases written to {path}")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

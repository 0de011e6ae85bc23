"""The command behind `analysis/ttest.py`: read, compute the core rows, print."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.dataset import Dataset
from analysis.errors import AnalysisError
from analysis.load import LoadOptions, load
from analysis.report.terminal import RULE, core_text, published_text
from analysis.results.core import core
from analysis.results.plain import core_plain, lookup, plain
from analysis.results.published import FILE_NAME, published_compare
from analysis.saying import Fixed, Several, say
from analysis.schema import DEFAULT_ARMS, DEFAULT_SCALE, WIDEST_SCALE
from analysis.stats.consistency import Printed, nearest, sums_possible, t_possible


def run(arguments: Sequence[str], *, reference: Path) -> int:
    """Run the command line.

    Args:
        arguments: Words after the program's name.
        reference: Folder of the N=33 study, used when no path is given.

    Returns:
        The exit status: 0, or 2 for bad input.
    """
    options = _parser().parse_args(arguments)
    path = options.path or reference
    published = options.published or (reference / FILE_NAME if options.path is None else None)
    try:
        text = _output(path, published, options)
    except AnalysisError as error:
        sys.stderr.write(f"ttest.py: {error}\n")
        return 2
    return _write(text)


def arms_from(text: str) -> tuple[str, str]:
    """Read `REFERENCE,TREATMENT`.

    Raises:
        argparse.ArgumentTypeError: Not two different names.
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names) or names[0] == names[1]:
        raise argparse.ArgumentTypeError(f"{text!r} must be two names, REFERENCE,TREATMENT")
    return names[0], names[1]


def scale_from(text: str) -> tuple[int, int]:
    """Read `1-5`.

    Raises:
        argparse.ArgumentTypeError: Not a lower and a higher whole number, or too far apart.
    """
    low, _, high = text.partition("-")
    if not (low.isdecimal() and high.isdecimal() and 0 < int(high) - int(low) <= WIDEST_SCALE):
        raise argparse.ArgumentTypeError(
            f"{text!r} must be two whole numbers such as 1-5, at most {WIDEST_SCALE} apart"
        )
    return int(low), int(high)


def columns_from(text: str) -> dict[str, str]:
    """Read `ours=theirs,..`.

    Raises:
        argparse.ArgumentTypeError: A part without an equals sign, or an empty name.
    """
    parts = [part.partition("=") for part in text.split(",")]
    if not all(ours.strip() and theirs.strip() for ours, _, theirs in parts):
        raise argparse.ArgumentTypeError(f"{text!r} must be OURS=THEIRS, separated by commas")
    return {ours.strip(): theirs.strip() for ours, _, theirs in parts}


def why_not(file: Path, results: dict[str, Any]) -> str:
    """One line: the recomputed t and p, and which t the printed M, SD and n allow at all."""
    check = json.loads(file.read_bytes())["check"]
    n, scale = check["n"], (check["scale"][0], check["scale"][1])
    sides = [
        sums_possible(Printed(**check[side]), n=n, scale=scale)
        for side in ("reference", "treatment")
    ]
    around = nearest(t_possible(sides[0], sides[1], n=n, lowest=scale[0]), check["t"])
    *first, last = [Fixed(possible.t, 2) for possible in around]
    test = lookup(results, f"scenarios/{check['scenario']}/{check['measure']}/t_test")
    reach = say("and", first=Several(first), last=last) if first else last
    t, p = Fixed(test["t"], 2), Fixed(test["p"], 4, bare=True)
    return say("why_not", df=test["df"], t=t, p=p, printed=check["t"], reach=reach)


def reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says how a file is to be read, and compared."""
    add = parser.add_argument
    add("--strict", action="store_true", help="refuse incomplete pairs")
    add(
        "--unverified",
        action="store_true",
        help="read a bundle that its manifest does not describe",
    )
    add(
        "--arms", type=arms_from, default=DEFAULT_ARMS, metavar="REFERENCE,TREATMENT",
        help="names of the arms in a CSV without a manifest (baseline,apg)",
    )  # fmt: skip
    add(
        "--scale", type=scale_from, default=DEFAULT_SCALE, metavar="LOW-HIGH",
        help="rating scale of a CSV without a manifest (1-5)",
    )  # fmt: skip
    add(
        "--columns", type=columns_from, default={}, metavar="OURS=THEIRS,..",
        help="names of a CSV's columns, such as participant_id=ID,trust_apg=Q8",
    )  # fmt: skip
    add("--published", type=Path, metavar="FILE", help="printed figures to compare with")


def reading_options(options: argparse.Namespace) -> LoadOptions:
    """What those arguments said."""
    return LoadOptions(
        options.arms,
        options.scale,
        options.columns,
        strict=options.strict,
        unverified=options.unverified,
    )


def _output(path: Path, published: Path | None, options: argparse.Namespace) -> str:
    dataset = load(path, reading_options(options))
    if options.compare_r:
        return _compared(dataset)
    rows = core(dataset)
    results = core_plain(rows)
    claims = published_compare(published, results) if published else ()
    if options.csv:
        from analysis.report.flat import flat

        return flat(rows)
    if options.json:
        results["published"] = plain(claims)
        return json.dumps(results, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    text = core_text(rows)
    if published:
        text += f"\n{published_text(claims)}\n{RULE}\n{why_not(published, results)}\n"
    return text


def _compared(dataset: Dataset) -> str:
    from analysis.compare_r import compare_r, compare_text, rscript

    program = rscript()
    if program is None:
        raise AnalysisError("--compare-r needs Rscript, which is not on the search path")
    return compare_text(compare_r(dataset, program=program))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ttest.py",
        description="Reproduce the N=33 study, or analyse an export of a study of yours.",
    )
    parser.add_argument(
        "path", nargs="?", type=Path, help="a bundle (zip or folder), a long or a wide CSV"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="full precision, as JSON")
    form.add_argument("--csv", action="store_true", help="full precision, a line a measure")
    form.add_argument("--compare-r", action="store_true", help="compute again in R and compare")
    reading_arguments(parser)
    return parser


def _write(text: str) -> int:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (such as head) has had enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0

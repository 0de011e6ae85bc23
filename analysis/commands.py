"""The commands of `python -m analysis`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from analysis.errors import AnalysisError, OptionError
from analysis.load import load
from analysis.reproduce import reading_arguments, reading_options, scale_from
from analysis.schema import DEFAULT_ARMS, DEFAULT_SCALE


def run(arguments: Sequence[str]) -> int:
    """Run the command line; the exit status is 2 for bad input."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], str] = options.command
    try:
        sys.stdout.write(command(options))
    except AnalysisError as error:
        sys.stderr.write(f"analysis: {error}\n")
        return 2
    return 0


def _report(options: argparse.Namespace) -> str:
    from analysis.report.build import Extras, report_write
    from analysis.reproduce import why_not
    from analysis.results.full import full
    from analysis.results.plain import core_plain
    from analysis.results.published import FILE_NAME, published_compare

    results = full(load(options.bundle, reading_options(options)), models=not options.no_models)
    beside = options.bundle / FILE_NAME
    published = options.published or (beside if beside.is_file() else None)
    extras = Extras(command=_command(options))
    if published is not None:
        core = core_plain(results.core)
        claims = published_compare(published, core, language=options.lang)
        extras = Extras(claims, (why_not(published, core),), extras.command)
    files = report_write(
        results, out=options.out, language=options.lang, extras=extras, with_pdf=not options.no_pdf
    )
    return "".join(f"{file}\n" for file in files if file.parent == options.out)


def _design(options: argparse.Namespace) -> str:
    from analysis.report.pages import design_page

    page = design_page(options.bundle, language=options.lang)
    file: Path = options.out / "design.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")
    return f"{file}\n"


def _consistency(options: argparse.Namespace) -> str:
    from analysis.stats.consistency import Printed
    from analysis.stats.forensics import forensic_lines

    other = None
    if options.reference_mean is not None and options.reference_sd is not None:
        other = Printed(options.reference_mean, options.reference_sd)
    lines = forensic_lines(
        Printed(options.mean, options.sd), other, n=options.n, scale=options.scale, t=options.t,
        p=options.p,
    )  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def _power(options: argparse.Namespace) -> str:
    import numpy as np

    from analysis.stats.power import pairs_needed, power, sensitivity
    from analysis.stats.simulation import OrdinalDesign, ordinal_power

    if options.d_z is not None:
        found = power(options.d_z, options.n)
        needed = pairs_needed(options.d_z, wanted=options.wanted)
        return (
            f"paired t, d_z = {options.d_z:g}: power {found:.3f} with n = {options.n}; "
            f"{needed} pairs for {options.wanted:g}\n"
        )
    if options.shares is None:
        least = sensitivity(options.n, wanted=options.wanted)
        if least is None:
            raise OptionError(f"n = {options.n} must be at least 2")
        return f"n = {options.n} finds d_z = {least:.3f} with power {options.wanted:g}\n"
    design = OrdinalDesign(options.shares, options.odds_ratio, options.correlation)
    rng = np.random.default_rng(options.seed)
    simulated = ordinal_power(design, n=options.n, simulations=options.simulations, rng=rng)
    return (
        f"ratings, odds ratio {options.odds_ratio:g}, n = {options.n}: "
        f"power {simulated.t_test:.3f} (t test), {simulated.sign_flip:.3f} (exact sign flip), "
        f"Monte Carlo error {simulated.standard_error:.3f}, {options.simulations} studies, "
        f"seed {options.seed}\n"
    )


def _command(options: argparse.Namespace) -> str:
    """The command that writes the same report again."""
    words = ["python", "-m", "analysis", "report", str(options.bundle), "--out", str(options.out)]
    words += ["--lang", options.lang] if options.lang != "en" else []
    words += ["--strict"] if options.strict else []
    words += ["--unverified"] if options.unverified else []
    words += ["--no-models"] if options.no_models else []
    words += ["--no-pdf"] if options.no_pdf else []
    words += ["--published", str(options.published)] if options.published else []
    if options.arms != DEFAULT_ARMS:
        words += ["--arms", ",".join(options.arms)]
    if options.columns:
        words += ["--columns", ",".join(f"{a}={b}" for a, b in options.columns.items())]
    if options.scale != DEFAULT_SCALE:
        words += ["--scale", f"{options.scale[0]}-{options.scale[1]}"]
    return shlex.join(words)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m analysis", description="Analyse a study.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _report_parser(commands.add_parser("report", help="write a study's full report"))
    _design_parser(
        commands.add_parser("design", help="check a running study, with no outcome by arm")
    )
    _consistency_parser(
        commands.add_parser("consistency", help="which whole ratings give a printed M, SD and t?")
    )
    _power_parser(commands.add_parser("power", help="power of the t test, or by simulation"))
    return parser


def _report_parser(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("bundle", type=Path, help="a bundle (zip or folder), a long or a wide CSV")
    add("--out", type=Path, required=True, metavar="DIR", help="folder for the report's files")
    add("--lang", choices=("en", "pl"), default="en", help="language of the report")
    add("--no-models", action="store_true", help="leave the ordinal and linear models out")
    add("--no-pdf", action="store_true", help="leave the PDF out")
    reading_arguments(parser)
    parser.set_defaults(command=_report)


def _design_parser(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("bundle", type=Path, help="a bundle (zip or folder)")
    add("--out", type=Path, required=True, metavar="DIR", help="folder for design.html")
    add("--lang", choices=("en", "pl"), default="en", help="language of the page")
    parser.set_defaults(command=_design)


def _consistency_parser(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--n", type=int, required=True, help="number of participants")
    add(
        "--scale",
        type=scale_from,
        default=DEFAULT_SCALE,
        metavar="LOW-HIGH",
        help="ends of the rating scale (1-5)",
    )
    add("--mean", required=True, help="mean as printed, such as 3.27")
    add("--sd", required=True, help="SD as printed")
    add("--reference-mean", help="mean of the other arm, for a paired t")
    add("--reference-sd", help="SD of the other arm")
    add("--t", help="paired t as printed")
    add("--p", help="its two-sided p as printed")
    parser.set_defaults(command=_consistency)


def _power_parser(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--n", type=int, required=True, help="pairs")
    add("--wanted", type=float, default=0.8, help="power to reach (0.8)")
    add("--d-z", type=float, help="true standardised difference of a t test")
    add("--shares", type=_shares, help="reference ratings, lowest first, such as 10,30,35,20,5")
    add("--odds-ratio", type=float, default=2.0, help="odds of a higher rating (2)")
    add("--correlation", type=float, default=0.0, help="of both ratings of a person (0)")
    add("--simulations", type=int, default=2000, help="simulated studies (2000)")
    add("--seed", type=int, default=1, help="of the simulation (1)")
    parser.set_defaults(command=_power)


def _shares(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))

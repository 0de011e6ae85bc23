"""Write numbers as a results section does: no zero before the point of a p, two decimals for M."""

from __future__ import annotations

from typing import Final

from analysis.stats.paired import Interval

UNDEFINED: Final = "-"


def fixed(value: float | None, decimals: int = 2, *, sign: bool = False) -> str:
    """A number with fixed decimals; `-` if undefined."""
    if value is None:
        return UNDEFINED
    # Adding zero turns a rounded -0.00 into 0.00.
    rounded = round(value, decimals) + 0.0
    return f"{rounded:+.{decimals}f}" if sign else f"{rounded:.{decimals}f}"


def p_equals(p: float | None, decimals: int = 4) -> str:
    """`p = .0039`, or `p < .0001` below the last decimal, or `p undefined`."""
    if p is None:
        return "p undefined"
    least = 10.0**-decimals
    return f"p < {bare(least, decimals)}" if p < least else f"p = {bare(p, decimals)}"


def p_only(p: float | None) -> str:
    """A p for a table's column: `.0039`, `< .0001`, or `-` if undefined."""
    return UNDEFINED if p is None else p_equals(p).removeprefix("p = ").removeprefix("p ")


def bare(value: float, decimals: int) -> str:
    """A number that cannot pass 1 in size, without the zero before its point."""
    text = fixed(value, decimals)
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def bracket(interval: Interval | None, decimals: int = 2) -> str:
    """`[0.28, 1.35]`, or `-` if undefined."""
    if interval is None:
        return UNDEFINED
    return f"[{fixed(interval.low, decimals)}, {fixed(interval.high, decimals)}]"


def percent(share: float | None) -> str:
    """`75.8 %`, or `-` if undefined."""
    return UNDEFINED if share is None else f"{100 * share:.1f} %"


def level_text(interval: Interval | None) -> str:
    """`95 % CI`, from the interval itself."""
    return "CI" if interval is None else f"{100 * interval.level:g} % CI"


def log10_text(log10: float | None) -> str:
    """A Bayes factor from its logarithm: `9.84`, `0.209`, or `10^14.2` where it is huge."""
    if log10 is None:
        return UNDEFINED
    if abs(log10) >= 4:
        return f"10^{log10:.1f}"
    value = 10.0**log10
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def whole(n: int, incomplete: int, word: str) -> str:
    """`33`, or `31 (2 incomplete)`."""
    return f"{n} ({incomplete} {word})" if incomplete else str(n)

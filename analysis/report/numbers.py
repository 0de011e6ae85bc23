"""Write numbers as a results section does, in English or in Polish.

English: no zero before the point of a p, two decimals for M. Polish: a comma, always with its zero,
a semicolon between the ends of an interval, and no blank before a per cent sign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # The site asks for the languages alone, and must not load the statistics for that.
    from analysis.stats.paired import Interval

UNDEFINED: Final = "-"
_DECIMAL_POINT: Final = re.compile(r"(?<![\w.])([+-]?\d*)\.(\d+)(?![\w.]|-\d)")


class Numbers:
    """Numbers in one language: `en` or `pl`."""

    def __init__(self, language: str) -> None:
        """Choose the marks of a language."""
        self._polish = language == "pl"
        self._undefined_p = "p nieokreślone" if self._polish else "p undefined"
        self._interval = "PU" if self._polish else "CI"
        self._ends = "; " if self._polish else ", "
        self._percent = "%" if self._polish else " %"

    def fixed(self, value: float | None, decimals: int = 2, *, sign: bool = False) -> str:
        """A number with fixed decimals; `-` if undefined."""
        if value is None:
            return UNDEFINED
        # Adding zero turns a rounded -0.00 into 0.00.
        rounded = round(value, decimals) + 0.0
        return self._mark(f"{rounded:+.{decimals}f}" if sign else f"{rounded:.{decimals}f}")

    def short(self, value: float) -> str:
        """A number with as many decimals as it needs, such as a bound or a sum of ranks."""
        return self._mark(f"{value:.12g}")

    def p_equals(self, p: float | None, decimals: int = 4) -> str:
        """`p = .0039`, or `p < .0001` below the last decimal, or `p undefined`."""
        if p is None:
            return self._undefined_p
        least = 10.0**-decimals
        if p < least:
            return f"p < {self.bare(least, decimals)}"
        # Just under 1 rounds to 1, which no p below 1 is.
        if p < 1 and round(p, decimals) == 1:
            return f"p > {self.bare(1 - least, decimals)}"
        return f"p = {self.bare(p, decimals)}"

    def p_only(self, p: float | None) -> str:
        """A p for a table's column: `.0039`, `< .0001`, or `-` if undefined."""
        if p is None:
            return UNDEFINED
        return self.p_equals(p).removeprefix("p = ").removeprefix("p ")

    def bare(self, value: float, decimals: int) -> str:
        """A number that cannot pass 1 in size; in English without the zero before its point."""
        text = self.fixed(value, decimals)
        if self._polish or not text.lstrip("-").startswith("0."):
            return text
        return text.replace("0.", ".", 1)

    def bracket(self, interval: Interval | None, decimals: int = 2, *, bare: bool = False) -> str:
        """`[0.28, 1.35]`, or `-` if undefined."""
        if interval is None:
            return UNDEFINED
        write = self.bare if bare else self.fixed
        return f"[{write(interval.low, decimals)}{self._ends}{write(interval.high, decimals)}]"

    def percent(self, share: float | None, decimals: int = 1) -> str:
        """`75.8 %`, or `-` if undefined."""
        if share is None:
            return UNDEFINED
        return f"{self.fixed(100 * share, decimals)}{self._percent}"

    def level_text(self, interval: Interval | None) -> str:
        """`95 % CI`, from the interval itself."""
        return self._interval if interval is None else self.level(interval.level)

    def with_ci(self, interval: Interval | None) -> str:
        """`95 % CI [0.28, 1.35]`."""
        return f"{self.level_text(interval)} {self.bracket(interval)}"

    def level(self, level: float) -> str:
        """`90 % CI`."""
        return f"{self.short(100 * level)}{self._percent} {self._interval}"

    def log10_text(self, log10: float | None) -> str:
        """A Bayes factor from its logarithm: `9.84`, `0.209`, or `10^14.2` where it is huge."""
        if log10 is None:
            return UNDEFINED
        if abs(log10) >= 4:
            return f"10^{self.fixed(log10, 1)}"
        value = 10.0**log10
        return self.fixed(value, 2 if value >= 1 else 3)

    def quoted(self, text: str) -> str:
        """Decimal points inside a text that came from elsewhere, such as a printed figure."""
        if not self._polish:
            return text
        commas = _DECIMAL_POINT.sub(lambda found: f"{found[1] or '0'},{found[2]}", text)
        return re.sub(r"(?<=\d) %", "%", commas)

    def _mark(self, text: str) -> str:
        return text.replace(".", ",") if self._polish else text


def whole(n: int, incomplete: int, word: str) -> str:
    """`33`, or `31 (2 incomplete)`."""
    return f"{n} ({incomplete} {word})" if incomplete else str(n)

"""Which whole-number ratings can give a printed M, SD and t: GRIM and GRIMMER, extended to t.

n ratings on a short whole-number scale have few possible sums and sums of squares. A printed mean
and SD keep only some of them; two conditions together leave a short list of possible paired t.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from analysis.errors import OptionError


@dataclass(frozen=True, slots=True)
class Printed:
    """A mean and an SD as printed, with the digits they were printed with, e.g. "3.27"."""

    mean: str
    sd: str


@dataclass(frozen=True, slots=True)
class Sums:
    """A sum and a sum of squares that fit, and in how many ways the counts can make them."""

    total: int
    squares: int
    histograms: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PossibleT:
    """A paired t that whole-number ratings can give, with its sum of squared differences."""

    squares: int
    t: float


def sums_possible(printed: Printed, *, n: int, scale: tuple[int, int]) -> tuple[Sums, ...]:
    """List every (sum, sum of squares) of n whole numbers on the scale that rounds as printed.

    Both rounding rules for a final 5 count as a fit.

    Raises:
        OptionError: n below 2, an empty scale, or a figure that is not a decimal number.
    """
    _check(n, scale)
    means, sds = _decimal(printed.mean, "mean"), _decimal(printed.sd, "SD")
    found: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for counts in _histograms(n, scale, means):
        found.setdefault(_moments(counts, scale[0]), []).append(counts)
    return tuple(
        Sums(total, squares, tuple(ways))
        for (total, squares), ways in sorted(found.items())
        if _fits(total, squares, n, means, sds)
    )


def t_possible(
    reference: tuple[Sums, ...], treatment: tuple[Sums, ...], *, n: int, lowest: int
) -> tuple[PossibleT, ...]:
    """List every paired t that the two conditions can give in some pairing, ascending in t."""
    found: dict[tuple[int, int], PossibleT] = {}
    for ref in reference:
        for treat in treatment:
            total = treat.total - ref.total
            least, most = _coupling_range(ref, treat, lowest)
            # 2 * sum(xy) is even, so every other sum of squares between the ends.
            for squares in range(least, most + 1, 2):
                spread = n * squares - total * total
                if spread > 0:
                    t = total * math.sqrt((n - 1) / spread)
                    found[total, squares] = PossibleT(squares, t)
    return tuple(sorted(found.values(), key=lambda possible: possible.t))


def nearest(possible: tuple[PossibleT, ...], t: str) -> tuple[PossibleT, ...]:
    """The possible t around a printed one: those that round to it, else the nearest three."""
    printed = _decimal(t, "t")
    fits = tuple(p for p in possible if _rounds_to(Decimal(p.t), printed))
    if fits:
        return fits
    close = sorted(possible, key=lambda p: abs(p.t - float(printed)))[:3]
    return tuple(sorted(close, key=lambda p: p.t))


def rounds_to(value: float, printed: str) -> bool:
    """Does a value round to a printed figure, by either rule for a final 5?"""
    return _rounds_to(Decimal(value), _decimal(printed, "figure"))


def _check(n: int, scale: tuple[int, int]) -> None:
    if n < 2:
        raise OptionError(f"n = {n} must be at least 2")
    if scale[0] >= scale[1]:
        raise OptionError(f"scale {scale[0]}-{scale[1]} must run from a lower to a higher number")


def _decimal(text: str, what: str) -> Decimal:
    if not text.lstrip("-").replace(".", "", 1).isdigit():
        raise OptionError(f"{what} {text!r} must be a decimal number as printed, such as 3.27")
    return Decimal(text)


def _rounds_to(value: Decimal, printed: Decimal) -> bool:
    return any(
        value.quantize(printed, rounding) == printed
        for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    )


def _fits(total: int, squares: int, n: int, mean: Decimal, sd: Decimal) -> bool:
    spread = Decimal(n * squares - total * total) / (n * (n - 1))
    return _rounds_to(Decimal(total) / n, mean) and _rounds_to(spread.sqrt(), sd)


def _histograms(n: int, scale: tuple[int, int], mean: Decimal) -> Iterator[tuple[int, ...]]:
    """All counts over the scale whose sum can round to the mean."""
    half = Decimal(1).scaleb(mean.as_tuple().exponent) / 2  # type: ignore[arg-type] # finite
    low, high = math.ceil((mean - half) * n), math.floor((mean + half) * n)
    values = list(range(scale[0], scale[1] + 1))
    for total in range(low, high + 1):
        yield from _fill(n, total, values)


def _fill(n: int, total: int, values: list[int]) -> Iterator[tuple[int, ...]]:
    """Counts of the values with n answers in all and the given sum."""
    first, *rest = values
    if not rest:
        if first * n == total:
            yield (n,)
        return
    for count in range(n + 1):
        left, sum_left = n - count, total - first * count
        if rest[0] * left <= sum_left <= rest[-1] * left:
            yield from ((count, *tail) for tail in _fill(left, sum_left, rest))


def _moments(counts: tuple[int, ...], lowest: int) -> tuple[int, int]:
    pairs = list(enumerate(counts, start=lowest))
    return sum(v * c for v, c in pairs), sum(v * v * c for v, c in pairs)


def _coupling_range(ref: Sums, treat: Sums, lowest: int) -> tuple[int, int]:
    """Least and greatest sum of squared differences over all histograms and pairings."""
    squares = ref.squares + treat.squares
    refs = [_spread_out(counts, lowest) for counts in ref.histograms]
    treats = [_spread_out(counts, lowest) for counts in treat.histograms]
    products_most = max(_product(x, y) for x in refs for y in treats)
    products_least = min(_product(x, y[::-1]) for x in refs for y in treats)
    return squares - 2 * products_most, squares - 2 * products_least


def _spread_out(counts: tuple[int, ...], lowest: int) -> list[int]:
    return [value for value, count in enumerate(counts, start=lowest) for _ in range(count)]


def _product(xs: list[int], ys: list[int]) -> int:
    return sum(x * y for x, y in zip(xs, ys, strict=True))

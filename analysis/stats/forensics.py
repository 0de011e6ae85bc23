"""Say in sentences what printed figures allow."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.special import stdtr

from analysis.stats.consistency import (
    PossibleT,
    Printed,
    Sums,
    nearest,
    rounds_to,
    sums_possible,
    t_possible,
)

_MOST: int = 12


def forensic_lines(
    printed: Printed,
    reference: Printed | None,
    *,
    n: int,
    scale: tuple[int, int],
    t: str | None = None,
    p: str | None = None,
) -> list[str]:
    """Check one arm's M and SD, and with the other arm's the paired t and p too.

    Args:
        printed: M and SD of the treatment, or of the only arm.
        reference: M and SD of the reference arm, if known.
        n: Participants.
        scale: Lowest and highest rating.
        t: Paired t as printed.
        p: Its two-sided p as printed.

    Raises:
        OptionError: A figure is no decimal number, or n or the scale makes no sense.
    """
    found = sums_possible(printed, n=n, scale=scale)
    lines = [_sums_line(printed, found, n, scale)]
    if reference is None:
        return lines
    other = sums_possible(reference, n=n, scale=scale)
    lines.append(_sums_line(reference, other, n, scale))
    if not found or not other:
        return lines
    possible = t_possible(other, found, n=n, lowest=scale[0])
    lines.append(_range_line(possible))
    if t is not None:
        lines += _t_lines(possible, t, n)
    if p is not None:
        lines += _p_lines(possible, p, n)
    return lines


def _sums_line(printed: Printed, found: Sequence[Sums], n: int, scale: tuple[int, int]) -> str:
    head = f"M = {printed.mean}, SD = {printed.sd}, n = {n}, ratings {scale[0]} to {scale[1]}"
    if not found:
        return f"{head}: impossible; no {n} whole ratings round to this M and SD."
    listed = ", ".join(
        f"sum {s.total} with squares {s.squares} ({len(s.histograms)} sets of counts)"
        for s in found[:_MOST]
    )
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return f"{head}: possible; {listed}{more}."


def _range_line(possible: Sequence[PossibleT]) -> str:
    squares = sorted(entry.squares for entry in possible)
    return (
        f"Paired t: {len(possible)} values are possible, from {possible[0].t:.4f} to "
        f"{possible[-1].t:.4f} (sum of squared differences {squares[0]} to {squares[-1]})."
    )


def _t_lines(possible: tuple[PossibleT, ...], t: str, n: int) -> list[str]:
    around = nearest(possible, t)
    fits = [entry for entry in around if rounds_to(entry.t, t)]
    listed = ", ".join(f"{e.t:.4f} (p = {_p(e.t, n):.6f})" for e in around)
    verdict = "possible" if fits else "impossible"
    return [f"Printed t = {t}: {verdict}; {'it is' if fits else 'next to it are'} {listed}."]


def _p_lines(possible: tuple[PossibleT, ...], p: str, n: int) -> list[str]:
    fits = [entry for entry in possible if rounds_to(_p(entry.t, n), p)]
    if not fits:
        return [f"Printed p = {p}: impossible with these M, SD and n."]
    listed = ", ".join(f"t = {entry.t:.4f}" for entry in fits[:_MOST])
    return [f"Printed p = {p}: possible; it belongs to {listed}."]


def _p(t: float, n: int) -> float:
    return 2 * float(stdtr(n - 1, -abs(t)))

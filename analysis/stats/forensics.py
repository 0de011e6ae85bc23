"""Say in sentences what printed figures allow."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.special import stdtr

from analysis.saying import Fixed, Saying, Several, say
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
    head = {"mean": printed.mean, "sd": printed.sd, "n": n, "low": scale[0], "high": scale[1]}
    if not found:
        return say("sums_impossible", **head)
    listed = [
        say("sums_one", total=s.total, squares=s.squares, count=len(s.histograms))
        for s in found[:_MOST]
    ]
    return say("sums_possible", **head, listed=_shortened(listed, len(found)))


def _shortened(listed: Sequence[str], count: int) -> Several | Saying:
    shown = Several(listed)
    return say("and_more", listed=shown, count=count - _MOST) if count > _MOST else shown


def _range_line(possible: Sequence[PossibleT]) -> str:
    squares = sorted(entry.squares for entry in possible)
    return say(
        "t_range",
        count=len(possible),
        first=Fixed(possible[0].t, 4),
        last=Fixed(possible[-1].t, 4),
        least=squares[0],
        most=squares[-1],
    )


def _t_lines(possible: tuple[PossibleT, ...], t: str, n: int) -> list[str]:
    around = nearest(possible, t)
    fits = any(rounds_to(entry.t, t) for entry in around)
    listed = Several([say("t_one", t=Fixed(e.t, 4), p=Fixed(_p(e.t, n), 6)) for e in around])
    return [say("t_possible" if fits else "t_impossible", t=t, listed=listed)]


def _p_lines(possible: tuple[PossibleT, ...], p: str, n: int) -> list[str]:
    fits = [entry for entry in possible if rounds_to(_p(entry.t, n), p)]
    if not fits:
        return [say("p_impossible", p=p)]
    listed = Several([say("t_bare", t=Fixed(entry.t, 4)) for entry in fits[:_MOST]])
    return [say("p_possible", p=p, listed=listed)]


def _p(t: float, n: int) -> float:
    return 2 * float(stdtr(n - 1, -abs(t)))

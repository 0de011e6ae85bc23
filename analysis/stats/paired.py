"""Student's paired t test on differences (treatment minus reference)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import stdtr, stdtrit

from analysis.errors import OptionError
from analysis.stats.describe import standard_deviation
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval with its level."""

    low: float
    high: float
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class PairedT:
    """The paired t test; what is undefined is null and `reason` says why.

    `p` is two-sided, `p_greater` one-sided for treatment above reference.
    """

    n: int
    mean: float | None
    sd: float | None
    se: float | None
    ci: Interval | None
    t: float | None
    df: int | None
    p: float | None
    p_greater: float | None
    reason: Reason = Reason.NONE


def paired_t(differences: Sequence[float], *, level: float = 0.95) -> PairedT:
    """Test whether the mean difference is zero.

    No p is given where the differences do not vary: t would be infinite and p zero although the
    data cannot say so (R refuses such data as essentially constant).

    Raises:
        OptionError: `level` is not between 0 and 1.
    """
    level_check(level)
    n, sd = len(differences), standard_deviation(differences)
    mean = math.fsum(differences) / n if n else None
    if mean is None or sd is None:
        return PairedT(n, mean, None, None, None, None, None, None, None, Reason.TOO_FEW)
    df, se = n - 1, sd / math.sqrt(n)
    if sd == 0.0:
        reason = Reason.ZERO_VARIANCE
        return PairedT(n, mean, 0.0, 0.0, None, None, df, None, None, reason)
    t = mean / se
    reach = float(stdtrit(df, (1 + level) / 2)) * se
    p = min(1.0, 2.0 * float(stdtr(df, -abs(t))))
    ci = Interval(mean - reach, mean + reach, level)
    return PairedT(n, mean, sd, se, ci, t, df, p, float(stdtr(df, -t)))


def level_check(level: float) -> None:
    """Refuse a confidence level such as 95.

    Raises:
        OptionError: `level` is not between 0 and 1.
    """
    if not 0.0 < level < 1.0:
        raise OptionError(f"confidence level {level} must lie between 0 and 1")

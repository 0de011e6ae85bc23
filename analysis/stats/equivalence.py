"""Two one-sided tests: is the mean difference inside a bound that was set beforehand?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import stdtr, stdtrit

from analysis.errors import OptionError
from analysis.stats.paired import Interval, paired_t
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class Tost:
    """TOST with a symmetric bound in scale points.

    `p` is the larger of both one-sided p. `smallest_bound` is the smallest bound that would have
    passed at `alpha`; it describes the data and is no bound one may have set.
    """

    bound: float
    alpha: float
    t_lower: float | None
    p_lower: float | None
    t_upper: float | None
    p_upper: float | None
    p: float | None
    ci: Interval | None
    smallest_bound: float | None
    reason: Reason = Reason.NONE


def tost(differences: Sequence[float], *, bound: float, alpha: float = 0.05) -> Tost:
    """Test equivalence within plus or minus `bound` scale points.

    Raises:
        OptionError: The bound is not positive.
    """
    if not bound > 0:
        raise OptionError(f"equivalence bound {bound} must be a positive number of scale points")
    test = paired_t(differences, level=1 - 2 * alpha)
    if test.mean is None or test.se is None or test.df is None or test.t is None:
        none = (None,) * 7
        return Tost(bound, alpha, *none, reason=test.reason)
    t_lower, t_upper = (test.mean + bound) / test.se, (test.mean - bound) / test.se
    p_lower, p_upper = float(stdtr(test.df, -t_lower)), float(stdtr(test.df, t_upper))
    reach = float(stdtrit(test.df, 1 - alpha)) * test.se
    return Tost(
        bound=bound,
        alpha=alpha,
        t_lower=t_lower,
        p_lower=p_lower,
        t_upper=t_upper,
        p_upper=p_upper,
        p=max(p_lower, p_upper),
        ci=test.ci,
        smallest_bound=abs(test.mean) + reach,
    )

"""JZS Bayes factor of a paired t test (Rouder and others 2009), in log space.

The prior of the standardised difference is a Cauchy with scale r. Libraries differ in r: R and JASP
use the root of one half, pingouin and jamovi 0.707; the scale is always named with the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, stdtr

from analysis.errors import OptionError
from analysis.stats.paired import PairedT
from analysis.stats.undefined import Reason

DEFAULT_SCALE: Final = math.sqrt(0.5)
ROBUSTNESS_SCALES: Final = (DEFAULT_SCALE, 1.0, math.sqrt(2.0))

# g = exp(x); the trapezoid rule on this range has all digits of BayesFactor's quadrature.
_X: Final[NDArray[np.float64]] = np.arange(-12.0, 40.0 + 1e-9, 0.05)
_STEP: Final = 0.05


@dataclass(frozen=True, slots=True)
class BayesFactor:
    """Evidence for a difference against none, as logarithms to base 10.

    `log10_bf10` is two-sided, `log10_bf_plus0` for treatment above reference only (the prior is
    cut at zero). `bf10` is null where it would overflow; its logarithm never is.
    """

    scale: float
    log10_bf10: float | None
    log10_bf_plus0: float | None
    reason: Reason = Reason.NONE

    @property
    def bf10(self) -> float | None:
        """The Bayes factor itself, if a float can hold it."""
        if self.log10_bf10 is None or abs(self.log10_bf10) > 300:
            return None
        return float(10.0**self.log10_bf10)


def jzs(test: PairedT, *, scale: float = DEFAULT_SCALE) -> BayesFactor:
    """Compute the Bayes factor of a paired t test.

    Raises:
        OptionError: The prior's scale is not positive.
    """
    if not scale > 0:
        raise OptionError(f"prior scale {scale} must be positive")
    if test.t is None:
        return BayesFactor(scale, None, None, test.reason)
    n, df, square = test.n, test.n - 1, test.t * test.t
    spread = 1 + n * scale**2 * np.exp(_X)
    # log of likelihood times inverse-gamma prior of g times dg/dx.
    weights = (
        -0.5 * np.log(spread)
        - (df + 1) / 2 * np.log1p(square / (spread * df))
        - 0.5 * math.log(2 * math.pi)
        - 0.5 * _X
        - 0.5 * np.exp(-_X)
    )
    null = -(df + 1) / 2 * math.log1p(square / df) - math.log(_STEP)
    positive = _log_positive(test.t, n, spread)
    two_sided = float(logsumexp(weights)) - null
    one_sided = float(logsumexp(weights + positive)) + math.log(2) - null
    return BayesFactor(scale, two_sided / math.log(10), one_sided / math.log(10))


def _log_positive(t: float, n: int, spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log P(difference > 0 | data, g): given g the posterior of the mean is a t with n df."""
    shrink = 1 - 1 / spread
    place = np.sqrt(shrink * n / (n - 1 + t * t / spread)) * t
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(stdtr(n, place), dtype=np.float64))

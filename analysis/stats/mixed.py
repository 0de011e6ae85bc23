"""Models by statsmodels: the linear mixed model and two population-averaged ordinal models.

statsmodels is imported when a model is fitted: it takes seconds.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from analysis.stats.likelihood import OrdinalData
from analysis.stats.ordinal import Coefficient, coefficient
from analysis.stats.undefined import Reason


@dataclass(frozen=True, slots=True)
class LinearTerm:
    """A slope in scale points, for a predictor that varies within participants."""

    name: str
    estimate: float
    se: float
    t: float
    df: int
    p: float


@dataclass(frozen=True, slots=True)
class LinearFit:
    """A linear mixed model with a random intercept, fitted by REML.

    statsmodels gives p of z. Here t has the degrees of freedom within participants (rows less
    participants less predictors), which for complete data is what Satterthwaite's method gives.
    """

    terms: tuple[LinearTerm, ...]
    sd_participant: float | None
    sd_residual: float | None
    loglik: float | None
    reason: Reason = Reason.NONE

    def of(self, name: str) -> LinearTerm | None:
        """The term with this name, if the model could be fitted."""
        return next((term for term in self.terms if term.name == name), None)


def linear_mixed(data: OrdinalData) -> LinearFit:
    """Fit ratings as numbers with a random intercept per participant."""
    y = np.array(data.ratings, dtype=np.float64)
    if len(set(data.ratings)) < 2:
        return LinearFit((), None, None, None, Reason.ZERO_VARIANCE)
    from statsmodels.regression.mixed_linear_model import MixedLM

    with warnings.catch_warnings():
        # A variance at zero is a finding here (see `reason`), not a warning.
        warnings.simplefilter("ignore")
        fit = MixedLM(y, _design(data), groups=np.array(data.participants)).fit(reml=True)
    variance = float(fit.cov_re[0, 0])
    df = len(y) - len(set(data.participants)) - len(data.predictors)
    terms = tuple(
        LinearTerm(name, float(b), float(se), float(b / se), df, 2 * float(stdtr(df, -abs(b / se))))
        for name, b, se in zip(data.predictors, fit.fe_params[1:], fit.bse_fe[1:], strict=True)
        if np.isfinite(b) and np.isfinite(se) and se > 0 and df > 0
    )
    reason = Reason.NONE if fit.converged else Reason.NOT_CONVERGED
    if variance < 1e-6:
        reason = Reason.BOUNDARY
    return LinearFit(terms, variance**0.5, float(fit.scale) ** 0.5, float(fit.llf), reason)


def ordinal_clustered(data: OrdinalData, name: str) -> Coefficient | None:
    """One slope of the plain ordinal model with SEs robust to who answered (null if not fitted)."""
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    x = np.array([data.predictors[key] for key in data.predictors], dtype=np.float64).T
    place = list(data.predictors).index(name)
    parameters = len(data.predictors) + len(set(data.ratings)) - 1
    if len(data.ratings) <= parameters or len(set(data.participants)) < 2:
        return None  # the correction for few clusters divides by what is left of both
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = OrderedModel(np.array(data.ratings), x, distr="logit")
        groups = np.unique(np.array(data.participants), return_inverse=True)[1]
        fit = model.fit(
            method="bfgs", disp=0, maxiter=500, cov_type="cluster", cov_kwds={"groups": groups}
        )
    return _finite(name, float(fit.params[place]), float(fit.bse[place]))


def ordinal_gee(data: OrdinalData, name: str) -> Coefficient | None:
    """One slope of the ordinal GEE with independence working structure (null if not fitted).

    The structure that would model the ties (`GlobalOddsRatio`) fails on tables with empty cells,
    the N=33 study's among them.
    """
    from statsmodels.genmod.cov_struct import Independence
    from statsmodels.genmod.generalized_estimating_equations import OrdinalGEE

    x = np.array([data.predictors[key] for key in data.predictors], dtype=np.float64).T
    y = np.array(data.ratings, dtype=np.float64)
    groups = np.unique(np.array(data.participants), return_inverse=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = OrdinalGEE(y, x, groups=groups, cov_struct=Independence()).fit()
        # A variance below zero, as tiny tables give, has no root: NaN, which `_finite` sorts out.
        estimates, errors = np.asarray(fit.params), np.asarray(fit.bse)
    place = len(set(data.ratings)) - 1 + list(data.predictors).index(name)
    return _finite(name, float(estimates[place]), float(errors[place]))


def _design(data: OrdinalData) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    columns = [np.ones(len(data.ratings)), *(np.array(c) for c in data.predictors.values())]
    return np.array(columns, dtype=np.float64).T


def _finite(name: str, estimate: float, se: float) -> Coefficient | None:
    if not (np.isfinite(estimate) and np.isfinite(se) and se > 0):
        return None
    return coefficient(name, estimate, se)

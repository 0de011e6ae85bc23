"""Why a statistic has no value: a reason travels with every null."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Machine-readable reasons; `NONE` means that the value is defined."""

    NONE = ""
    TOO_FEW = "too_few_pairs"
    ZERO_VARIANCE = "zero_variance"
    NO_NONZERO = "no_nonzero_difference"
    NO_ANSWERS = "no_answers"
    TOO_MANY = "too_many_values"
    DEGENERATE = "degenerate_interval"
    BOUNDARY = "variance_at_boundary"
    SEPARATION = "complete_separation"
    NOT_CONVERGED = "not_converged"
    NOT_COLLECTED = "not_collected"
    CONFOUNDED = "confounded"

    @property
    def text(self) -> str:
        """The reason in words."""
        return _TEXT[self]


_TEXT = {
    Reason.NONE: "",
    Reason.TOO_FEW: "too few complete pairs",
    Reason.ZERO_VARIANCE: "the differences do not vary",
    Reason.NO_NONZERO: "all differences are zero",
    Reason.NO_ANSWERS: "nobody answered",
    Reason.TOO_MANY: "more values than the method takes",
    Reason.DEGENERATE: "the interval has no width",
    Reason.BOUNDARY: "the variance between participants is estimated as zero",
    Reason.SEPARATION: "the arms are fully separated, no finite estimate exists",
    Reason.NOT_CONVERGED: "the fit did not converge",
    Reason.NOT_COLLECTED: "not asked in this study",
    Reason.CONFOUNDED: "confounded by the design",
}

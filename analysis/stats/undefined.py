"""Why a statistic has no value: a reason travels with every null."""

from __future__ import annotations

from enum import StrEnum

from analysis.saying import say


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
    NO_INTERVAL = "no_interval"
    TOO_FEW_SCENARIOS = "too_few_scenarios"
    TOO_FEW_LEVELS = "too_few_levels"
    SPARSE = "sparse_table"

    @property
    def text(self) -> str:
        """The reason in words."""
        return say(f"reason_{self.value}") if self.value else ""

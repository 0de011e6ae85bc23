"""Sentences that results carry: English text that knows its key, so that a report can translate it.

`say_<key>` in the report's texts of another language has the same fields; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Self

ENGLISH: Final[Mapping[str, str]] = {
    "no_findings_test": "{share} PARTICIPANTS ARE TEST DATA: these numbers are no findings",
    "no_findings_bot": "{share} PARTICIPANTS ARE MARKED AS A BOT: these numbers are no findings",
    "all": "ALL",
    "part": "{count} of {all}",
    "offline": "The texts were written by the offline stand-in models, not by a language model",
    "own": "Own texts: the researchers brought them, and no run of the gate stands behind them",
    "hashes": "{count} design hashes in one file",
    "changed": "{name} IS NOT THE FILE ITS MANIFEST DESCRIBES (SHA-256 differs)",
    "gone": "{name} IS GONE, although the manifest describes it",
    "plan_missing": "THE PLAN'S {part} NAMES WHAT THESE DATA DO NOT HOLD: {names}",
    "out_test": "test data",
    "out_bot": "marked as a bot",
    "out_incomplete": "did not reach the end",
    "out_too_fast": "answered a pair in under {seconds} s",
    "out_straight_lining": "gave one and the same rating {least} times or more",
    "out_attention": "failed more than {allowed} attention checks",
    "out_exposure_trace": "looked at a debate for less than {seconds} s",
    "out_exposure_report": "looked at a report for less than {seconds} s",
    "out_exposure_pair": "looked at a pair for less than {seconds} s",
    "out_coverage_trace": "saw less than {share} of a debate",
    "out_coverage_report": "saw less than {share} of a report",
    "position_unrecorded": (
        "Positions were not recorded: an effect of the position cannot be told from the arm's."
    ),
    "position_confounded": (
        "{scenario}: {arm} always stood left. The position is confounded with the arm and its "
        "effect cannot be estimated."
    ),
    "position_sealed": "The bundle is blind: which arm stood where is sealed.",
    "order_confounded": (
        "Every scenario had one fixed place in the order. Order and carry-over are confounded "
        "with the scenario."
    ),
    "few_pairs": (
        "Complete pairs: {n}. Whatever was answered, no exact test can reach a p below {least}"
    ),
    "exact": "exact",
    "normal_corrected": "normal with continuity correction",
    "population_average": "population average",
    "reason_too_few_pairs": "too few complete pairs",
    "reason_zero_variance": "the differences do not vary",
    "reason_no_nonzero_difference": "all differences are zero",
    "reason_no_answers": "nobody answered",
    "reason_too_many_values": "more values than the method takes",
    "reason_degenerate_interval": "the interval has no width",
    "reason_variance_at_boundary": "the variance between participants is estimated as zero",
    "reason_complete_separation": (
        "the answers are fully separated by arm, no finite estimate exists"
    ),
    "reason_not_converged": "the fit did not converge",
    "reason_not_collected": "not asked in this study",
    "reason_no_interval": "the approximation of the interval fails for these values",
    "reason_confounded": "confounded by the design",
    "reason_too_few_levels": "fewer than three different ratings",
    "reason_sparse_table": "fewer than five ratings for each level and arm",
    "reason_too_few_scenarios": "fewer than three scenarios with a known difference in PF",
    "sums_impossible": (
        "M = {mean}, SD = {sd}, n = {n}, ratings {low} to {high}: impossible; no {n} whole ratings "
        "round to this M and SD."
    ),
    "sums_possible": (
        "M = {mean}, SD = {sd}, n = {n}, ratings {low} to {high}: possible; {listed}."
    ),
    "sums_one": "sum {total} with squares {squares} ({count} sets of counts)",
    "and_more": "{listed} and {count} more",
    "t_range": (
        "Paired t: {count} values are possible, from {first} to {last} (sum of squared "
        "differences {least} to {most})."
    ),
    "t_possible": "Printed t = {t}: possible; it is {listed}.",
    "t_impossible": "Printed t = {t}: impossible; next to it are {listed}.",
    "t_one": "{t} (p = {p})",
    "t_bare": "t = {t}",
    "p_possible": "Printed p = {p}: possible; it belongs to {listed}.",
    "p_impossible": "Printed p = {p}: impossible with these M, SD and n.",
    "why_not": (
        "t({df}) = {t}, p = {p}; {printed} cannot be: next to it, these M, SD and n allow {reach}."
    ),
    "and": "{first} and {last}",
}


class Saying(str):
    """An English sentence with the key and the fields that it was made of."""

    __slots__ = ("fields", "key")

    key: str
    fields: Mapping[str, object]

    def __new__(cls, key: str, fields: Mapping[str, object]) -> Self:
        """Fill the English text of a key."""
        made = super().__new__(cls, ENGLISH[key].format(**fields))
        made.key, made.fields = key, fields
        return made


class Several(str):
    """Parts of a sentence, one after the other."""

    __slots__ = ("parts",)

    parts: Sequence[str]

    def __new__(cls, parts: Sequence[str]) -> Self:
        """Join the parts by commas."""
        made = super().__new__(cls, ", ".join(parts))
        made.parts = parts
        return made


class Fixed(str):
    """A rounded number in a sentence, which a report may write in its language's own way.

    `bare` numbers, such as p, have no zero before the point in English.
    """

    __slots__ = ("bare", "decimals", "value")

    value: float
    decimals: int
    bare: bool

    def __new__(cls, value: float, decimals: int, *, bare: bool = False) -> Self:
        """Round to a number of decimals."""
        text = f"{value:.{decimals}f}"
        made = super().__new__(cls, text.replace("0.", ".", 1) if bare else text)
        made.value, made.decimals, made.bare = value, decimals, bare
        return made


def say(key: str, **fields: object) -> Saying:
    """Make a sentence; a field may be a sentence itself."""
    return Saying(key, fields)

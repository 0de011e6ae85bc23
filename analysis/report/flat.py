"""The core rows as one flat CSV table: a line a measure, with full precision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from analysis.bundle import csv_bytes
from analysis.results.core import ChoiceRow, Core, RatingRow
from analysis.schema import cell

HEAD: Final = (
    "scenario", "measure", "kind", "n", "incomplete", "reference_mean", "reference_sd",
    "treatment_mean", "treatment_sd", "difference", "difference_sd", "ci_low", "ci_high", "t", "df",
    "p", "d_z", "d_z_low", "d_z_high", "w_plus", "w_minus", "wilcoxon_p", "sign_flip_p",
    "sign_test_p", "tost_p", "reference_count", "treatment_count", "neither", "both",
    "treatment_share", "share_p", "deciders", "deciders_share", "deciders_p", "undefined",
)  # fmt: skip


def flat(core: Core) -> str:
    """Write the table; an undefined value is an empty cell with its reason in the last column."""
    lines = [*map(_rating, core.ratings), *map(_choice, core.choices)]
    return csv_bytes(HEAD, _cells(lines)).decode()


def _cells(lines: list[dict[str, float | int | str | None]]) -> Iterator[list[str]]:
    for line in lines:
        yield [cell(line.get(name)) for name in HEAD]


def _rating(row: RatingRow) -> dict[str, float | int | str | None]:
    test, effect, ci = row.t_test, row.d_z, row.t_test.ci
    return {
        "scenario": row.scenario,
        "measure": row.measure,
        "kind": "rating",
        "n": row.n,
        "incomplete": len(row.incomplete),
        "reference_mean": row.reference.mean,
        "reference_sd": row.reference.sd,
        "treatment_mean": row.treatment.mean,
        "treatment_sd": row.treatment.sd,
        "difference": test.mean,
        "difference_sd": test.sd,
        "ci_low": None if ci is None else ci.low,
        "ci_high": None if ci is None else ci.high,
        "t": test.t,
        "df": test.df,
        "p": test.p,
        "d_z": effect.value,
        "d_z_low": None if effect.ci is None else effect.ci.low,
        "d_z_high": None if effect.ci is None else effect.ci.high,
        "w_plus": row.wilcoxon.w_plus,
        "w_minus": row.wilcoxon.w_minus,
        "wilcoxon_p": row.wilcoxon.p,
        "sign_flip_p": row.sign_flip.p,
        "sign_test_p": row.sign_test.p,
        "tost_p": row.tost.p,
        "undefined": test.reason.value,
    }


def _choice(row: ChoiceRow) -> dict[str, float | int | str | None]:
    return {
        "scenario": row.scenario,
        "measure": row.measure,
        "kind": "choice",
        "n": row.n,
        "reference_count": row.reference.count,
        "treatment_count": row.treatment.count,
        "neither": row.counts["neither"],
        "both": row.counts["both"],
        "treatment_share": row.treatment.share,
        "share_p": row.treatment.p,
        "deciders": row.treatment_of_deciders.n,
        "deciders_share": row.treatment_of_deciders.share,
        "deciders_p": row.treatment_of_deciders.p,
        "undefined": row.treatment_of_deciders.reason.value,
    }

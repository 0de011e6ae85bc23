"""Repeated-measures and mixed ANOVA; the one module that imports pingouin.

pingouin renamed its columns twice (0.6, 0.7), rounds what it shows and takes seconds to import.
Everything that depends on its names is here.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_LARGEST_F: Final = 1e12


@dataclass(frozen=True, slots=True)
class AnovaRow:
    """One effect: F, degrees of freedom, p and generalised (or partial, if said) eta squared."""

    source: str
    f: float
    df: tuple[int, int]
    p: float
    eta2: float
    eta2_kind: str


def within_anova(
    table: Mapping[str, Sequence[object]], *, rating: str, within: tuple[str, str], subject: str
) -> tuple[AnovaRow, ...]:
    """Two factors within participants, as afex's `aov_ez`.

    Where a factor has more than two levels, p is corrected for sphericity (Greenhouse-Geisser).
    An effect whose F is undefined, because ratings do not vary, is left out.

    Args:
        table: Columns by name, one entry a rating.
        rating: Column of the rating.
        within: Columns of the two factors.
        subject: Column of the participant.
    """
    import pandas as pd
    import pingouin as pg

    frame = pd.DataFrame(dict(table))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pg.rm_anova(
            data=frame, dv=rating, within=list(within), subject=subject, effsize="ng2"
        )
    rows = tuple(
        AnovaRow(
            source=str(row["Source"]).replace(" * ", ":"),
            f=float(row["F"]),
            df=(int(row["ddof1"]), int(row["ddof2"])),
            p=_corrected(row),
            eta2=float(row["ng2"]),
            eta2_kind="generalised",
        )
        for _, row in found.iterrows()
    )
    return tuple(filter(_defined, rows))


def mixed_anova(
    table: Mapping[str, Sequence[object]], *, rating: str, within: str, between: str, subject: str
) -> tuple[AnovaRow, ...]:
    """One factor between participants (such as the cohort) and one within (the arm).

    An effect whose F is undefined, because ratings do not vary, is left out.
    """
    import pandas as pd
    import pingouin as pg

    frame = pd.DataFrame(dict(table))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pg.mixed_anova(
            data=frame, dv=rating, within=within, between=between, subject=subject
        )
    names = {"Interaction": f"{between}:{within}"}
    rows = tuple(
        AnovaRow(
            source=names.get(str(row["Source"]), str(row["Source"])),
            f=float(row["F"]),
            df=(int(row["DF1"]), int(row["DF2"])),
            p=float(row["p_unc"]),
            eta2=float(row["np2"]),
            eta2_kind="partial",
        )
        for _, row in found.iterrows()
    )
    return tuple(filter(_defined, rows))


def _defined(row: AnovaRow) -> bool:
    """Without error variance pingouin gives F = inf, or a huge one by rounding, and p = 0."""
    return all(map(math.isfinite, (row.f, row.p, row.eta2))) and row.f < _LARGEST_F


def _corrected(row: Mapping[str, float]) -> float:
    corrected = float(row["p_GG_corr"]) if "p_GG_corr" in row else float("nan")
    return float(row["p_unc"]) if math.isnan(corrected) else corrected

"""Our numbers against R's and others' on the N=33 study, within each value's stated tolerance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.reference import ours
from tests.analysis.studies import SHARED

FILE = SHARED / "n33" / "reference_values.json"
VALUES: dict[str, dict[str, Any]] = (
    {entry["id"]: entry for entry in json.loads(FILE.read_bytes())["values"]}
    if FILE.is_file()
    else {}
)
OURS = ours()

# Ids that nothing here answers, by a part of their name, with the reason.
LEFT_OUT = {
    ".scipy_": "shows what scipy does, right or wrong; ours are the exact values",
    "_laplace.se": "R gives NA at the boundary where ours falls back to the plain model",
    "_laplace.p_wald": "as above",
    "_agq10.se": "as above",
    "_agq10.p_wald": "as above",
    "clmm_pooled_pid_pidscen": "a second random intercept, singular in R; not offered",
    "lmm_max": "singular in R; not offered",
    "lmm_ri.(Intercept)": "the intercept is no effect; its degrees of freedom differ",
    "multiplicity6.bonferroni": "not offered: Holm is never worse",
    "multiplicity6.hommel": "not offered",
    "multiplicity6.BY": "not offered",
    ".chisq_": "chi-square forms of McNemar's test; the exact one is used",
    "faithful_gof4": "four options equally likely is no hypothesis of this study",
    "hodges_lehmann_ci95": "R's root of a normal statistic; the exact median is used",
    "dav_meansd": "another standardiser; d_av is the mean variance here",
    "gav_df64_approx": "another convention of g_av; df = n - 1 is used",
    "skew_diff": "not shown",
    "exkurt_diff": "not shown",
    "published_forensics.t_from_rounded_means": "a guess at how 3.12 came about",
    "published_forensics.unpaired_t_s026": "as above",
}


def test_every_reference_value_is_answered_or_left_out_for_a_reason(shared: Path) -> None:
    unanswered = set(VALUES) - set(OURS)
    assert {name for name in unanswered if not any(part in name for part in LEFT_OUT)} == set()
    assert all(any(part in name for name in unanswered) for part in LEFT_OUT)


@pytest.mark.reference
@pytest.mark.parametrize("name", sorted(OURS))
def test_it_equals_the_reference(name: str, shared: Path) -> None:
    entry = VALUES[name]
    for found, wanted in zip(flat(OURS[name]()), flat(entry["value"]), strict=True):
        if wanted is None:
            assert found is None
        else:
            assert found == pytest.approx(wanted, abs=entry["tol"] or 1e-12, rel=0)


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value

"""Our core against R on 26 more data sets: small, tied, zero, degenerate."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from analysis.stats.bayes import jzs
from analysis.stats.effects import d_z
from analysis.stats.equivalence import tost
from analysis.stats.exact import integers_from, sign_flip, sign_test, wilcoxon
from analysis.stats.normality import shapiro
from analysis.stats.paired import PairedT, paired_t
from analysis.stats.ranks import rank_biserial
from tests.analysis.studies import SHARED

FILE = SHARED / "oracles" / "r_oracle_likert.json"
SETS: list[dict[str, Any]] = (
    json.loads(FILE.read_bytes())["sets"] if FILE.is_file() else [{"id": "absent"}]
)
UNDEFINED = {"identical", "all_floor", "ceiling_vs_floor", "n1"}

pytestmark = [
    pytest.mark.reference,
    pytest.mark.parametrize("oracle", SETS, ids=lambda oracle: str(oracle["id"])),
]


@pytest.fixture(autouse=True)
def _oracles(shared: Path) -> None:
    """Skip, with a word, where the oracles are not there."""


def tenths(oracle: dict[str, Any]) -> tuple[int, ...]:
    """Differences as whole numbers of tenths, so that `sleep` has exact ties too."""
    pairs = zip(oracle["baseline"], oracle["apg"], strict=True)
    return integers_from([y - x for x, y in pairs], decimals=1)


def t_of(oracle: dict[str, Any]) -> PairedT:
    return paired_t([d / 10 for d in tenths(oracle)])


def near(value: float | None, wanted: float, tolerance: float = 1e-9) -> bool:
    return value is not None and value == pytest.approx(wanted, abs=tolerance, rel=tolerance)


def test_the_t_test(oracle: dict[str, Any]) -> None:
    test = t_of(oracle)
    if oracle["id"] in UNDEFINED:
        # R: NaN, or "data are essentially constant", or "not enough observations".
        assert (test.t, test.p, test.ci) == (None, None, None)
        assert test.reason
        return
    assert test.ci is not None
    assert near(test.t, oracle["t_test"]["t"])
    assert near(test.p, oracle["t_test"]["p"])
    assert near(test.ci.low, oracle["t_test"]["ci"][0])
    assert near(test.ci.high, oracle["t_test"]["ci"][1])
    assert near(test.p_greater, oracle["t_greater_p"]["p"])


@pytest.mark.parametrize("pratt", [False, True])
def test_the_exact_wilcoxon_test(oracle: dict[str, Any], pratt: bool) -> None:
    wanted = oracle["wilcox_exact_pratt_coin" if pratt else "wilcox_exact_conditional"]
    found = wilcoxon(tenths(oracle), pratt=pratt)
    if "error" in wanted:
        assert (found.p, found.reason.value) == (None, "no_nonzero_difference")
    else:
        assert near(found.p, wanted["p"])


def test_the_rank_sums(oracle: dict[str, Any]) -> None:
    assert wilcoxon(tenths(oracle)).w_plus == oracle["wilcox_normal_cc"]["V"]


def test_the_sign_flip_test(oracle: dict[str, Any]) -> None:
    wanted = oracle["perm_exact"]["p"] if "perm_exact" in oracle else enumerated(tenths(oracle))
    assert near(sign_flip(tenths(oracle)).p, wanted)


def enumerated(differences: tuple[int, ...]) -> float:
    """All sign changes, one by one: R's test of decimals is missing from the oracle."""
    sums = [sum(way) for way in product(*((d, -d) for d in differences))]
    return sum(abs(total) >= abs(sum(differences)) for total in sums) / len(sums)


def test_the_sign_test(oracle: dict[str, Any]) -> None:
    found = sign_test(tenths(oracle))
    if "error" in oracle["sign_p"]:
        assert found.p is None
    else:
        assert near(found.p, oracle["sign_p"]["p"])


def test_equivalence(oracle: dict[str, Any]) -> None:
    found = tost([d / 10 for d in tenths(oracle)], bound=0.5)
    if oracle["id"] in UNDEFINED:
        # R's by-hand TOST gives p = 0 without variance; that is no evidence of anything.
        assert found.p is None
    else:
        assert near(found.p_lower, oracle["tost05"]["p_lower"])
        assert near(found.p_upper, oracle["tost05"]["p_upper"])
        assert near(found.p, oracle["tost05"]["p"])


def test_the_bayes_factor(oracle: dict[str, Any]) -> None:
    found = jzs(t_of(oracle)).bf10
    if oracle["id"] in UNDEFINED:
        assert found is None
    else:
        assert near(found, oracle["bf10"]["bf"], 1e-6)


def test_shapiro(oracle: dict[str, Any]) -> None:
    found = shapiro([d / 10 for d in tenths(oracle)])
    if "error" in oracle["shapiro"]:
        assert found.w is None
        assert found.reason
    else:
        assert near(found.w, oracle["shapiro"]["W"], 1e-5)
        assert near(found.p, oracle["shapiro"]["p"], 1e-4)


def test_d_z(oracle: dict[str, Any]) -> None:
    found = d_z(t_of(oracle))
    if oracle["id"] in UNDEFINED:
        assert found.value is None
        return
    assert found.ci is not None
    assert near(found.value, oracle["cohens_dz"]["d"])
    # effectsize searches with optim and stops early.
    assert near(found.ci.low, oracle["cohens_dz"]["ci"][0], 1e-4)
    assert near(found.ci.high, oracle["cohens_dz"]["ci"][1], 1e-4)


def test_the_rank_biserial_correlation(oracle: dict[str, Any]) -> None:
    found = rank_biserial(tenths(oracle))
    if oracle["id"] in {"identical", "all_floor"}:
        # effectsize calls 0/0 a perfect correlation.
        assert found.value is None
        return
    assert found.ci is not None
    assert near(found.value, oracle["rank_biserial"]["r"])
    assert near(found.ci.low, oracle["rank_biserial"]["ci"][0], 1e-6)
    assert near(found.ci.high, oracle["rank_biserial"]["ci"][1], 1e-6)

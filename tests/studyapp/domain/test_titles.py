"""Titles that participants read."""

from __future__ import annotations

import pytest

from studyapp.domain.titles import title_problem

ARMS = ("plain", "checked")


@pytest.mark.parametrize(
    "title",
    [
        "aegis_blackout, kg_cfr_full, exp_e2_20260313_223929_kg_cfr_full_009",
        "run-26-b",
        "exp 20260313",
        "deadbeef12",
        "debate.json",
        "The Baseline",
        "What the gate let through",
        "Checked: the bridge",
        "run_9 APG",
    ],
)
def test_a_title_that_is_an_id_or_names_a_condition_is_refused(title: str) -> None:
    assert title_problem(title, arms=ARMS)


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Sharing scarce electricity",
        "COVID-19 in Radom",
        "The 2026-2027 budget of 150000 euro",
        "U.S. aid",
        "A three-way split",
        "Jak podzielić wodę?",
    ],
)
def test_a_title_in_words_is_taken(title: str) -> None:
    assert title_problem(title, arms=ARMS) == ""

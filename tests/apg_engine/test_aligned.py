"""A claim that is a sentence of the record but for one place: what is a veto, and what is not."""

from __future__ import annotations

import pytest

from apg_engine import Label
from tests.apg_engine.test_ladder import verdict_of

SAID = (
    "The dam crossing should receive 36 metres of panels if the valve stays shut.",
    "The clinic crossing is 30 metres long. The clinic crossing could wait until the morning.",
    "The Dam Operators ask for the heavy vehicle of the depot.",
    "The 26 planned operations can wait until Friday without added risk.",
    "The pump could fail. The market could move to the cold hall before the season ends.",
)


@pytest.mark.parametrize(
    ("claim", "kind", "claimed", "found"),
    [
        ("The dam crossing should receive 36 metres of panels.",
         "condition", "none", "if the valve stays shut"),
        ("The clinic crossing should receive 36 metres of panels if the valve stays shut.",
         "entity", "clinic crossing", "dam crossing"),
        ("The crossing should receive 36 metres of panels if the valve stays shut.",
         "entity", "crossing", "dam crossing"),
        ("The dam crossing will receive 36 metres of panels if the valve stays shut.",
         "modal", "will", "should"),
        ("The dam crossing should receive 36 barrels of panels if the valve stays shut.",
         "unit", "36 barrel", "36 "),
        ("The Dam Operators receive the heavy vehicle of the depot.", "modal", "receive", "ask"),
        ("The clinic crossing could wait until the evening.", "date", "evening", "morning"),
        ("The 26 operations can wait until Friday without added risk.",
         "entity", "operations", "planned operations"),
        ("The pump could move to the cold hall before the season ends.",
         "entity", "pump could", "market could"),
    ],
)  # fmt: skip
def test_one_other_place_is_a_veto_with_both_spans(
    claim: str, kind: str, claimed: str, found: str
) -> None:
    verdict = verdict_of(claim, *SAID)

    assert verdict.decided_by == f"ladder: {kind} veto"
    assert verdict.label in {Label.CONTRADICTED, Label.NOT_ENOUGH_INFORMATION}
    assert claimed in verdict.reason.split(", T")[0]
    assert found in verdict.reason.split(", T")[1]
    assert verdict.opposing


@pytest.mark.parametrize(
    "claim",
    [
        # Another word may mean the same: the ladder does not know.
        "The dam crossing should obtain 36 metres of panels if the valve stays shut.",
        "The market could shift to the cold hall before the season ends.",
        # A weaker statement follows, and a rule has nothing against it.
        "The 26 planned operations may wait until Friday without added risk.",
        # Two places differ: no longer this sentence.
        "The clinic crossing should lose 36 metres of panels if the valve stays shut.",
    ],
)
def test_merely_another_wording_stays_undetermined(claim: str) -> None:
    assert verdict_of(claim, *SAID).label is Label.UNDETERMINED

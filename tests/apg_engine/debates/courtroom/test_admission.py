from __future__ import annotations

import pytest

from apg_engine.debates.courtroom.admission import Admission, Weight


@pytest.mark.parametrize(
    ("relevance", "credibility", "expected"),
    [
        (1.0, 0.51, Admission.ADMITTED),
        (1.0, 0.5, Admission.FLAGGED),
        (0.5, 0.21, Admission.FLAGGED),
        (1.0, 0.1, Admission.DISCARDED),
        (0.0, 1.0, Admission.DISCARDED),
    ],
)
def test_the_bands_are_the_paper_s(
    relevance: float, credibility: float, expected: Admission
) -> None:
    assert Weight(relevance, credibility).admission is expected


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_weight_outside_0_to_1_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="allowed is a number from 0 to 1"):
        Weight(value, 0.5)

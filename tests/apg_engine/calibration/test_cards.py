from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apg_engine.calibration.card import (
    CalibrationCard,
    Flips,
    card_from_dict,
    card_to_dict,
)
from apg_engine.calibration.fidelity import fidelity_calibrate
from apg_engine.calibration.permit import gate_permit
from apg_engine.calibration.tally import Tally
from apg_engine.errors import CardError, UncalibratedAuditorError
from apg_engine.records import Fidelity

SHA = "a" * 64
CARD = CalibrationCard(
    auditor="judge 7",
    auditor_sha256=SHA,
    data_set="planted debates",
    data_sha256="b" * 64,
    genre="debate",
    language="en",
    date="2026-11-30",
    support=Tally(200, 180, 200, 10, 390),
    claim_only=Tally(200, 110, 200, 90, 400),
    shuffled=Tally(200, 4, 200, 3, 400),
    flips=(Flips("repeat", 3, 400),),
)


def test_a_card_is_read_back_as_it_was() -> None:
    data = json.loads(json.dumps(card_to_dict(CARD)))

    assert card_from_dict(data, file_name="card.json") == CARD
    assert data["rates"]["TPR"] == "0.900 [0.851, 0.934]"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"version": 2}, "schema"),
        ({"auditor": ""}, "auditor"),
        ({"auditor_sha256": "short"}, "auditor_sha256"),
        ({"date": "yesterday"}, "date"),
        ({"mood": "good"}, "fields"),
        ({"support": None}, "support"),
        ({"support": {"positives": 3}}, "support"),
        ({"support": card_to_dict(CARD)["support"] | {"true_positives": 201}},
         "support.true_positives"),
        ({"support": card_to_dict(CARD)["support"] | {"decided": True}}, "support.decided"),
        ({"claim_only": [1]}, "claim_only"),
        ({"flips": [{"what": "repeat", "changed": 5, "n": 4}]}, "flips[0].changed"),
        ({"flips": [3]}, "flips[0]"),
        ({"flips": {}}, "flips"),
    ],
)  # fmt: skip
def test_a_wrong_card_is_refused_with_the_place(change: dict[str, Any], place: str) -> None:
    with pytest.raises(CardError) as caught:
        card_from_dict(card_to_dict(CARD) | change, file_name="card.json")

    assert caught.value.place == place
    assert "card.json" in str(caught.value)


def test_rates_in_the_file_are_not_believed() -> None:
    data = card_to_dict(CARD) | {"rates": {"TPR": "1.000"}}

    assert card_from_dict(data, file_name="card.json").support.tpr.value == 0.9


class TestPermit:
    def test_an_auditor_that_beats_the_claims_alone_may_steer(self) -> None:
        assert gate_permit(CARD, auditor="judge 7") == ""

    @pytest.mark.parametrize(
        ("card", "why"),
        [
            (replace(CARD, support=Tally(200, 115, 200, 90, 400)), "the claims alone give 0.550"),
            (replace(CARD, claim_only=None), "no claim-only control"),
            (replace(CARD, support=Tally(20, 20, 20, 0, 40)), "too few cases"),
        ],
    )
    def test_one_that_does_not_is_refused_with_the_figures(
        self, card: CalibrationCard, why: str
    ) -> None:
        with pytest.raises(UncalibratedAuditorError, match=why):
            gate_permit(card, auditor="judge 7")

    def test_it_is_used_only_if_forced_by_its_own_name(self) -> None:
        weak = replace(CARD, support=Tally(200, 115, 200, 90, 400))

        with pytest.raises(UncalibratedAuditorError):
            gate_permit(weak, auditor="judge 7", forced="judge 8")
        assert "forced" in gate_permit(weak, auditor="judge 7", forced="judge 7")


class TestCalibratedFidelity:
    def test_raw_and_corrected_stand_beside_the_number_of_sentences(self) -> None:
        found = fidelity_calibrate(Fidelity(15, 20), card=CARD, auditor_sha256=SHA, language="en")

        assert (found.supported, found.sentences, found.domain) == (15, 20, "in domain")
        assert found.corrected == pytest.approx((0.75 - 0.05) / 0.85)
        assert found.corrected is not None
        assert found.low is not None
        assert found.high is not None
        assert found.low < found.corrected < found.high

    @pytest.mark.parametrize("change", [{"genre": "abstracts"}, {"language": "pl"}])
    def test_a_card_of_another_genre_or_language_is_out_of_domain(
        self, change: dict[str, Any]
    ) -> None:
        card = replace(CARD, **change)

        found = fidelity_calibrate(Fidelity(15, 20), card=card, auditor_sha256=SHA, language="en")

        assert found.domain == "out of domain"
        assert found.corrected is not None

    def test_what_a_card_cannot_carry_is_null_with_the_reason(self) -> None:
        weak = replace(CARD, support=Tally(200, 60, 200, 30, 400))

        found = fidelity_calibrate(Fidelity(15, 20), card=weak, auditor_sha256=SHA, language="en")

        assert (found.corrected, found.low, found.high) == (None, None, None)
        assert found.reason == "TPR - FPR is 0.15, under 0.2"

    def test_a_card_of_another_version_corrects_nothing(self) -> None:
        found = fidelity_calibrate(
            Fidelity(15, 20), card=CARD, auditor_sha256="c" * 64, language="en"
        )

        assert found.corrected is None
        assert "another version" in found.reason

    def test_without_a_card_only_the_raw_pf_is_given(self) -> None:
        found = fidelity_calibrate(Fidelity(15, 20), card=None, auditor_sha256=SHA, language="en")

        assert (found.domain, found.corrected) == ("no card", None)

    @given(st.data())
    def test_a_corrected_pf_is_a_share_inside_its_interval(self, data: st.DataObject) -> None:
        total = data.draw(st.integers(1, 60))
        supported = data.draw(st.integers(0, total))
        tpr = data.draw(st.integers(20, 100))
        fpr = data.draw(st.integers(0, tpr - 20))
        card = replace(CARD, support=Tally(100, tpr, 100, fpr, 200))

        found = fidelity_calibrate(
            Fidelity(supported, total), card=card, auditor_sha256=SHA, language="en"
        )

        assert found.corrected is not None
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.high <= 1
        assert 0 <= found.corrected <= 1

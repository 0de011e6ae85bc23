from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import (
    ConfigError,
    GateConfig,
    MemoryJournal,
    ModelSpec,
    config_from_dict,
    config_to_dict,
    gate,
    models_from_config,
    result_from_dict,
    result_to_dict,
)
from apg_engine.calibration.card import CalibrationCard, card_to_dict
from apg_engine.calibration.card_files import card_read, ladder_card
from apg_engine.calibration.identity import auditor_sha256
from apg_engine.calibration.tally import Tally
from apg_engine.calibration.weights import card_weight
from apg_engine.errors import CardError, UncalibratedAuditorError
from apg_engine.models import auditor_build
from tests.apg_engine.auditors.scorers import bag_folder
from tests.apg_engine.traces_for_tests import agreeing

JUDGE = ModelSpec(kind="scripted", name="judge", script=("{}",))
GOOD = Tally(200, 180, 200, 10, 390)
CHANCE = Tally(200, 100, 200, 95, 400)


def card_for(spec: ModelSpec, *, support: Tally = GOOD, **change: str) -> CalibrationCard:
    auditor = auditor_build(spec, environment={})
    card = CalibrationCard(
        auditor=auditor.name,
        auditor_sha256=auditor_sha256(auditor),
        data_set="cases",
        data_sha256="b" * 64,
        genre="debate",
        language="en",
        date="2026-11-30",
        support=support,
        claim_only=Tally(200, 110, 200, 90, 400),
    )
    return replace(card, **change)  # type: ignore[arg-type]  # only text fields are changed here


def written(card: CalibrationCard, folder: Path) -> str:
    path = folder / "card.json"
    path.write_text(json.dumps(card_to_dict(card)))
    return str(path)


def test_an_offline_run_comes_with_the_ladders_card() -> None:
    config = GateConfig()
    result = gate(
        agreeing(),
        config=config,
        models=models_from_config(config, environment={}),
        journal=MemoryJournal(),
    )

    assert result.card == ladder_card()
    for pair in result.pairs:
        assert pair.fidelity
        assert pair.calibrated
        assert pair.calibrated.sentences == pair.fidelity.total
        assert pair.calibrated.domain == "in domain"
    again = result_from_dict(json.loads(json.dumps(result_to_dict(result))))
    assert again == result


def test_a_model_that_does_not_beat_the_claims_alone_is_refused(tmp_path: Path) -> None:
    weak = written(card_for(JUDGE, support=CHANCE), tmp_path)
    config = GateConfig(auditor=replace(JUDGE, card=weak))

    with pytest.raises(UncalibratedAuditorError, match="judge is refused as a gate"):
        models_from_config(config, environment={})
    forced = models_from_config(replace(config, forced_auditor="judge"), environment={})
    assert [w for w in forced.warnings if "was forced" in w]


def test_a_model_that_does_may_steer_and_one_without_a_card_is_told_of(tmp_path: Path) -> None:
    good = written(card_for(JUDGE), tmp_path)

    carded = GateConfig(auditor=replace(JUDGE, card=good))

    assert models_from_config(carded, environment={}).warnings == ()
    bare = models_from_config(GateConfig(auditor=JUDGE), environment={})
    assert bare.warnings == ("the auditor has no calibration card",)


def test_a_card_that_cannot_be_read_is_an_error_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    with pytest.raises(CardError, match=r"card\.json"):
        card_read(path)
    for content in ("[]", "{", "{}"):
        path.write_text(content)
        with pytest.raises(CardError, match=r"card\.json"):
            card_read(path)


class TestLocalAuditors:
    def test_a_cross_encoder_is_named_by_its_folder(self, tmp_path: Path) -> None:
        spec = ModelSpec(kind="nli", path=str(bag_folder(tmp_path)))

        auditor = auditor_build(spec, environment={})

        assert auditor.name.startswith("nli bag ")
        assert not auditor.offline

    def test_it_can_be_one_more_veto_of_the_ladder(self, tmp_path: Path) -> None:
        config = GateConfig(auditor=ModelSpec(path=str(bag_folder(tmp_path))))
        models = models_from_config(config, environment={})
        result = gate(agreeing(), config=config, models=models, journal=MemoryJournal())

        assert "with veto by nli bag" in result.models.auditor
        # The ladder's own card says nothing about the two together.
        assert result.card is None
        assert result.pairs[0].calibrated
        assert result.pairs[0].calibrated.domain == "no card"

    def test_an_ensemble_weighs_its_members_by_their_cards(self, tmp_path: Path) -> None:
        other = replace(JUDGE, name="other")
        carded = replace(JUDGE, card=written(card_for(JUDGE), tmp_path))
        spec = ModelSpec(kind="ensemble", members=(carded, other), rule="majority")

        auditor = auditor_build(spec, environment={})

        assert auditor.name == "ensemble (majority) of judge; other"
        weights = [member[2] for member in json.loads(auditor.identity)[1]]
        assert weights == [pytest.approx(0.851 - 0.090, abs=0.002), 0.0]


def test_a_weight_falls_with_domain_version_and_proof() -> None:
    card = card_for(JUDGE)
    sha = card.auditor_sha256

    full = card_weight(card, auditor_sha256=sha, language="en")

    assert card_weight(card, auditor_sha256=sha, language="pl") == full / 2
    assert card_weight(card, auditor_sha256="0" * 64, language="en") == 0
    assert card_weight(None, auditor_sha256=sha, language="en") == 0
    assert card_weight(replace(card, support=CHANCE), auditor_sha256=sha, language="en") == 0


def test_a_configuration_with_members_is_read_back_as_it_was() -> None:
    spec = ModelSpec(
        kind="ensemble",
        members=(JUDGE, ModelSpec(kind="nli", path="model", thresholds="t.json")),
        rule="unanimous",
    )
    config = GateConfig(auditor=spec, forced_auditor="judge")

    assert config_from_dict(json.loads(json.dumps(config_to_dict(config)))) == config


@pytest.mark.parametrize(
    ("auditor", "place"),
    [
        ({"kind": "nli"}, "auditor.path"),
        ({"kind": "ensemble"}, "auditor.members"),
        ({"members": [{}, {}]}, "auditor.members"),
        ({"kind": "ensemble", "members": [{"kind": "ensemble"}, {}]}, "auditor.members[0].kind"),
        ({"kind": "ensemble", "members": {}}, "auditor.members"),
        ({"kind": "ensemble", "members": [{}, {}], "rule": "mean"}, "auditor.rule"),
    ],
)
def test_a_half_named_auditor_is_refused(auditor: dict[str, object], place: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config_from_dict({"auditor": auditor})

    assert caught.value.place == place


def test_a_local_auditor_is_no_proposer() -> None:
    with pytest.raises(ConfigError):
        config_from_dict({"proposer": {"kind": "nli", "path": "model"}})

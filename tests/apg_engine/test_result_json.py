"""What a result says of its models and texts, and its way through JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from apg_engine import (
    GateConfig,
    MemoryJournal,
    ModelSpec,
    Trace,
    gate,
    models_from_config,
    result_from_dict,
    result_to_dict,
)
from apg_engine.errors import ResultError
from tests.apg_engine.scripted_pair import FACT, run
from tests.apg_engine.traces_for_tests import agreeing, trace_of, two_sided


def same_model() -> GateConfig:
    spec = ModelSpec(kind="scripted", name="one", script=("All is well.",))
    return GateConfig(proposer=spec, auditor=spec)


def test_one_model_in_both_roles_is_marked() -> None:
    config = same_model()
    models = models_from_config(config, environment={})
    result = gate(trace_of(FACT), config=config, models=models, journal=MemoryJournal())

    assert "symmetric" in result.warnings
    assert "offline models" not in result.warnings


def test_offline_models_are_marked_and_named_as_what_they_are() -> None:
    config = GateConfig()
    models = models_from_config(config, environment={})
    result = gate(two_sided(), config=config, models=models, journal=MemoryJournal())

    assert "offline models" in result.warnings
    assert "symmetric" not in result.warnings
    assert result.models.proposer_offline
    assert result.models.auditor_offline
    assert "offline" in result.models.proposer
    assert "offline" in result.models.auditor


def test_words_that_would_unblind_a_text_are_reported() -> None:
    result, _ = run("The gate is good.")

    assert any("gate" in warning for warning in result.warnings)


@pytest.mark.parametrize("trace", [two_sided(), agreeing()], ids=["divergence", "synthesis"])
def test_a_result_survives_its_way_through_json(trace: Trace) -> None:
    config = replace(GateConfig(), language="pl")
    models = models_from_config(config, environment={})
    result = gate(trace, config=config, models=models, journal=MemoryJournal())

    data = result_to_dict(result)

    assert result_from_dict(json.loads(json.dumps(data))) == result
    assert result_from_dict(data) == result


def test_a_result_that_was_not_judged_survives_too() -> None:
    result, _ = run("Thank you.")

    assert result_from_dict(json.loads(json.dumps(result_to_dict(result)))) == result


@pytest.mark.parametrize(
    "change", [{"schema": "x"}, {"version": 2}, {"pairs": None}, {"outcome": "won"}, {"extra": 1}]
)
def test_another_files_data_is_refused(change: dict[str, object]) -> None:
    result, _ = run("All is good.")

    with pytest.raises(ResultError):
        result_from_dict({**result_to_dict(result), **change})

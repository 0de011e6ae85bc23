from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from apg_engine import (
    ConfigError,
    GateConfig,
    ModelSetupError,
    ModelSpec,
    config_from_dict,
    config_to_dict,
    models_from_config,
)


def test_the_paper_preset_names_the_papers_models_and_settings() -> None:
    config = GateConfig.preset("paper")

    assert (config.threshold_percent, config.pairs, config.policy) == (95, 3, "paper")
    assert config.proposer.name == "gemini-3-flash-preview"
    assert config.auditor.name == "gemini-3.1-pro-preview"
    for spec in (config.proposer, config.auditor):
        assert (spec.temperature, spec.max_tokens) == (0.5, 8192)
        assert spec.base_url.startswith("https://")


def test_an_auditor_is_not_sampled_unless_asked_for() -> None:
    assert GateConfig().auditor.temperature == 0.0


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(ConfigError, match="offline or paper"):
        GateConfig.preset("cheap")


@pytest.mark.parametrize("preset", ["offline", "paper"])
def test_a_configuration_survives_its_way_through_json(preset: str) -> None:
    config = replace(GateConfig.preset(preset), language="pl", pairs=5)

    assert config_from_dict(json.loads(json.dumps(config_to_dict(config)))) == config


def test_absent_fields_keep_their_defaults() -> None:
    assert config_from_dict({}) == GateConfig()


LIVE = {"kind": "openai", "name": "m"}
BAD: list[tuple[str, dict[str, Any]]] = [
    ("threshold_percent", {"threshold_percent": 0}),
    ("threshold_percent", {"threshold_percent": 0.95}),
    ("threshold_percent", {"threshold_percent": True}),
    ("pairs", {"pairs": 0}),
    ("pairs", {"pairs": 12}),
    ("pairs", {"pairs": "3"}),
    ("policy", {"policy": "lenient"}),
    ("language", {"language": "de"}),
    ("configuration", {"treshold": 95}),
    ("proposer", {"proposer": "offline"}),
    ("kind", {"proposer": {"kind": "magic"}}),
    ("auditor", {"auditor": {"api_key": "sk-123"}}),
    ("name", {"auditor": {"kind": "openai"}}),
    ("temperature", {"auditor": {**LIVE, "temperature": -0.1}}),
    ("temperature", {"auditor": {**LIVE, "temperature": float("nan")}}),
    ("max_tokens", {"auditor": {**LIVE, "max_tokens": 0}}),
    ("attempts", {"auditor": {**LIVE, "attempts": 0}}),
    ("timeout_seconds", {"auditor": {**LIVE, "timeout_seconds": "1"}}),
    ("script", {"auditor": {"kind": "scripted", "script": "one"}}),
    ("base_url", {"proposer": {**LIVE, "base_url": "ftp://x"}}),
    ("base_url", {"proposer": {**LIVE, "base_url": "localhost:80"}}),
    ("base_url", {"proposer": {**LIVE, "base_url": "https://user:pass@host/v1"}}),
    ("base_url", {"proposer": {**LIVE, "base_url": "https://host/v1?key=abc"}}),
]


@pytest.mark.parametrize(("place", "data"), BAD)
def test_a_value_that_is_not_allowed_is_refused_by_name(place: str, data: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as refused:
        config_from_dict(data)

    assert place in str(refused.value)
    assert "allowed" in str(refused.value)


def test_a_secret_in_an_address_is_not_repeated_in_the_error() -> None:
    with pytest.raises(ConfigError) as refused:
        config_from_dict({"proposer": {**LIVE, "base_url": "https://user:hunter2@host/v1"}})

    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("environment", [{}, {"KEY": "  "}])
def test_a_missing_key_is_refused_before_any_call(environment: dict[str, str]) -> None:
    spec = ModelSpec(kind="openai", name="m", base_url="http://127.0.0.1:9/v1", api_key_env="KEY")

    with pytest.raises(ModelSetupError, match="KEY"):
        models_from_config(GateConfig(auditor=spec), environment=environment)


def test_a_public_endpoint_without_a_key_name_is_refused() -> None:
    with pytest.raises(ModelSetupError, match="api_key_env"):
        models_from_config(GateConfig(proposer=ModelSpec(kind="openai", name="m")), environment={})


def test_used_prompts_are_listed_with_version_and_hash() -> None:
    scripted = ModelSpec(kind="scripted", name="s", script=("x",))
    live = models_from_config(GateConfig(proposer=scripted, auditor=scripted), environment={})
    offline = models_from_config(GateConfig(), environment={})

    assert [label.split(" sha256:")[0] for label in live.prompts] == [
        "propose 1",
        "repair 1",
        "audit 1",
    ]
    assert offline.prompts == ()

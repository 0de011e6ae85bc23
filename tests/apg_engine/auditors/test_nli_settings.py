from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apg_engine.auditors.nli_settings import (
    NliSettings,
    settings_from_dict,
    settings_read,
    settings_to_dict,
)
from apg_engine.errors import CardError

SETTINGS = NliSettings(
    contradicted=0.61, aggregation="both", candidates=3, model_sha256="a" * 64, data_set="dev"
)


def test_thresholds_are_read_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "thresholds.json"
    path.write_text(json.dumps(settings_to_dict(SETTINGS)))

    assert settings_read(path) == SETTINGS


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"version": 9}, "schema"),
        ({"contradicted": 0.4}, "contradicted"),
        ({"supported": True}, "supported"),
        ({"not_enough": 1.2}, "not_enough"),
        ({"aggregation": "mean"}, "aggregation"),
        ({"candidates": 0}, "candidates"),
        ({"genre": 3}, "genre"),
        ({"colour": "red"}, "fields"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(change: dict[str, Any], place: str) -> None:
    with pytest.raises(CardError) as caught:
        settings_from_dict(settings_to_dict(SETTINGS) | change, file_name="t.json")

    assert caught.value.place == place


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_file_that_holds_no_thresholds_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "thresholds.json"
    path.write_text(content)

    with pytest.raises(CardError, match=r"thresholds\.json"):
        settings_read(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CardError, match="No such file"):
        settings_read(tmp_path / "thresholds.json")

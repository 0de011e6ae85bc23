"""A cross-encoder saved by transformers: what is missing is said before weights are loaded."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from apg_engine import ModelSetupError
from apg_engine.auditors.nli_folder import pair_scorer_load
from tests.apg_engine.auditors.scorers import bag_folder

LABELS = {"0": "ENTAILMENT", "1": "CONTRADICTION", "2": "NEUTRAL"}


def saved(folder: Path) -> Path:
    """A folder as `save_pretrained` leaves it, but for the weights themselves."""
    made = bag_folder(folder)
    (made / "model.onnx").unlink()
    (made / "model.safetensors").write_bytes(b"weights would stand here")
    (made / "config.json").write_text(json.dumps({"model_type": "bert", "id2label": LABELS}))
    return made


def test_without_the_packages_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(ModelSetupError, match=r"torch is not installed; pip install transformers"):
        pair_scorer_load(saved(tmp_path))


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = saved(tmp_path)
    (folder / name).unlink()

    with pytest.raises(ModelSetupError, match=f"{name} is missing"):
        pair_scorer_load(folder)


def test_classes_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    folder = saved(tmp_path)
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}))

    with pytest.raises(ModelSetupError, match="id2label"):
        pair_scorer_load(folder)


def test_pickled_weights_are_not_loaded(tmp_path: Path) -> None:
    folder = saved(tmp_path)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")

    with pytest.raises(ModelSetupError, match=r"\.onnx files: found none"):
        pair_scorer_load(folder)


def test_where_both_are_saved_the_onnx_weights_are_taken(tmp_path: Path) -> None:
    folder = bag_folder(tmp_path)
    (folder / "model.safetensors").write_bytes(b"not looked at")

    assert pair_scorer_load(folder).longest == 256

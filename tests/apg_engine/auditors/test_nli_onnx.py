from __future__ import annotations

import json
import math
import shutil
import sys
from pathlib import Path

import pytest

from apg_engine import ModelSetupError
from apg_engine.auditors.nli_onnx import OnnxPairScorer, nli_load
from apg_engine.auditors.nli_scoring import Pair
from tests.apg_engine.auditors.scorers import bag_folder

PAIRS = [
    Pair("The pump draws 9 MW.", "The pump draws 8 MW."),
    Pair("It rains.", "The pump does not draw 9 MW."),
    Pair("It was denied.", "The fan really rests."),
]


def refuted_by(model: OnnxPairScorer, pairs: list[Pair]) -> list[float]:
    return [scores.refuted for scores in model.score(pairs)]


def test_it_reads_the_three_classes(tmp_path: Path) -> None:
    model = nli_load(bag_folder(tmp_path))

    (plain, negated, torn) = model.score(PAIRS)

    assert plain.not_enough > plain.supported == plain.refuted
    assert negated.refuted > 0.99
    assert torn.supported > torn.refuted > torn.not_enough
    for scores in (plain, negated, torn):
        assert math.isclose(scores.supported + scores.refuted + scores.not_enough, 1)


def test_scores_do_not_depend_on_the_pairs_beside_them(tmp_path: Path) -> None:
    model = nli_load(bag_folder(tmp_path))
    many = [*PAIRS, *(Pair("rains " * n, "It rains.") for n in range(1, 60))]

    together = refuted_by(model, many)

    assert model.batch > 1
    assert together[:3] == pytest.approx([refuted_by(model, [pair])[0] for pair in PAIRS])
    assert refuted_by(model, many[::-1]) == pytest.approx(together[::-1])
    assert model.score([]) == []


def test_the_settings_in_the_tokenizers_file_cut_nothing(tmp_path: Path) -> None:
    model = nli_load(bag_folder(tmp_path, longest_in_file=8))
    long = f"{'rains ' * 100}confirmed"

    assert model.score([Pair(long, "It rains.")])[0].supported > 0.9
    assert len(model.token_spans(long)) == 101


def test_evidence_is_cut_at_the_models_length_and_the_claim_never(tmp_path: Path) -> None:
    model = nli_load(bag_folder(tmp_path))
    long = f"{'rains ' * 300}confirmed"

    (scores,) = model.score([Pair(long, "The pump does not draw.")])

    assert scores.refuted > 0.9
    assert scores.supported < 0.1


def test_the_order_of_classes_is_read_from_the_configuration(tmp_path: Path) -> None:
    folder = bag_folder(tmp_path)
    labels = {"0": "CONTRADICTION", "1": "entailment", "2": "NEUTRAL"}
    (folder / "config.json").write_text(json.dumps({"id2label": labels}))

    (scores,) = nli_load(folder).score([Pair("It rains.", "It does not rain.")])

    assert scores.supported > 0.99


def test_a_configuration_without_labels_leaves_the_order(tmp_path: Path) -> None:
    folder = bag_folder(tmp_path)
    (folder / "config.json").write_text("{}")

    (scores,) = nli_load(folder).score([Pair("It rains.", "It does not rain.")])

    assert scores.refuted > 0.99


@pytest.mark.parametrize(
    "config",
    [
        '{"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}}',
        '{"id2label": {"0": "entailment", "1": "not_entailment"}}',
        '{"id2label": {"1": "entailment"}}',
        '{"id2label": 3}',
        "not JSON",
    ],
)
def test_classes_that_cannot_be_told_apart_are_refused(tmp_path: Path, config: str) -> None:
    folder = bag_folder(tmp_path)
    (folder / "config.json").write_text(config)

    with pytest.raises(ModelSetupError, match="id2label"):
        nli_load(folder)


def test_a_folder_without_a_whole_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelSetupError, match="is no folder"):
        nli_load(tmp_path / "absent")
    with pytest.raises(ModelSetupError, match="found none; allowed: exactly one"):
        nli_load(tmp_path)
    folder = bag_folder(tmp_path)
    shutil.copy(folder / "model.onnx", folder / "other.onnx")
    with pytest.raises(ModelSetupError, match=r"found model\.onnx, other\.onnx"):
        nli_load(folder)
    (folder / "other.onnx").unlink()
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelSetupError, match=r"tokenizer\.json is missing"):
        nli_load(folder)


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
def test_a_broken_file_is_refused(tmp_path: Path, broken: str) -> None:
    folder = bag_folder(tmp_path)
    (folder / broken).write_bytes(b"nothing of the sort")

    with pytest.raises(ModelSetupError, match="cannot be loaded"):
        nli_load(folder)


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bag_folder(tmp_path)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)

    with pytest.raises(
        ModelSetupError, match=r"onnxruntime is not installed.*requirements-nli\.txt"
    ):
        nli_load(folder)


def test_the_hash_covers_weights_and_tokenizer(tmp_path: Path) -> None:
    plain = nli_load(bag_folder(tmp_path / "a")).sha256
    other = nli_load(bag_folder(tmp_path / "b", longest_in_file=9)).sha256

    assert plain == nli_load(bag_folder(tmp_path / "c")).sha256
    assert plain != other


@pytest.mark.timeout(120)
class TestTheSmallRealModel:
    """What its own page says it can be trusted with, seen on a sentence of our own."""

    SAID = "The restart reserve should receive 12 MWh before Thursday."

    def test_it_sees_a_quote_a_negation_and_a_number(self, shared: Path) -> None:
        model = nli_load(shared / "models" / "nli_minilm_int8")

        same, negated, number, empty = model.score(
            [
                Pair(self.SAID, self.SAID),
                Pair(self.SAID, self.SAID.replace("should", "should not")),
                Pair(self.SAID, self.SAID.replace("12", "40")),
                Pair("", self.SAID),
            ]
        )

        assert same.supported > 0.5
        assert negated.refuted > 0.5
        assert number.refuted > 0.5
        assert empty.not_enough > 0.5

    def test_its_quantised_weights_are_scored_pair_by_pair(self, shared: Path) -> None:
        model = nli_load(shared / "models" / "nli_minilm_int8")
        other = Pair("It rains.", "The pumping station of the valley needs power at night.")

        alone = model.score([Pair(self.SAID, self.SAID)])

        assert model.batch == 1
        assert model.score([other, Pair(self.SAID, self.SAID)])[1:] == alone

"""A cross-encoder as a folder of safetensors weights, run with transformers and torch on the CPU.

Both packages are large and are no extra of ours: who has such a model has them. They are imported
when a model is loaded, not before. Nothing is fetched, and no code of the folder is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apg_engine.auditors.nli_classes import files_sha256, order_read, scores_of
from apg_engine.auditors.nli_scoring import Pair, PairScores, batch_size, pairs_score
from apg_engine.errors import ModelSetupError

_LONGEST = 512
_INSTALL = "pip install transformers torch, or convert the model to ONNX"


def transformers_load(folder: Path, *, threads: int = 1) -> TransformersPairScorer:
    """Load the model in a folder: config.json, *.safetensors and a fast tokenizer.

    Args:
        folder: where the files are.
        threads: for one inference; it holds for everything torch does in this process.

    Raises:
        ModelSetupError: a file or a package is missing, or the model is no such classifier.
    """
    weights = sorted(folder.glob("*.safetensors"))
    tokenizer = folder / "tokenizer.json"
    config = folder / "config.json"
    missing = [path.name for path in (config, tokenizer) if not path.is_file()]
    if missing or not weights:
        found = ", ".join([*missing, *([] if weights else ["*.safetensors"])])
        raise ModelSetupError(f"nli: {folder}: {found} is missing")
    order = order_read(config)
    try:
        # Some seconds to import; who audits without such a model does not pay for it.
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar
    except ImportError as error:
        raise ModelSetupError(
            f"nli: the package {error.name} is not installed; {_INSTALL}"
        ) from error
    torch.set_num_threads(threads)
    disable_progress_bar()
    try:
        model = AutoModelForSequenceClassification.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
        encoder = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, use_fast=True, trust_remote_code=False
        )
    except Exception as error:  # what these raise for a broken file has no common base
        raise ModelSetupError(f"nli: {folder} cannot be loaded: {error}") from error
    if not encoder.is_fast:
        raise ModelSetupError(f"nli: {folder}: found a slow tokenizer; allowed: a fast one")
    sha256 = files_sha256(*weights, tokenizer, config)
    return TransformersPairScorer(folder.name, model, encoder, order, sha256)


class TransformersPairScorer:
    """Scores pairs with a torch module."""

    def __init__(
        self, name: str, model: Any, tokenizer: Any, order: tuple[str, ...], sha256: str
    ) -> None:
        self.name = name
        self.sha256 = sha256
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._order = order
        self.longest = _longest(model, tokenizer)
        self._batch = batch_size(self._encoded, self._infer)

    @property
    def batch(self) -> int:
        """Pairs scored at once."""
        return self._batch

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Give the first and last character of each token."""
        encoded = self._tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False,
            verbose=False,
        )  # fmt: skip
        return [(start, end) for start, end in encoded["offset_mapping"] if end > start]

    def score(self, pairs: Sequence[Pair]) -> list[PairScores]:
        """Score pairs; equal pairs are scored once."""
        return pairs_score(pairs, encode=self._encoded, infer=self._infer, batch=self._batch)

    def _encoded(self, pairs: Sequence[Pair]) -> list[_Encoded]:
        if not pairs:
            return []
        encoded = self._tokenizer(
            [pair.evidence for pair in pairs], [pair.claim for pair in pairs],
            truncation="only_first", max_length=self.longest,
        )  # fmt: skip
        names = list(encoded)
        return [_Encoded({n: encoded[n][at] for n in names}) for at in range(len(pairs))]

    def _infer(self, encoded: Sequence[_Encoded]) -> list[PairScores]:
        import torch

        padded = self._tokenizer.pad([one.inputs for one in encoded], return_tensors="pt")
        with torch.inference_mode():
            logits = self._model(**padded).logits
        return [scores_of(row, self._order, self.name) for row in logits.double().tolist()]


class _Encoded:
    """The inputs of one pair; its length is that of its tokens."""

    def __init__(self, inputs: dict[str, list[int]]) -> None:
        self.inputs = inputs

    def __len__(self) -> int:
        return len(self.inputs["input_ids"])


def _longest(model: Any, tokenizer: Any) -> int:
    """The model's places, some of which RoBERTa keeps for itself."""
    places = getattr(model.config, "max_position_embeddings", None) or _LONGEST
    kept = (getattr(model.config, "pad_token_id", 0) or 0) + 1
    roomy = places - kept if model.config.model_type in {"roberta", "xlm-roberta"} else places
    return int(min(_LONGEST, roomy, tokenizer.model_max_length))

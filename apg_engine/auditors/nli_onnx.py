"""A cross-encoder as ONNX weights with a tokenizer file, run on the CPU.

The two packages it needs are an extra (requirements-nli.txt) and are imported when a model is
loaded, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.auditors.nli_classes import files_sha256, order_read, scores_of
from apg_engine.auditors.nli_scoring import Pair, PairScores, batch_size, pairs_score
from apg_engine.errors import ModelSetupError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

_EXTRA = "install the extra: pip install -r requirements-nli.txt"
_LONGEST = 256


@dataclass(frozen=True, slots=True)
class _Files:
    weights: Path
    tokenizer: Path
    order: tuple[str, ...]


def nli_load(folder: Path, *, threads: int = 1) -> OnnxPairScorer:
    """Load the model in a folder: one .onnx file, a tokenizer.json, perhaps a config.json.

    The order of the classes is read from `id2label` of config.json; without it the order is
    supported, refuted, not enough.

    Args:
        folder: where the files are.
        threads: for one inference; one by default, as the gate is one of several workers.

    Raises:
        ModelSetupError: a file or a package is missing, or the model has other inputs or classes.
    """
    files = _files_find(folder)
    try:
        # Both take a noticeable time to import; who audits without them does not pay for it.
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError as error:
        missing = f"nli: the package {error.name} is not installed; {_EXTRA}"
        raise ModelSetupError(missing) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            files.weights, options, providers=["CPUExecutionProvider"]
        )
        tokenizer = Tokenizer.from_file(str(files.tokenizer))
    except Exception as error:  # both libraries raise errors straight below Exception
        raise ModelSetupError(f"nli: {folder} cannot be loaded: {error}") from error
    return OnnxPairScorer(folder.name, session, tokenizer, files)


class OnnxPairScorer:
    """Scores pairs with an ONNX session.

    Weights quantised dynamically scale their activations over a whole batch, so that a pair's
    score depends on its neighbours (by up to 0.47 with the model this was written with). Pairs
    are batched only where a probe shows that it changes nothing.
    """

    def __init__(
        self, name: str, session: InferenceSession, tokenizer: Tokenizer, files: _Files
    ) -> None:
        self.name = name
        self.longest = _LONGEST
        self.sha256 = files_sha256(files.weights, files.tokenizer)
        self._session = session
        self._plain = _copied(tokenizer)
        self._tokenizer = _copied(tokenizer)
        self._tokenizer.enable_truncation(self.longest, strategy="only_first")
        self._order = files.order
        self._inputs = _inputs_check(session, name)
        self._batch = batch_size(self._encoded, self._infer)

    @property
    def batch(self) -> int:
        """Pairs scored at once."""
        return self._batch

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Give the first and last character of each token."""
        encoded = self._plain.encode(text, add_special_tokens=False)
        return [(start, end) for start, end in encoded.offsets if end > start]

    def score(self, pairs: Sequence[Pair]) -> list[PairScores]:
        """Score pairs; equal pairs are scored once."""
        return pairs_score(pairs, encode=self._encoded, infer=self._infer, batch=self._batch)

    def _encoded(self, pairs: Sequence[Pair]) -> list[Encoding]:
        return list(self._tokenizer.encode_batch([(pair.evidence, pair.claim) for pair in pairs]))

    def _infer(self, encoded: Sequence[Encoding]) -> list[PairScores]:
        # An engine without this auditor never needs it.
        import numpy as np

        width = max(len(one.ids) for one in encoded)
        shape = (len(encoded), width)
        arrays: dict[str, NDArray[np.int64]] = {
            name: np.zeros(shape, dtype=np.int64) for name in self._inputs
        }
        for row, one in enumerate(encoded):
            for name in self._inputs:
                arrays[name][row, : len(one.ids)] = _of_input(one, name)
        logits = np.asarray(self._session.run(None, dict(arrays))[0], dtype=np.float64)
        return [scores_of(row, self._order, self.name) for row in logits.tolist()]


def _files_find(folder: Path) -> _Files:
    if not folder.is_dir():
        raise ModelSetupError(f"nli: {folder} is no folder; allowed: a folder with a model")
    weights = sorted(folder.glob("*.onnx"))
    if len(weights) != 1:
        found = ", ".join(path.name for path in weights) or "none"
        raise ModelSetupError(f"nli: {folder}: .onnx files: found {found}; allowed: exactly one")
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise ModelSetupError(f"nli: {folder}: tokenizer.json is missing")
    return _Files(weights[0], tokenizer, order_read(folder / "config.json"))


def _copied(tokenizer: Tokenizer) -> Tokenizer:
    """Give a copy that neither cuts nor pads, whatever its file says."""
    copy = type(tokenizer).from_str(tokenizer.to_str())
    copy.no_padding()
    copy.no_truncation()
    return copy


def _inputs_check(session: InferenceSession, name: str) -> tuple[str, ...]:
    inputs = tuple(one.name for one in session.get_inputs())
    unknown = [one for one in inputs if one not in _INPUTS]
    if unknown or "input_ids" not in inputs:
        raise ModelSetupError(
            f"nli: {name}: inputs: found {', '.join(inputs)}; allowed: {', '.join(_INPUTS)}"
        )
    return inputs


_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def _of_input(encoded: Encoding, name: str) -> list[int]:
    if name == "input_ids":
        return list(encoded.ids)
    return list(encoded.type_ids if name == "token_type_ids" else encoded.attention_mask)

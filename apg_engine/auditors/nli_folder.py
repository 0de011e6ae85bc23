"""The cross-encoder in a folder, whichever way it was saved."""

from __future__ import annotations

from pathlib import Path

from apg_engine.auditors.nli_onnx import nli_load
from apg_engine.auditors.nli_scoring import PairScorer
from apg_engine.auditors.nli_transformers import transformers_load


def pair_scorer_load(folder: Path, *, threads: int = 1) -> PairScorer:
    """Load ONNX weights where there are any, else safetensors weights with transformers.

    Raises:
        ModelSetupError: the folder holds neither, or a file or a package is missing.
    """
    saved = folder.is_dir() and any(folder.glob("*.safetensors"))
    if saved and not any(folder.glob("*.onnx")):
        return transformers_load(folder, threads=threads)
    return nli_load(folder, threads=threads)

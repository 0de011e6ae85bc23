"""The embedder an index was built by, from its name in the manifest."""

from __future__ import annotations

from pathlib import Path

from apg_engine.retrieval.embedding import Embedder, HashedWords
from apg_engine.retrieval.minilm import minilm_load


def embedder_load(name: str, *, folder: Path | None = None) -> Embedder:
    """Load it; a model's files lie in `folder`, or else are those of the installed packages.

    Raises:
        ModelSetupError: a package or a file is missing.
    """
    return HashedWords() if name == HashedWords.name else minilm_load(folder)

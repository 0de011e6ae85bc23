"""The three classes of a cross-encoder: in which order a model gives them, and from which files."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apg_engine.auditors.nli_scoring import PairScores
from apg_engine.errors import ModelSetupError
from apg_engine.json_data import json_load

# What the classes are called in published checkpoints.
_CLASS_NAMES = {
    "supported": ("supported", "supports", "support", "entailment"),
    "refuted": ("refuted", "refutes", "refute", "contradiction"),
    "not_enough": ("not enough info", "notenoughinfo", "not enough information", "neutral"),
}
_DEFAULT_ORDER = ("supported", "refuted", "not_enough")
_CHUNK = 1 << 20


def order_read(config: Path) -> tuple[str, ...]:
    """Read the order of the classes from `id2label` of a config.json.

    Without the file, or without labels in it, the order is supported, refuted, not enough.

    Raises:
        ModelSetupError: the labels cannot be read, or are not those of the three classes.
    """
    if not config.is_file():
        return _DEFAULT_ORDER
    try:
        labels: Any = json_load(config.read_text("utf-8")).get("id2label", {})
        named = [str(labels[str(at)]).casefold().replace("_", " ") for at in range(len(labels))]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise ModelSetupError(f"nli: {config}: id2label cannot be read: {error!r}") from error
    if not named:
        return _DEFAULT_ORDER
    order = tuple(c for name in named for c, names in _CLASS_NAMES.items() if name in names)
    if sorted(order) != sorted(_DEFAULT_ORDER) or len(named) != len(order):
        allowed = "; ".join(" or ".join(names) for names in _CLASS_NAMES.values())
        raise ModelSetupError(f"nli: {config}: id2label: found {named}; allowed: {allowed}")
    return order


def scores_of(logits: Sequence[float], order: Sequence[str], name: str) -> PairScores:
    """Turn three logits into probabilities.

    Raises:
        ModelSetupError: these are not three finite numbers.
    """
    if len(logits) != len(order) or not all(map(math.isfinite, logits)):
        raise ModelSetupError(
            f"nli: {name} gives {len(logits)} classes; allowed: three finite logits"
        )
    top = max(logits)
    weights = [math.exp(value - top) for value in logits]
    total = math.fsum(weights)
    by_class = dict(zip(order, (weight / total for weight in weights), strict=True))
    return PairScores(by_class["supported"], by_class["refuted"], by_class["not_enough"])


def files_sha256(*paths: Path) -> str:
    """Give the SHA-256 over the bytes of files, one behind the other."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()

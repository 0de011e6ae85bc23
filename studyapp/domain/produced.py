"""What a stored trace says of how it was held; a shared file must say it in the same shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_FIELDS: Final[Mapping[str, type]] = {
    "system": str,
    "preset": str,
    "seed": int,
    "config_sha256": str,
    "model_calls": int,
    "stop": dict,
    "speakers": list,
}
_SPEAKER: Final[Mapping[str, type]] = {"role": str, "name": str, "offline": bool}


def produced_is_told(told: Any) -> bool:
    """Say whether a file tells how a debate was held in the shape that this site writes."""
    if not _has(told, _FIELDS):
        return False
    reason = told["stop"].get("reason")
    return isinstance(reason, str) and all(_has(one, _SPEAKER) for one in told["speakers"])


def _has(data: Any, fields: Mapping[str, type]) -> bool:
    return isinstance(data, Mapping) and all(
        isinstance(data.get(name), kind) for name, kind in fields.items()
    )

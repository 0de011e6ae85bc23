"""One way to hash JSON-ready data, so that equal content always has an equal name."""

from __future__ import annotations

import hashlib
import json


def json_sha256(value: object) -> str:
    """Return the SHA-256 of `value` as canonical JSON: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

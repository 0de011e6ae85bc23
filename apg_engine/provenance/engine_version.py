"""Which engine wrote a run: a hash over all of its code, prompts and word lists."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_SUFFIXES = (".py", ".txt", ".json")


@cache
def engine_sha256() -> str:
    """Give the SHA-256 over every file of the package that can change a result."""
    digest = hashlib.sha256()
    for name, path in sorted(_walk(files("apg_engine"), ""), key=lambda pair: pair[0]):
        digest.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            found += _walk(entry, f"{name}/")
        elif name.endswith(_SUFFIXES):
            found.append((name, entry))
    return found

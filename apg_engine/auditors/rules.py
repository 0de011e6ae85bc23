"""Which rules decide: a hash over the files that hold them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

# Everything a verdict of the ladder rests on until it is counted; a card measured with other rules
# is not its card.
_FOLDERS = ("matching", "segmentation")
_FILES = (
    "auditors/ladder.py",
    "auditors/private.py",
    "reading/quantities.py",
    "reading/recommendations.py",
    "reading/rejections.py",
    "reading/standing.py",
    "reading/support.py",
    "reading/withdrawal.py",
    "stages/audit.py",
    "stages/sentences.py",
    "word_sets.py",
)


@cache
def rules_sha256() -> str:
    """Give the SHA-256 over the rule files, by name and content."""
    package = files("apg_engine")
    paths = [(name, package.joinpath(*name.split("/"))) for name in _FILES]
    for folder in _FOLDERS:
        inside = package.joinpath(folder).iterdir()
        paths += [(f"{folder}/{p.name}", p) for p in inside if p.name.endswith(".py")]
    digest = hashlib.sha256()
    for name, path in sorted(paths, key=lambda pair: pair[0]):
        digest.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()

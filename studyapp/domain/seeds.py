"""Seeds: how secret ones are drawn, one for a pilot, and a promise about a seed not yet told."""

from __future__ import annotations

import hashlib
from typing import Final

# A page draws from so many that none can be found again from a hash by trying them all.
SEED_LIMIT: Final = 2**62
_BITS: Final = 62


def seed_of_pilot(seed: int) -> int:
    """Return the seed of a study's pilot, from which the study's own cannot be told.

    A pilot's key is open to its researchers. Drawn from the study's own seed, it would tell them
    which arm stands where for the first real participants.
    """
    return _number(hashlib.sha256(f"pilot:{seed}".encode()).digest())


def seed_promise(seed: int, *, nonce: str) -> str:
    """Return the SHA-256 of `<nonce>:<seed>`, which both prove once they are told."""
    return hashlib.sha256(f"{nonce}:{seed}".encode()).hexdigest()


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:8]) >> (64 - _BITS)

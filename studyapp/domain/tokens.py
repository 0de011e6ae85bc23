"""Unguessable names for links, pairs and participants."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

# What links and cookies hold of somebody; everything else in their place is nobody's.
LINK_WORD: Final = r"[A-Za-z0-9_-]{1,64}"
# Without 0/O, 1/I/L and vowels: read aloud, typed on a phone, and free of words.
CODE_ALPHABET = "23456789BCDFGHJKMNPQRSTVWXYZ"


def token_new() -> str:
    """Return 128 random bits as 22 URL-safe characters."""
    return secrets.token_urlsafe(16)


def code_new(length: int = 10) -> str:
    """Return a code that people can read aloud and type."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(length))


def secret_new(prefix: str) -> str:
    """Return a secret of 256 random bits; its prefix lets scanners of leaked secrets find it."""
    return prefix + secrets.token_urlsafe(32)


def secret_digest(secret: str) -> str:
    """Return what is stored in place of a secret; so many random bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()

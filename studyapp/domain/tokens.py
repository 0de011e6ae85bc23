"""Unguessable names for links, pairs and participants."""

from __future__ import annotations

import secrets

# Without 0/O, 1/I/L and vowels: read aloud, typed on a phone, and free of words.
CODE_ALPHABET = "23456789BCDFGHJKMNPQRSTVWXYZ"


def token_new() -> str:
    """Return 128 random bits as 22 URL-safe characters."""
    return secrets.token_urlsafe(16)


def code_new(length: int = 10) -> str:
    """Return a code that people can read aloud and type."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(length))

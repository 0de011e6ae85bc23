"""Which auditor exactly: the hash a card is bound to."""

from __future__ import annotations

import hashlib

from apg_engine.auditors.protocol import Auditor


def auditor_sha256(auditor: Auditor) -> str:
    """Give the SHA-256 of an auditor's name and of what makes it what it is."""
    return hashlib.sha256(f"{auditor.name}\n{auditor.identity}".encode()).hexdigest()

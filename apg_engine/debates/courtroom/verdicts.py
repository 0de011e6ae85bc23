"""What a court may find about a claim."""

from __future__ import annotations

from enum import StrEnum


class Finding(StrEnum):
    """The verdict on a claim; `INCONCLUSIVE` is no third class but the absence of a majority."""

    SUPPORT = "SUPPORT"
    REFUTE = "REFUTE"
    INCONCLUSIVE = "INCONCLUSIVE"

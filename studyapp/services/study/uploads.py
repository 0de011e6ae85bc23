"""A file as somebody sent it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it came: its name and its bytes."""

    name: str
    data: bytes

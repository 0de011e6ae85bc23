"""Every error the engine raises on purpose, in one tree."""

from __future__ import annotations

import re

_LIST_PLACE = re.compile(r"\[\d+\]")


class EngineError(Exception):
    """Base of the tree: its text is meant for the person who can mend the cause."""


class InputError(EngineError):
    """Something handed in is not what was asked for.

    Attributes:
        file: name of the file or object that was read.
        place: turn, field, line or row.
        found: what stood there.
        allowed: what may stand there.
    """

    def __init__(self, file: str, place: str, found: str, allowed: str) -> None:
        self.file = file
        self.place = place
        self.found = found
        self.allowed = allowed
        counted = " (places in lists count from 0)" if _LIST_PLACE.search(place) else ""
        super().__init__(f"{file}: {place}: found {found}; allowed: {allowed}{counted}")


class TraceError(InputError):
    """A debate trace cannot be read as one."""


class ConfigError(InputError):
    """A gate configuration holds a value that is not allowed."""


class ResultError(InputError):
    """A stored gate result cannot be read back."""


class CardError(InputError):
    """A calibration card or a file of thresholds cannot be read."""


class JournalError(EngineError):
    """The journal of model calls cannot be read or written."""


class JournalMismatchError(JournalError):
    """A recorded call does not belong to the request that is about to be made."""


class IllegalMoveError(EngineError):
    """The machine was asked for a move its table does not hold."""


class ModelSetupError(EngineError):
    """A model cannot be built: a missing key, an unknown kind, an absent package."""


class UncalibratedAuditorError(ModelSetupError):
    """A model auditor that does not beat the claim-only control was to steer a gate."""

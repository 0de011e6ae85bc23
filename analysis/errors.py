"""What analysis refuses, as one small tree of errors."""

from __future__ import annotations


class AnalysisError(Exception):
    """Anything this package refuses; the message says what was found and what is allowed."""


class BundleError(AnalysisError):
    """Data that cannot be read as answers of a study.

    Args:
        file: Name of the file, as the user gave it or as it stands in the bundle.
        place: Row, column or key inside the file; empty for the file as a whole.
        found: What stands there.
        allowed: What may stand there.
        ids: Participants concerned, if the fault has any.
    """

    def __init__(
        self, *, file: str, place: str, found: str, allowed: str, ids: tuple[str, ...] = ()
    ) -> None:
        """Keep the parts, so that a caller can show them apart."""
        self.file, self.place, self.found, self.allowed, self.ids = file, place, found, allowed, ids
        where = f"{file}, {place}" if place else file
        people = f" Participants: {ids_shorten(ids)}." if ids else ""
        super().__init__(f"{where}: found {found}; allowed: {allowed}.{people}")


class OptionError(AnalysisError):
    """A setting outside what a computation can take, such as a confidence level of 95."""


def ids_shorten(ids: tuple[str, ...], *, at_most: int = 20) -> str:
    """List ids on one line; past `at_most` say how many more there are."""
    shown = ", ".join(ids[:at_most])
    return shown if len(ids) <= at_most else f"{shown} and {len(ids) - at_most} more"

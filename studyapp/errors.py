"""Everything the site refuses, in one tree; a message says what was found and what is allowed."""

from __future__ import annotations


class StudyAppError(Exception):
    """Base of every refusal the site makes on purpose."""


class MeasureError(StudyAppError):
    """A study's measures cannot be read."""


class IllegalMoveError(StudyAppError):
    """A state machine refused a move, or somebody else moved first."""


class AnswerError(StudyAppError):
    """An answer is missing or outside the allowed values. `problems` maps field to sentence."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__("; ".join(f"{field}: {text}" for field, text in problems.items()))
        self.problems = problems


class AlreadyAnsweredError(StudyAppError):
    """The pair was answered before; the first answer stands."""


class StudyFullError(StudyAppError):
    """No place is left in the cohort."""


class StudyNotOpenError(StudyAppError):
    """The study does not take participants now."""


class NoContrastError(StudyAppError):
    """Both texts of a scenario are one text, so it cannot be shown as a pair."""


class FrozenError(StudyAppError):
    """A stored stimulus, response or event was about to be changed."""

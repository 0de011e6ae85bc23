"""Everything the site refuses, in one tree; a message says what was found and what is allowed."""

from __future__ import annotations


class StudyAppError(Exception):
    """Base of every refusal the site makes on purpose."""


class MeasureError(StudyAppError):
    """A study's measures, background questions or texts cannot be read."""


class TitleError(StudyAppError):
    """A title that participants would read looks like an id, or names what is compared."""


class WordingError(StudyAppError):
    """New words for a study cannot be stored. `problems` maps passage to sentence."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in problems.items()))
        self.problems = problems


class PlanError(StudyAppError):
    """A plan of the analysis names something that the study does not have, or says it wrongly."""

    def __init__(self, *, place: str, found: str, allowed: str) -> None:
        super().__init__(f"{place}: found {found}; allowed: {allowed}")
        self.place, self.found, self.allowed = place, found, allowed


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


class PlaceLostError(StudyAppError):
    """A participant was away for so long that their place was given on, and no other is free."""


class TakingPartEndedError(StudyAppError):
    """Taking part has ended before the last step: screened out, or too many checks failed."""


class TooEarlyError(StudyAppError):
    """A page was left before the least time of the study's rules; `seconds` are still missing."""

    def __init__(self, *, seconds: int) -> None:
        super().__init__(f"{seconds} more seconds are needed on this page")
        self.seconds = seconds


class TimeOverError(StudyAppError):
    """The time of a trial under time pressure is over, and its study takes no later answers."""


class BatchRefusedError(StudyAppError):
    """What a page reports about reading cannot be read, or is more than a page can report."""


class EntryRefusedError(StudyAppError):
    """A cohort's link does not let this person in: it needs another link, or was used before."""


class StudyNotOpenError(StudyAppError):
    """The study does not take participants now."""


class CohortError(StudyAppError):
    """A cohort cannot be added or taken out as asked."""


class NoContrastError(StudyAppError):
    """Both texts of a scenario are one text, so it cannot be shown as a pair."""


class FrozenError(StudyAppError):
    """A stored stimulus, response or event was about to be changed."""


class InputRefusedError(StudyAppError):
    """Something uploaded cannot be used: names the file, the place, what was found and allowed."""

    def __init__(self, *, file: str, place: str, found: str, allowed: str) -> None:
        super().__init__(f"{file}: {place}: found {found}; allowed: {allowed}")
        self.file, self.place, self.found, self.allowed = file, place, found, allowed


class TraceRefusedError(InputRefusedError):
    """A debate trace cannot be read as one."""


class DefinitionError(InputRefusedError):
    """A study definition, or a gate configuration in it, cannot be read as one."""


class InvitationsRefusedError(InputRefusedError):
    """A list of people to invite cannot be read as one; nobody was invited."""


class EvidenceRefusedError(InputRefusedError):
    """A file of claims or of documents for a trial cannot be read as one; nothing was stored."""


class DebateError(StudyAppError):
    """A debate cannot be used as asked; the message is for the researcher."""


class PairsRefusedError(InputRefusedError):
    """A file of texts cannot be read as one, or does not fit its study; nothing was stored."""


class StudyExistsError(StudyAppError):
    """The slug belongs to a study with another design."""


class StudyNotReadyError(StudyAppError):
    """A study cannot be opened yet. `problems` holds one sentence for each missing thing."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class GenerationError(StudyAppError):
    """The texts could not be generated; the message is for the researcher."""


class ReportError(StudyAppError):
    """A study's report cannot be asked for or built; the message is for the researcher."""


class ExportError(StudyAppError):
    """An export cannot be asked for or built; the message is for the researcher."""


class ArmKeySealedError(ExportError):
    """The export tells which arm stood where, and the study still seals that."""


class BackupError(StudyAppError):
    """A backup cannot be restored; nothing was stored."""


class LeaseLostError(StudyAppError):
    """This worker no longer holds the run: it was cancelled, or another worker took it over."""


class NotJudgedError(StudyAppError):
    """The gate gave no report, so there is no pair to freeze."""


class UnknownLinkError(StudyAppError):
    """Nothing belongs to the token of a participant's link."""


class StepOrderError(StudyAppError):
    """A participant's step was asked for before the one that comes first."""


class MemberError(StudyAppError):
    """Somebody cannot be made, changed or taken out as a member; the message is for researchers."""


class RoleRefusedError(StudyAppError):
    """The role of whoever asks does not allow this."""


class TokenError(StudyAppError):
    """A token of the API cannot be made or revoked as asked; the message is for the researcher."""


class KeyReusedError(StudyAppError):
    """An idempotency key came with another request before."""


class NoticeError(StudyAppError):
    """What a notice needs cannot be stored as asked; the message is for the researcher."""


class WebhookAddressError(NoticeError):
    """A webhook's address is not one that this site may send to."""


class WebhookUnreachableError(StudyAppError):
    """A webhook's receiver did not answer."""

"""What a debate is made of: who speaks, what each call was shown and gave, what was said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from apg_engine.calls import CallStatus
from apg_engine.records import ItemKind


class AnswerStatus(StrEnum):
    """How an answer came out: a call's own status, or text that is not what was asked for."""

    OK = "ok"
    EMPTY = "empty"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    CONTEXT_OVERFLOW = "context_overflow"
    PROMPT_CUT = "prompt_cut"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    BAD_REQUEST = "bad_request"
    SCRIPT_ENDED = "script_ended"
    UNPARSED = "unparsed"

    @classmethod
    def of_call(cls, status: CallStatus) -> Self:
        """Give the status of an answer whose text was not looked at yet."""
        return cls(status.value)


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a debate: `id` names it in records, `name` in texts.

    Attributes:
        side: what it argues for, where the system has sides.
        mandate: what it stands for, as readers and other parties know it.
    """

    id: str
    name: str
    side: str = ""
    mandate: str = ""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What one call was shown of one text, from its start.

    Attributes:
        kind: what the text is.
        id: of the text: `T4` for a turn, `S1` for a shock, the own id of an axiom or a document.
        sha256: of the whole text.
        characters: of the whole text.
        shown: how many of them stood in the prompt; 0 where there was no room for it.
    """

    kind: ItemKind
    id: str
    sha256: str
    characters: int
    shown: int

    @property
    def is_cut(self) -> bool:
        """True where the text was not shown to its end."""
        return self.shown < self.characters


@dataclass(frozen=True, slots=True)
class Answer:
    """One journalled call of a debate, with what its prompt held.

    Attributes:
        row: its sequence number in the journal.
        role: who was asked.
        round: in which round; 0 outside the rounds.
        purpose: what for: `strategy`, `turn`, `reflection`, ...
        prompt_characters: length of the whole prompt; 0 where rules answered.
    """

    row: int
    role: str
    round: int
    purpose: str
    status: AnswerStatus
    text: str = ""
    detail: str = ""
    exposures: tuple[Exposure, ...] = ()
    prompt_characters: int = 0


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One admitted public turn.

    Attributes:
        number: 1-based place in the debate; a turn that is withheld later keeps its number.
        speaker: id of a party.
        private: what the speaker planned, as text.
        private_is_boilerplate: the plan is a fallback and no evidence.
        evidence: ids of the documents it rests on.
        rows: journal rows that made it, in order.
        exposures: what the call that wrote it was shown.
        warnings: what was noticed about it.
    """

    number: int
    speaker: str
    round: int
    text: str
    side: str = ""
    private: str = ""
    private_is_boilerplate: bool = False
    evidence: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    exposures: tuple[Exposure, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Its address: T4 for the fourth turn."""
        return f"T{self.number}"


@dataclass(frozen=True, slots=True)
class Withheld:
    """What a fork takes out of every prompt and of the trace: ids such as `T4` or a document's."""

    ids: frozenset[str] = frozenset()


NOTHING_WITHHELD = Withheld()

"""What has been said so far, and what of it a call may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apg_engine.debates.calls import DebateCalls, answer_needed
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer, Party, SpokenTurn
from apg_engine.debates.saying_new import says_new
from apg_engine.records import ItemKind

# Turns fall off after everything that does not change, the oldest first.
TURN_RANK = 1


@dataclass(frozen=True, slots=True)
class Said:
    """What goes with a turn.

    Attributes:
        speaker: id of a party.
        text: what was said, where it is not the whole answer.
        private: what was planned for it, as text; `private_is_boilerplate` if that is a fallback.
        evidence: ids of the documents it rests on.
        rows: journal rows that prepared it.
    """

    speaker: str
    text: str = ""
    side: str = ""
    private: str = ""
    private_is_boilerplate: bool = False
    evidence: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


class Floor:
    """The public record of a running debate.

    Args:
        parties: who speaks.
        calls: the line of calls turns are made in.

    Attributes:
        turns: every admitted turn, withheld ones too.
        warnings: what was noticed about the debate as a whole.
    """

    def __init__(self, parties: Sequence[Party], calls: DebateCalls) -> None:
        self.parties = tuple(parties)
        self.calls = calls
        self.turns: list[SpokenTurn] = []
        self.warnings: list[str] = []
        self._names = {party.id: party.name for party in parties}

    @property
    def heard(self) -> tuple[SpokenTurn, ...]:
        """The turns that are not withheld."""
        withheld = self.calls.withheld.ids
        return tuple(turn for turn in self.turns if turn.id not in withheld)

    def name_of(self, party: str) -> str:
        """Give the name of a party, or of whoever else speaks."""
        return self._names.get(party, party)

    def admit(self, answer: Answer, said: Said) -> SpokenTurn:
        """Add a public turn; only an answer that came out well can become one.

        Args:
            answer: of the call that wrote it.
            said: who said it, and what goes with it.

        Raises:
            CallFailedError: the answer has failed.
        """
        whole = answer_needed(answer).text
        turn = SpokenTurn(
            number=len(self.turns) + 1,
            speaker=said.speaker,
            round=answer.round,
            text=(said.text or whole).strip(),
            side=said.side,
            private=said.private,
            private_is_boilerplate=said.private_is_boilerplate,
            evidence=tuple(dict.fromkeys(said.evidence)),
            rows=(*said.rows, answer.row),
            exposures=answer.exposures,
            warnings=said.warnings,
        )
        self.turns.append(turn)
        return turn

    def pieces(self, last: int | None = None) -> tuple[Piece, ...]:
        """Give the turns that were heard, in order; `last` keeps only so many.

        The newest are kept longest where a context is small.
        """
        turns = self.heard if last is None else self.heard[-last:] if last else ()
        return tuple(
            Piece(ItemKind.TURN, turn.id, turn.text, self.name_of(turn.speaker), TURN_RANK)
            for turn in turns
        )

    def is_dissent_tested(self) -> bool:
        """Tell whether each party has spoken with a turn of another one in its prompt."""
        speaker_of = {turn.id: turn.speaker for turn in self.turns}
        answered = {
            turn.speaker
            for turn in self.turns
            for exposure in turn.exposures
            if exposure.shown and speaker_of.get(exposure.id, turn.speaker) != turn.speaker
        }
        return answered >= set(self._names)

    def is_stale(self, round_: int) -> bool:
        """Tell whether no turn of a round said anything that had not been said before it."""
        of_round = [turn for turn in self.turns if turn.round == round_]
        return bool(of_round) and not any(
            says_new(turn.text, [other.text for other in self.turns[: turn.number - 1]])
            for turn in of_round
        )

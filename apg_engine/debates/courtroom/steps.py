"""The steps of a trial: for each, what is asked of whom, and what is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from apg_engine.debates.asking import Asking
from apg_engine.debates.courtroom import readings
from apg_engine.debates.courtroom.admission import Weight
from apg_engine.debates.courtroom.docket import Item
from apg_engine.debates.courtroom.readings import Opinion, Preparation, Reflection, Review
from apg_engine.debates.courtroom.seats import Step
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Party
from apg_engine.prompting import json_text
from apg_engine.records import ItemKind

PLAINTIFF = "plaintiff"
DEFENSE = "defense"
EXPERT = "expert"
PANEL = "panel"
PARTIES = (
    Party(PLAINTIFF, "Plaintiff", "support", "argue that the claim is right"),
    Party(DEFENSE, "Defense", "refute", "argue that the claim is wrong"),
)
WITNESS = Party(EXPERT, "Witness", "", "explain how the exhibits are to be read")
BENCH = Party(PANEL, "Panel", "", "decide by the exhibits")
_ARGUES = {"support": "the claim is right.", "refute": "the claim is wrong."}
_OTHER = {"support": "refute", "refute": "support"}


@dataclass(frozen=True, slots=True)
class Matter:
    """What every step of one run is about.

    Attributes:
        premises: atomic premises, shown as P1, P2, ...
        rounds: most rounds.
        keeps_oath: whether counsel keeps the system prompt of the other side (P2, a switched run).
    """

    claim: str
    premises: tuple[str, ...] = ()
    rounds: int = 1
    keeps_oath: bool = False

    @property
    def premise_ids(self) -> tuple[str, ...]:
        """P1, P2, ..."""
        return tuple(f"P{number}" for number in range(1, len(self.premises) + 1))

    @property
    def premise_pieces(self) -> tuple[Piece, ...]:
        """The premises as a prompt shows them."""
        return tuple(
            Piece(ItemKind.CONTEXT, id_, text)
            for id_, text in zip(self.premise_ids, self.premises, strict=True)
        )

    def slots(self, **more: str) -> dict[str, str]:
        """The claim, and what a step adds."""
        return {"claim": json_text(self.claim), "rounds": str(self.rounds), **more}

    def counsel(self, party: Party, **more: str) -> dict[str, str]:
        """The same for counsel: the side it argues, and the one its system prompt names."""
        sworn = _OTHER[party.side] if self.keeps_oath else party.side
        return self.slots(side=_ARGUES[party.side], sworn=_ARGUES[sworn], name=party.name, **more)


def mine(matter: Matter, *, most: int, seed: int) -> Step[tuple[str, ...]]:
    """Cut the claim into premises; rules draw by the seed where."""
    return Step(
        Asking("miner", 0, "mine"),
        "mine",
        matter.slots(most=str(most), seed=str(seed)),
        (),
        lambda text: readings.premises_read(text, most=most),
        readings.PREMISES_SCHEMA,
    )


def query(matter: Matter, party: Party) -> Step[str]:
    """Ask counsel for its query of the negotiation."""
    return Step(
        Asking(party.id, 0, "query"),
        "query",
        matter.counsel(party),
        matter.premise_pieces,
        readings.query_read,
        readings.QUERY_SCHEMA,
    )


def weigh(matter: Matter, items: Sequence[Item], round_: int) -> Step[dict[str, Weight]]:
    """Ask the court for relevance and credibility of some items."""
    pieces = tuple(item.piece for item in items)
    return Step(
        Asking("court", round_, "weigh"),
        "weigh",
        matter.slots(),
        pieces,
        lambda text: readings.weights_read(text, ids=[piece.id for piece in pieces]),
        readings.WEIGHTS_SCHEMA,
    )


def prepare(
    matter: Matter, party: Party, round_: int, *, shown: tuple[Piece, ...], flagged: Sequence[Item]
) -> Step[Preparation]:
    """Ask counsel for its plan; only here are flagged items shown."""
    ids = [item.id for item in flagged]
    marked = [replace(item.piece, speaker=f"flagged: {item.chunk.title}") for item in flagged]
    return Step(
        Asking(party.id, round_, "prepare"),
        "prepare",
        matter.counsel(party, round=str(round_), flagged=", ".join(ids) or "none"),
        (*matter.premise_pieces, *marked, *shown),
        lambda text: readings.preparation_read(text, flagged=ids),
        readings.PREPARATION_SCHEMA,
    )


def refine(
    matter: Matter, party: Party, round_: int, *, gap: str, need: str, turns: tuple[Piece, ...]
) -> Step[str]:
    """Ask the court for the query of one iteration."""
    return Step(
        Asking("court", round_, "refine"),
        "refine",
        matter.counsel(party, gap=json_text(gap), need=json_text(need)),
        turns,
        readings.query_read,
        readings.QUERY_SCHEMA,
    )


def argue(
    matter: Matter, party: Party, round_: int, *, gap: str, shown: tuple[Piece, ...]
) -> Step[str]:
    """Ask counsel for its public turn; who speaks first has nobody to answer."""
    heard = any(piece.kind is ItemKind.TURN for piece in shown)
    return Step(
        Asking(party.id, round_, "argue"),
        "argue" if heard else "open",
        matter.counsel(party, round=str(round_), gap=json_text(gap)),
        shown,
        str.strip,
    )


def grant(
    matter: Matter, prepared: Preparation, round_: int, *, turns: tuple[Piece, ...]
) -> Step[bool]:
    """Ask the court whether a witness is heard."""
    return Step(
        Asking("court", round_, "grant"),
        "grant",
        matter.slots(field=json_text(prepared.field), question=json_text(prepared.question)),
        turns,
        readings.grant_read,
        readings.GRANT_SCHEMA,
    )


def testify(
    matter: Matter, prepared: Preparation, round_: int, *, exhibits: tuple[Piece, ...]
) -> Step[str]:
    """Ask the witness."""
    return Step(
        Asking(EXPERT, round_, "testify"),
        "testify",
        matter.slots(field=json_text(prepared.field), question=json_text(prepared.question)),
        exhibits,
        str.strip,
    )


def reflect(
    matter: Matter, party: Party, round_: int, *, shown: tuple[Piece, ...]
) -> Step[Reflection]:
    """Ask counsel to score its own last turn."""
    return Step(
        Asking(party.id, round_, "reflect"),
        "reflect",
        matter.counsel(party),
        shown,
        readings.reflection_read,
        readings.REFLECTION_SCHEMA,
    )


def review(matter: Matter, round_: int, *, shown: tuple[Piece, ...]) -> Step[Review]:
    """Ask the critic."""
    return Step(
        Asking("critic", round_, "review"),
        "review",
        matter.slots(round=str(round_)),
        (*matter.premise_pieces, *shown),
        lambda text: readings.review_read(text, premises=matter.premise_ids),
        readings.REVIEW_SCHEMA,
    )


def judge(matter: Matter, role: str, *, shown: tuple[Piece, ...]) -> Step[Opinion]:
    """Ask a judge."""
    exhibits = [piece.id for piece in shown if piece.kind is ItemKind.DOCUMENT]
    return Step(
        Asking(role, 0, "judge"),
        "judge",
        matter.slots(),
        shown,
        lambda text: readings.opinion_read(text, exhibits=exhibits),
        readings.OPINION_SCHEMA,
    )


def judgment(
    matter: Matter, *, shown: tuple[Piece, ...], repair: Mapping[str, str] | None = None
) -> Step[str]:
    """Ask the court for its judgment, or for another one where sentences were refused."""
    read: Callable[[str], str] = str.strip
    return Step(
        Asking("court", 0, "judgment"),
        "judgment_repair" if repair else "judgment",
        matter.slots(**(repair or {})),
        shown,
        read,
    )

"""Claims, texts and sittings for the tests of systems."""

from __future__ import annotations

from collections.abc import Sequence

from apg_engine.calls import ChatReply
from apg_engine.debates.budget import DebateBudget, DebateLimits
from apg_engine.debates.scoped_journal import LockedJournal
from apg_engine.debates.voices import Voice
from apg_engine.evaluating.advisors import ModelAdvisor
from apg_engine.evaluating.claims import Label, LabelledClaim
from apg_engine.evaluating.exhibits import Retrieved
from apg_engine.evaluating.opinions import NO_ALLOWANCE, Allowance, Opinion, Sitting, System, Vote
from apg_engine.evaluating.rows import Row
from apg_engine.journal import MemoryJournal
from apg_engine.llm.scripted import ScriptedModel
from apg_engine.retrieval.chunks import Document
from apg_engine.retrieval.embedding import HashedWords
from apg_engine.retrieval.evidence_index import EvidenceIndex, index_of_documents
from apg_engine.spending.budget import Limits
from apg_engine.spending.prices import prices_packaged
from apg_engine.spending.spent import Spent, calls_spent

MASKS = LabelledClaim("masks", "Masks reduce spread of the virus in schools.", Label.SUPPORT, "d1")
ZINC = LabelledClaim("zinc", "Zinc tablets cure the infection within days.", Label.REFUTE, "d2")
MOON = LabelledClaim("moon", "Moonlight stops headaches.", Label.REFUTE, "d3")
CLAIMS = (MASKS, ZINC, MOON)
PRICES = prices_packaged()
NO_CALLS = Spent(0, 0, 0, 0.0, 0.0, 0)


def index() -> EvidenceIndex:
    return index_of_documents(
        [
            Document("d1", "Masks", "Masks reduce spread of the virus in schools, trials showed."),
            Document("d2", "Zinc", "Zinc tablets do not cure the infection within days."),
        ],
        HashedWords(),
    )


def exhibits(count: int = 1) -> Retrieved:
    return Retrieved(index(), count=count)


def sitting(
    *,
    journal: MemoryJournal | None = None,
    calls: int | None = None,
    allowance: Allowance | None = None,
) -> Sitting:
    return Sitting(
        seed=0,
        journal=LockedJournal(journal or MemoryJournal()),
        budget=DebateBudget(DebateLimits(run=Limits(calls=calls)), prices=PRICES),
        allowance=allowance or NO_ALLOWANCE,
    )


def advisor(script: Sequence[str | ChatReply], name: str = "scripted model") -> ModelAdvisor:
    return ModelAdvisor(Voice(ScriptedModel(script, name=name)))


def calls_of(system: System, claim: LabelledClaim) -> tuple[Opinion, int]:
    """Have a claim judged; give the opinion and how many calls of a model it took."""
    journal = MemoryJournal()
    opinion = system.decide(claim, sitting(journal=journal))
    return opinion, calls_spent(journal.records, prices=PRICES).calls


def row(  # noqa: PLR0913 (a row has many columns)
    item: str,
    *,
    found: Label | None,
    label: Label = Label.SUPPORT,
    system: str = "single",
    seed: int = 0,
    confidence: float | None = None,
    votes: tuple[Vote, ...] = (),
    premises: tuple[str, ...] = (),
    rounds: int = 0,
) -> Row:
    """A row by hand."""
    opinion = Opinion(
        label=found,
        ending="decided" if found else "undecided",
        confidence=confidence,
        rounds=rounds,
        votes=votes,
        premises=premises,
    )
    return Row(item, system, seed, label, opinion, NO_CALLS)

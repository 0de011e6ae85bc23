"""The committee in the turn loop: shock, private step, public turn, audit, admission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from apg_engine.auditors.protocol import Auditor
from apg_engine.debates.calls import Asking, CallFailedError, answer_needed
from apg_engine.debates.committee.allocations import arithmetic_holds, requests_last
from apg_engine.debates.committee.config import CommitteeConfig
from apg_engine.debates.committee.debater import Debater, Repair
from apg_engine.debates.committee.dispatcher import Dispatch
from apg_engine.debates.committee.knowledge import KnowledgeGraph
from apg_engine.debates.committee.noticing import turn_notices
from apg_engine.debates.committee.scenario import Scenario
from apg_engine.debates.committee.strategy import Strategy, strategy_render
from apg_engine.debates.committee.view import View
from apg_engine.debates.enforcement import Enforcement, Finding, record_corpus, turn_findings
from apg_engine.debates.floor import Floor, Said
from apg_engine.debates.material import Piece
from apg_engine.debates.records import Answer, AnswerStatus, Party
from apg_engine.debates.stopping import Standing
from apg_engine.records import Corpus, ItemKind, Turn
from apg_engine.spending.budget import Amount

# Without a plan of its own a module can still speak; without a model it cannot.
_NO_PLAN = frozenset(
    {
        AnswerStatus.EMPTY,
        AnswerStatus.UNPARSED,
        AnswerStatus.REFUSED,
        AnswerStatus.TRUNCATED,
    }
)


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits in the committee.

    Attributes:
        debaters: by module.
        auditor: audits turns before they are admitted.
        estimate: what one audit may take at most.
    """

    debaters: Mapping[str, Debater]
    auditor: Auditor
    estimate: Amount


class CommitteePlay:
    """One debate of the committee, for the turn loop."""

    def __init__(
        self,
        *,
        config: CommitteeConfig,
        scenario: Scenario,
        graphs: Mapping[str, KnowledgeGraph],
        dispatches: tuple[Dispatch, ...],
        seats: Seats,
        floor: Floor,
    ) -> None:
        self._config, self._scenario, self._graphs = config, scenario, graphs
        self._dispatches, self._seats, self.floor = dispatches, seats, floor
        self.plans: list[tuple[int, Strategy]] = []
        self.findings: dict[int, tuple[Finding, ...]] = {}
        self.held_back: dict[int, int] = {}

    @property
    def enforcement(self) -> Enforcement:
        """What happens to turns with claims the record does not carry."""
        return self._config.enforcement

    def round_open(self, round_: int) -> None:
        """Shocks come before turns, not before rounds."""

    def speakers(self, round_: int) -> Iterable[Party]:
        """Every module, always in the same order."""
        return self.floor.parties

    def round_close(self, round_: int, standing: Standing) -> Standing:
        """The committee seeks no evidence and has no critic."""
        return standing

    def speak(self, party: Party, round_: int) -> None:
        """Plan in private, speak, and admit the turn once it was audited.

        Raises:
            CallFailedError: the turn did not come about.
        """
        view = self._view(party, round_)
        debater, calls = self._seats.debaters[party.id], self.floor.calls
        planned, strategy = debater.plan(view, calls)
        if strategy is None and planned.status not in _NO_PLAN:
            raise CallFailedError(planned)
        first = answer_needed(debater.speak(view, strategy, calls, None))
        answer, findings, rows = self._audited(view, strategy, first)
        if strategy is not None:
            self.plans.append((view.turn, strategy))
        self._admit(view, strategy, answer, findings, (planned.row, *rows))

    def _view(self, party: Party, round_: int) -> View:
        turn = len(self.floor.turns) + 1
        withheld = self.floor.calls.withheld.ids
        return View(
            scenario=self._scenario,
            graph=self._graphs[party.id],
            party=party,
            parties=self.floor.parties,
            turn=turn,
            round=round_,
            rounds=self._config.rounds,
            heard=self.floor.pieces(),
            shocks={
                number: one
                for number, one in enumerate(self._dispatches, start=1)
                if one.shock.turn <= turn and f"S{number}" not in withheld
            },
            seed=self._config.seed,
        )

    def _audited(
        self, view: View, strategy: Strategy | None, answer: Answer
    ) -> tuple[Answer, tuple[Finding, ...], tuple[int, ...]]:
        """Ask for repairs until the record carries the turn, or no repair is left."""
        findings, rows = self._findings(view, answer), []
        repairs = self._config.repairs if self._config.enforcement is Enforcement.REPAIR else 0
        for _ in range(repairs):
            if not findings:
                break
            repair = Repair(answer.text, tuple(finding.refusal for finding in findings))
            debater = self._seats.debaters[view.party.id]
            again = answer_needed(debater.speak(view, strategy, self.floor.calls, repair))
            rows.append(answer.row)
            answer, findings = again, self._findings(view, again)
        return answer, findings, tuple(rows)

    def _findings(self, view: View, answer: Answer) -> tuple[Finding, ...]:
        if self._config.enforcement is Enforcement.OFF:
            return ()
        asking = Asking("auditor", view.round, "check")
        requests = self._requests(view, answer.text)
        return turn_findings(
            answer.text,
            corpus=self._corpus_so_far(view, answer),
            speaker=view.party,
            auditor=self._seats.auditor,
            calls=self.floor.calls.ledger(asking, self._seats.estimate),
            holds=lambda sentence: arithmetic_holds(sentence, requests, self._scenario),
            names=[share.load for share in self._scenario.shares],
        )

    def _requests(self, view: View, text: str) -> dict[str, int]:
        ids = {party.name: party.id for party in self.floor.parties}
        said = [(ids[piece.speaker], piece.text) for piece in view.heard]
        return requests_last([*said, (view.party.id, text)], self._scenario)

    def _corpus_so_far(self, view: View, answer: Answer) -> Corpus:
        """The public record, what earlier turns rested on, and what this speaker was shown."""
        shown = {one.id for one in answer.exposures if one.kind is ItemKind.AXIOM and one.shown}
        rested = {name for turn in self.floor.heard for name in turn.evidence}
        axioms = [
            Piece(ItemKind.AXIOM, node.id, node.text)
            for graph in self._graphs.values()
            for node in graph.nodes
            if node.id in shown | rested
        ]
        return record_corpus((*view.record, *axioms), self.floor.parties)

    def _admit(
        self,
        view: View,
        strategy: Strategy | None,
        answer: Answer,
        findings: tuple[Finding, ...],
        rows: tuple[int, ...],
    ) -> None:
        notices = [*self._notices(view, answer.text), *_flags(view.turn, findings)]
        if strategy is None:
            notices.append(f"turn {view.turn}: no private plan could be read")
        turn = self.floor.admit(
            answer,
            Said(
                speaker=view.party.id,
                private=strategy_render(strategy, view.graph) if strategy else "",
                evidence=self._evidence(view, strategy, answer.text),
                rows=rows,
                warnings=tuple(notices),
            ),
        )
        self.findings[turn.number] = findings
        self.held_back[turn.number] = len(rows) - 1

    def _notices(self, view: View, text: str) -> tuple[str, ...]:
        return turn_notices(
            Turn(view.turn, view.party.id, text),
            party=view.party,
            parties=self.floor.parties,
            graphs=list(self._graphs.values()),
            plans=self.plans,
            corpus=record_corpus(view.record, self.floor.parties),
            scenario=self._scenario,
        )

    def _evidence(self, view: View, strategy: Strategy | None, text: str) -> tuple[str, ...]:
        said = [node.id for node in view.graph.nodes if node.text in text]
        return (*(strategy.axioms if strategy else ()), *said)


def _flags(turn: int, findings: Iterable[Finding]) -> Iterable[str]:
    for one in findings:
        told = one.label.value.replace("_", " ")
        yield f"turn {turn}: the record does not carry {one.sentence.text!r} ({told})"

"""What a turn gives away or gets wrong: leaks, persona bleed, misattribution, arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.debates.committee.allocations import plan_faults
from apg_engine.debates.committee.knowledge import KnowledgeGraph
from apg_engine.debates.committee.scenario import Scenario
from apg_engine.debates.committee.strategy import Strategy
from apg_engine.debates.records import Party
from apg_engine.journal import CallLedger, MemoryJournal
from apg_engine.matching.attribution import attribution_find
from apg_engine.records import Corpus, Turn
from apg_engine.stages.sentences import draft_sentences
from apg_engine.traces.leaks import PrivateText, leak_warnings

_MISATTRIBUTED = "ladder: speaker veto"


def turn_notices(
    turn: Turn,
    *,
    party: Party,
    parties: Sequence[Party],
    graphs: Sequence[KnowledgeGraph],
    plans: Sequence[tuple[int, Strategy]],
    corpus: Corpus,
    scenario: Scenario,
) -> tuple[str, ...]:
    """Say what is wrong with a public turn; it is recorded and changes nothing.

    Args:
        turn: about to be admitted.
        party: who said it.
        parties: all modules.
        graphs: all graphs; beliefs and goals in them are private.
        plans: all private steps so far, with the number of their turn.
        corpus: the public record before this turn.
        scenario: for the arithmetic.
    """
    public = [item.text for item in corpus.items]
    own = [graph for graph in graphs if graph.module == party.id]
    others = [graph for graph in graphs if graph.module != party.id]
    return (
        *leak_warnings([turn], (*_plans(plans), *_beliefs(own, "its own")), public=public),
        *_bleed(turn, party, parties, others),
        *_misattributed(turn, party, parties, corpus),
        *(f"turn {turn.number} {fault}" for fault in plan_faults(turn.text, scenario)),
    )


def _plans(plans: Iterable[tuple[int, Strategy]]) -> Iterator[PrivateText]:
    for number, strategy in plans:
        yield PrivateText(f"the private plan of turn {number}", strategy.anticipated_counter)


def _beliefs(graphs: Iterable[KnowledgeGraph], whose: str) -> Iterator[PrivateText]:
    for graph in graphs:
        for node in graph.nodes:
            if node.kind.is_private:
                yield PrivateText(f"{whose} {node.kind.value} {node.id}", node.text)


def _bleed(
    turn: Turn, party: Party, parties: Sequence[Party], others: Sequence[KnowledgeGraph]
) -> Iterator[str]:
    for other in parties:
        if other.id != party.id and _speaks_as(turn.text, other.name):
            yield f"turn {turn.number}: {party.name} speaks as {other.name} (persona bleed)"
    for told in leak_warnings([turn], _beliefs(others, "another module's")):
        yield f"{told} (persona bleed)"


def _speaks_as(text: str, name: str) -> bool:
    escaped = re.escape(name)
    as_other = rf"(?:\b(?:as|we,|I,|I am|we are) the {escaped}\b|\A\W*(?:the )?{escaped}\W*:)"
    return bool(re.search(as_other, text, re.IGNORECASE))


def _misattributed(
    turn: Turn, party: Party, parties: Sequence[Party], corpus: Corpus
) -> Iterator[str]:
    """`The X states that ...` where others said it, or nobody did."""
    for sentence in draft_sentences(turn.text):
        said = attribution_find(sentence.text, corpus.agents)
        if said is None or party.id in said.agents:
            continue
        verdicts = LadderAuditor().audit(
            sentences=(sentence,), corpus=corpus, calls=CallLedger(MemoryJournal())
        )
        for verdict in verdicts:
            if verdict.decided_by == _MISATTRIBUTED:
                yield f"turn {turn.number} misattributes: {verdict.reason}"
            elif not verdict.supporting:
                names = ", ".join(one.name for one in parties if one.id in said.agents)
                yield f"turn {turn.number} attributes to {names} what the record does not hold"

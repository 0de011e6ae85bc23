"""The rule-based debater's public turn, sentence by sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.debates.committee.knowledge import Node, NodeKind, axioms_find
from apg_engine.debates.committee.rule_strategy import facts_left
from apg_engine.debates.committee.speech import Speech
from apg_engine.debates.committee.strategy import Strategy
from apg_engine.debates.committee.table import Table
from apg_engine.debates.committee.view import View
from apg_engine.debates.enforcement import record_corpus
from apg_engine.journal import CallLedger, MemoryJournal
from apg_engine.reading.phrases import joined
from apg_engine.records import Label
from apg_engine.stages.sentences import draft_sentences

_FACTS = 2


def turn_write(
    view: View,
    table: Table,
    strategy: Strategy | None,
    speech: Speech,
    refused: Collection[str],
) -> str:
    """Write a turn; sentences that were refused before are not said again."""
    said: list[str] = []
    for sentence in _sentences(view, table, strategy, speech):
        if sentence not in refused and sentence not in said:
            said.append(sentence)
    return " ".join(said)


def _sentences(
    view: View, table: Table, strategy: Strategy | None, speech: Speech
) -> Iterator[str]:
    yield from _reactions(view, table, speech)
    if view.round == view.rounds > 1:
        yield from _closing(view, table, strategy, speech)
    else:
        yield from _answer(view, table, strategy, speech)
        yield from _facts(view, table, strategy)
        yield from _request(view, table, strategy, speech)


def _reactions(view: View, table: Table, speech: Speech) -> Iterator[str]:
    for at in table.news[-1:]:
        yield speech.line("reactions", inner=view.shocks[at].shock.kind.value)


def _answer(view: View, table: Table, strategy: Strategy | None, speech: Speech) -> Iterator[str]:
    other = _answered(view, table, strategy)
    if other is None:
        yield speech.line("openers")
        return
    party, load = other, view.scenario.share_of(other).load
    yield speech.line(
        "asks", other=_name(view, party), amount=speech.amount(table.asked[party]), load=load
    )
    if table.due <= 0:
        yield speech.line("rebuttals")


def _answered(view: View, table: Table, strategy: Strategy | None) -> str | None:
    """The module whose claim is answered, if it has a request on the table."""
    if strategy is None or not strategy.target:
        return None
    turn = strategy.target.partition(".")[0]
    speaker = next((one.speaker for one in table.heard if one.id == turn), "")
    party = next((one.id for one in view.parties if one.name == speaker), "")
    return party if party in table.asked else None


def _facts(view: View, table: Table, strategy: Strategy | None) -> Iterator[str]:
    chosen = [node for name in (strategy.axioms if strategy else ()) if (node := _fact(view, name))]
    about = [strategy.target_text if strategy and strategy.target else view.scenario.question]
    among = [node.id for node in facts_left(view, table)]
    ranked = axioms_find(view.graph, about, most=len(among), among=among)
    texts = list(dict.fromkeys(node.text for node in (*chosen, *ranked)))
    yield from facts_standing(view, table, texts)


def facts_standing(view: View, table: Table, texts: list[str]) -> list[str]:
    """Keep the first ones the record does not contradict: a shock may have overtaken a fact."""
    corpus = record_corpus(table.record, view.parties)
    kept = []
    for text in texts:
        verdicts = LadderAuditor().audit(
            sentences=draft_sentences(text), corpus=corpus, calls=CallLedger(MemoryJournal())
        )
        if all(verdict.label is not Label.CONTRADICTED for verdict in verdicts):
            kept.append(text)
        if len(kept) == _FACTS:
            break
    return kept


def _request(view: View, table: Table, strategy: Strategy | None, speech: Speech) -> Iterator[str]:
    given = _concessions(view, table, strategy)
    if given:
        yield speech.line("steps")
        yield from (node.text for node in given)
    now = table.asked[view.party.id] - sum(node.saves for node in given)
    yield speech.line("requests", amount=speech.amount(now))
    if view.round > 1 and not given:
        yield from _held(view, table, speech)
    else:
        yield from _gap(view, table.total - sum(node.saves for node in given), table, speech)


def _gap(view: View, total: int, table: Table, speech: Speech) -> Iterator[str]:
    gap = total - view.scenario.budget
    if gap > 0 and len(table.asked) == len(view.parties):
        yield speech.line("gaps", total=speech.amount(total), gap=speech.amount(gap))


def _concessions(view: View, table: Table, strategy: Strategy | None) -> tuple[Node, ...]:
    left = [
        node.id
        for node in table.axioms
        if node.kind is NodeKind.CONCESSION and node not in table.given_up
    ]
    about = [strategy.target_text if strategy else view.scenario.question]
    return axioms_find(view.graph, about, most=max(0, table.due), among=left)


def _held(view: View, table: Table, speech: Speech) -> Iterator[str]:
    if table.is_indivisible:
        for party in _others(view, table)[:1]:
            load = view.scenario.share_of(party).load
            yield speech.line("refusals", amount=speech.amount(table.asked[party]), load=load)
    else:
        yield speech.line("firm")


def _closing(view: View, table: Table, strategy: Strategy | None, speech: Speech) -> Iterator[str]:
    plan = _plan(view, table)
    if plan:
        yield from _facts(view, table, strategy)
        yield from _plan_said(view, plan, speech)
        yield speech.line("endorsements")
        return
    yield from _facts(view, table, strategy)
    yield speech.line("requests", amount=speech.amount(table.asked[view.party.id]))
    yield from _gap(view, table.total, table, speech)
    for party in _others(view, table):
        load = view.scenario.share_of(party).load
        yield speech.line("refusals", amount=speech.amount(table.asked[party]), load=load)


def _plan(view: View, table: Table) -> Mapping[str, int]:
    """The plan of this round if it leaves enough, else the requests if they fit the budget."""
    if table.is_indivisible or table.due > 0:
        return {}
    if table.plan and table.plan[view.party.id] >= table.asked[view.party.id]:
        return table.plan
    fits = len(table.asked) == len(view.parties) and table.total <= view.scenario.budget
    return table.asked if fits else {}


def _plan_said(view: View, plan: Mapping[str, int], speech: Speech) -> Iterator[str]:
    shares = [
        f"{speech.amount(plan[share.party])} for {share.load}" for share in view.scenario.shares
    ]
    slots = {"goods": view.scenario.goods, "shares": joined(shares, "and")}
    reserve = view.scenario.budget - sum(plan.values())
    if reserve:
        yield speech.fixed("plan_with_reserve", **slots, reserve=speech.amount(reserve))
    else:
        yield speech.fixed("plan", **slots)


def _others(view: View, table: Table) -> list[str]:
    others = [party for party in table.asked if party != view.party.id]
    return sorted(others, key=lambda party: -table.asked[party])


def _fact(view: View, name: str) -> Node | None:
    node = view.graph.node(name)
    return node if node and node.kind is NodeKind.FACT else None


def _name(view: View, party: str) -> str:
    return next(one.name for one in view.parties if one.id == party)

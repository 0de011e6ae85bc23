"""The Divergence Report: what the debate does not settle, as JSON of schema version 1."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from apg_engine.matching.index import CorpusIndex, Unit, index_of
from apg_engine.reading.agreed import Agreed, common_facts, gaps_find, given_facts
from apg_engine.reading.disputes import (
    Demand,
    Shortfall,
    demands_read,
    position_of,
    shortfall_find,
)
from apg_engine.reading.phrases import agents_called
from apg_engine.reading.quantities import Stated
from apg_engine.records import Corpus, Fidelity, Label, Policy, Quote, Sentence, Verdict
from apg_engine.results import PF_MEANING, Pair

SCHEMA_NAME = "apg-divergence-report"
SCHEMA_VERSION = 1
_MOST_FACTS = 5
_MOST_GAPS = 4


def divergence_schema() -> dict[str, Any]:
    """Give the JSON Schema every report follows."""
    text = files("apg_engine").joinpath("stages", "divergence.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def divergence_report(
    *, corpus: Corpus, pairs: Sequence[Pair], best: Pair, end: str, policy: Policy = "paper"
) -> dict[str, Any]:
    """Build the report from the corpus and the best draft's verdicts.

    Every quote satisfies `corpus[address][start:end] == quote`; private traces are never quoted.

    Args:
        corpus: the whole corpus.
        pairs: all proposer-auditor pairs.
        best: the pair with the best draft.
        end: the reason the run ended with.
        policy: what counted as supported.
    """
    index = index_of(corpus)
    demands = demands_read(index)
    shortfall = shortfall_find(index)
    facts = [*given_facts(index)[:_MOST_FACTS], *common_facts(index)[:_MOST_FACTS]]
    called = agents_called(index, corpus.agents)
    refused = [_refused_claim(corpus, pairs, best, one) for one in best.refused(policy)]
    return {
        "schema": SCHEMA_NAME,
        "version": SCHEMA_VERSION,
        "status": "divergent",
        "reason": str(end),
        "title": corpus.title,
        "question": corpus.question,
        "parties": [
            {"id": agent.id, "name": agent.name, "called": called[agent.id]}
            for agent in corpus.agents
        ],
        "unresolved_claims": [
            *(_demand_claim(corpus, demand, shortfall) for demand in _distinct(demands)),
            *refused,
        ],
        "agreed_facts": [_fact(corpus, fact) for fact in facts],
        "positions": [_position(corpus, index, demand) for demand in demands],
        "conflicting_sources": _conflicts(corpus, demands, shortfall),
        "missing_evidence": _missing(corpus, index, refused),
        "policy": policy,
        "pf_meaning": PF_MEANING,
        "history": [_history(pair) for pair in pairs],
        "best_pair": best.number,
    }


def _distinct(demands: Sequence[Demand]) -> list[Demand]:
    """Keep one of the demands that state the same."""
    found: list[Demand] = []
    for demand in demands:
        if not any(demand.unit in known.asserted_by for known in found):
            found.append(demand)
    return found


def _demand_claim(corpus: Corpus, demand: Demand, shortfall: Shortfall | None) -> dict[str, Any]:
    return {
        "kind": "competing demand",
        "claim": demand.unit.text,
        "reason": _demand_reason(demand, shortfall),
        "asserted_by": [_statement(corpus, unit) for unit in demand.asserted_by],
        "denied_by": [_statement(corpus, unit) for unit in demand.denied_by],
        "nearest": [],
        "nearest_supporting": [_statement(corpus, unit) for unit in demand.asserted_by],
        "nearest_opposing": [_statement(corpus, unit) for unit in demand.denied_by],
        "hints_tried": [],
        "agents": _agents(
            corpus,
            [unit.item.speaker for unit in demand.asserted_by],
            [unit.item.speaker for unit in demand.denied_by],
        ),
    }


def _demand_reason(demand: Demand, shortfall: Shortfall | None) -> str:
    if demand.denied_by:
        return "another party rejects it"
    if shortfall and any(stated.unit is demand.unit for stated in shortfall.demands):
        return "it cannot be met together with the demands of the other parties"
    return "the other parties do not state it"


def _refused_claim(
    corpus: Corpus, pairs: Sequence[Pair], best: Pair, verdict: Verdict
) -> dict[str, Any]:
    sentence = _sentence(best.sentences, verdict.sentence_id)
    supporting = [_quote(corpus, quote) for quote in _public(verdict.supporting)]
    opposing = [_quote(corpus, quote) for quote in _public(verdict.opposing)]
    return {
        "kind": "proposed settlement",
        "claim": sentence.text,
        "reason": verdict.reason if verdict.label is not Label.SUPPORTED else verdict.strict,
        "verdict": verdict.label.value,
        "asserted_by": [quote for quote in supporting if quote["agent"] in verdict.asserts],
        "denied_by": [quote for quote in opposing if quote["agent"] in verdict.denies],
        "nearest": _nearest(corpus, verdict),
        "nearest_supporting": supporting or _nearest(corpus, verdict),
        "nearest_opposing": opposing,
        "hints_tried": [p.number for p in pairs if p.hint and sentence.text in p.hint],
        "agents": _agents(corpus, verdict.asserts, verdict.denies),
    }


def _agents(
    corpus: Corpus, asserting: Iterable[str], denying: Iterable[str]
) -> list[dict[str, str]]:
    """Tell where each speaking party stands on one claim; who does both, denies it."""
    said = dict.fromkeys(index_of(corpus).speakers, "silent")
    said |= dict.fromkeys(asserting, "asserts") | dict.fromkeys(denying, "denies")
    return [{"agent": agent, "stance": stance} for agent, stance in said.items()]


def _nearest(corpus: Corpus, verdict: Verdict) -> list[dict[str, Any]]:
    return [_quote(corpus, quote) for quote in _public(verdict.nearest)]


def _sentence(sentences: Iterable[Sentence], sentence_id: str) -> Sentence:
    return next(sentence for sentence in sentences if sentence.id == sentence_id)


def _public(quotes: Iterable[Quote]) -> list[Quote]:
    return [quote for quote in quotes if not quote.address.startswith("P")]


def _fact(corpus: Corpus, fact: Agreed) -> dict[str, Any]:
    return {
        "fact": fact.unit.text,
        "stated_by": list(fact.speakers),
        "sources": [_statement(corpus, unit) for unit in fact.sources],
    }


def _position(corpus: Corpus, index: CorpusIndex, demand: Demand) -> dict[str, Any]:
    return {
        "agent": demand.agent,
        "name": corpus.agent_name(demand.agent),
        "demand": _statement(corpus, demand.unit),
        "ground": _statement(corpus, position_of(index, demand)),
    }


def _conflicts(
    corpus: Corpus, demands: Sequence[Demand], shortfall: Shortfall | None
) -> list[dict[str, Any]]:
    counted = [_arithmetic(corpus, shortfall)] if shortfall else []
    return [*counted, *(_denial(corpus, demand) for demand in demands if demand.denied_by)]


def _denial(corpus: Corpus, demand: Demand) -> dict[str, Any]:
    return {
        "kind": "denial",
        "asserted": _statement(corpus, demand.unit),
        "denied": [_statement(corpus, unit) for unit in demand.denied_by],
    }


def _arithmetic(corpus: Corpus, shortfall: Shortfall) -> dict[str, Any]:
    total = shortfall.total.quantity.value
    return {
        "kind": "arithmetic",
        "measure": shortfall.measure,
        "available": float(total),
        "asked": float(shortfall.asked),
        "missing": float(shortfall.asked - total),
        "source": _statement(corpus, shortfall.total.unit),
        "demands": [_stated(corpus, stated) for stated in shortfall.demands],
    }


def _stated(corpus: Corpus, stated: Stated) -> dict[str, Any]:
    return {"amount": float(stated.quantity.value), **_statement(corpus, stated.unit)}


def _missing(
    corpus: Corpus, index: CorpusIndex, refused: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    stated = [
        {"kind": "stated gap", "text": unit.text, "source": _statement(corpus, unit)}
        for unit in gaps_find(index)[-_MOST_GAPS:]
    ]
    absent = [
        {"kind": "no source", "text": claim["claim"], "source": None}
        for claim in refused
        if not claim["asserted_by"]
    ]
    return [*stated, *absent]


def _history(pair: Pair) -> dict[str, Any]:
    fidelity = pair.fidelity
    return {
        "pair": pair.number,
        "supported": fidelity.supported if fidelity else None,
        "claims": fidelity.total if fidelity else None,
        "confirmed": pair.confirmed.supported if pair.confirmed else None,
        "strict": _share(pair.counts.strict) if pair.counts else None,
        "pf_all": _share(pair.counts.pf_all) if pair.counts else None,
        "told": pair.hint,
    }


def _share(fidelity: Fidelity) -> dict[str, int]:
    return {"supported": fidelity.supported, "claims": fidelity.total}


def _statement(corpus: Corpus, unit: Unit) -> dict[str, Any]:
    return _quote(corpus, Quote(unit.address, 0, len(unit.text), unit.text))


def _quote(corpus: Corpus, quote: Quote) -> dict[str, Any]:
    item = corpus.item(quote.address)
    return {
        "address": quote.address,
        "start": quote.start,
        "end": quote.end,
        "quote": quote.text,
        "agent": item.speaker if item else "",
        "turn": item.turn if item else 0,
    }

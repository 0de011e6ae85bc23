"""A Divergence Report as calm prose for a participant, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from apg_engine.reading.phrases import can_be_lowered, capital, joined, lowered
from apg_engine.reading.standing import reads_alone
from apg_engine.stages.divergence_words import WORDS, Words

_MOST_GIVEN = 2
_MOST_COMMON = 2
_MOST_GAPS = 2
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")

Row = Mapping[str, Any]
Names = Mapping[str, str]


def divergence_render(report: Row, *, language: str) -> str:
    """Render a report; it names no model, no number of the audit and no address."""
    words = WORDS[language]
    key = "called" if language == "en" else "name"
    names = {party["id"]: _plain(party[key]) for party in report["parties"]}
    parts = [
        _lead(report, words, names),
        f"### {words.agreed}\n\n{_agreed(report, words, names)}",
        f"### {words.unresolved}\n\n{_unresolved(report, words, names)}",
        f"### {words.positions}\n\n{_positions(report['positions'], words, names)}",
        f"### {words.missing}\n\n{_missing(report['missing_evidence'], words, names)}",
    ]
    return "\n\n".join(parts)


def _lead(report: Row, words: Words, names: Names) -> str:
    question = _plain(report["question"])
    lead = words.lead.format(question=question) if question else words.lead_without_question
    speaking = [names[position["agent"]] for position in report["positions"]]
    if len(speaking) < 2:
        return lead
    return f"{lead}\n\n{words.ends_apart.format(parties=joined(speaking, words.joint))}"


def _agreed(report: Row, words: Words, names: Names) -> str:
    facts, speaking = report["agreed_facts"], len(report["positions"])
    given = [fact for fact in facts if not fact["stated_by"]][:_MOST_GIVEN]
    common = [fact for fact in facts if fact["stated_by"]][:_MOST_COMMON]
    # Chosen by weight, told in the order of the record.
    given.sort(key=lambda fact: _order(fact["sources"][0]["address"]))
    told = [_plain(fact["fact"]) for fact in given]
    told += [_common(fact, words, names, speaking) for fact in common]
    return " ".join(told) or words.nothing_agreed


def _order(address: str) -> tuple[str, list[int]]:
    return address[0], [int(part) for part in address[1:].split(".")]


def _common(fact: Row, words: Words, names: Names, speaking: int) -> str:
    agents = fact["stated_by"]
    parties = joined([names[agent] for agent in agents], words.joint)
    parties = words.everyone if len(agents) == speaking else parties
    turns = _turns([source["turn"] for source in fact["sources"]], words)
    text = fact["fact"].rstrip(".")
    if words.takes_clauses and can_be_lowered(text):
        pattern, fact_text = words.agree_that, lowered(text)
    else:
        pattern, fact_text = words.agree_quote, text
    told = pattern.format(parties=parties, turns=turns, fact=_plain(fact_text))
    return f"{capital(told)}."


def _unresolved(report: Row, words: Words, names: Names) -> str:
    claims = [c for c in report["unresolved_claims"] if c["kind"] == "competing demand"]
    lines = [f"- {_claim(claim, words, names)}" for claim in claims]
    conflicts = report["conflicting_sources"]
    closing = [_arithmetic(c, words) for c in conflicts if c["kind"] == "arithmetic"]
    if not lines and not closing:
        return words.nothing_demanded
    return "\n\n".join(part for part in ("\n".join(lines), " ".join(closing)) if part)


def _claim(claim: Row, words: Words, names: Names) -> str:
    text = claim["claim"]
    if words.takes_clauses and reads_alone(text) and can_be_lowered(text):
        opening = words.whether.format(claim=_plain(lowered(text)))
    else:
        opening = words.claim.format(claim=_plain(text))
    asserted = words.asserted.format(parties=_said_by(claim["asserted_by"], words, names))
    return f"{opening} {asserted}{_denied(claim['denied_by'], words, names)}"


def _denied(denied: Sequence[Row], words: Words, names: Names) -> str:
    if not denied:
        return words.unanswered
    return words.denied.format(parties=_said_by(denied, words, names))


def _said_by(statements: Sequence[Row], words: Words, names: Names) -> str:
    parties = [f"{names[one['agent']]} ({_turns([one['turn']], words)})" for one in statements]
    return joined(parties, words.joint)


def _arithmetic(conflict: Row, words: Words) -> str:
    measure = conflict["measure"]
    return words.arithmetic.format(
        sum=_number(conflict["asked"]),
        total=_number(conflict["available"]),
        missing=_number(conflict["missing"]),
        measure=measure if measure in {"%", "°"} else f" {measure}",
        terms=" + ".join(_number(demand["amount"]) for demand in conflict["demands"]),
    )


def _positions(positions: Sequence[Row], words: Words, names: Names) -> str:
    lines = []
    for position in positions:
        ground = position["ground"]
        line = words.position.format(
            party=capital(names[position["agent"]]),
            quote=_plain(ground["quote"]),
        )
        lines.append(f"- {line}")
    return "\n".join(lines)


def _missing(missing: Sequence[Row], words: Words, names: Names) -> str:
    gaps = [one["source"] for one in missing if one["kind"] == "stated gap"][-_MOST_GAPS:]
    return " ".join(_gap(gap, words, names) for gap in gaps) or words.no_gaps


def _gap(source: Row, words: Words, names: Names) -> str:
    if not source["agent"]:
        return _plain(source["quote"])
    return words.gap_of_party.format(
        party=names[source["agent"]],
        quote=_plain(source["quote"]),
        turns=_turns([source["turn"]], words),
    )


def _turns(numbers: Sequence[int], words: Words) -> str:
    distinct = sorted(set(numbers))
    listed = joined([str(number) for number in distinct], words.joint)
    return (words.turn if len(distinct) == 1 else words.turns).format(n=listed)


def _number(value: float) -> str:
    return f"{value:,.10g}".replace(",", "\u00a0") if value >= 10_000 else f"{value:.10g}"


def _plain(text: str) -> str:
    """Keep a quote's characters from being read as Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))

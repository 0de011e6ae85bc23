"""A Divergence Report as calm prose for a participant, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from apg_engine.reading.phrases import agent_called, capital, joined, lowered
from apg_engine.reading.standing import reads_alone
from apg_engine.records import Agent
from apg_engine.stages.divergence_words import WORDS, Words

_MOST_GIVEN = 3
_MOST_COMMON = 2
_MOST_GAPS = 2
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def divergence_render(report: Mapping[str, Any], *, language: str) -> str:
    """Render a report; it names no model, no number of the audit and no address."""
    words = WORDS[language]
    names = _names(report["parties"], language)
    parts = [
        _lead(report, words, names),
        f"### {words.agreed}\n\n{_agreed(report['agreed_facts'], words, names)}",
        f"### {words.unresolved}\n\n{_unresolved(report, words, names)}",
        f"### {words.positions}\n\n{_positions(report['positions'], words, names)}",
        f"### {words.missing}\n\n{_missing(report['missing_evidence'], words, names)}",
    ]
    return "\n\n".join(parts)


def _names(parties: Sequence[Mapping[str, str]], language: str) -> dict[str, str]:
    if language != "en":
        return {party["id"]: party["name"] for party in parties}
    return {party["id"]: agent_called(Agent(party["id"], party["name"])) for party in parties}


def _lead(report: Mapping[str, Any], words: Words, names: Mapping[str, str]) -> str:
    question = _plain(report["question"].strip())
    lead = words.lead.format(question=question) if question else words.lead_without_question
    speaking = [names[position["agent"]] for position in report["positions"]]
    apart = words.ends_apart.format(parties=joined(speaking, words.joint))
    return f"{lead}\n\n{capital(apart)}" if speaking else lead


def _agreed(facts: Sequence[Mapping[str, Any]], words: Words, names: Mapping[str, str]) -> str:
    given = [_plain(fact["fact"]) for fact in facts if not fact["stated_by"]][:_MOST_GIVEN]
    common = [fact for fact in facts if fact["stated_by"]][:_MOST_COMMON]
    sentences = [*given, *(_common(fact, words, names) for fact in common)]
    return " ".join(sentences) or words.nothing_agreed


def _common(fact: Mapping[str, Any], words: Words, names: Mapping[str, str]) -> str:
    parties = joined([names[agent] for agent in fact["stated_by"]], words.joint)
    turns = [source["turn"] for source in fact["sources"]]
    return capital(
        words.common.format(
            parties=parties, turns=_turns(turns, words), fact=_plain(lowered(fact["fact"]))
        )
    )


def _unresolved(report: Mapping[str, Any], words: Words, names: Mapping[str, str]) -> str:
    claims = [c for c in report["unresolved_claims"] if c["kind"] == "competing demand"]
    lines = [f"- {_claim(claim, words, names)}" for claim in claims]
    closing = []
    for conflict in report["conflicting_sources"]:
        if conflict["kind"] == "arithmetic":
            closing.append(_arithmetic(conflict, words))
    closing.append(words.no_settlement)
    return "\n".join(lines) + ("\n\n" if lines else "") + " ".join(closing)


def _claim(claim: Mapping[str, Any], words: Words, names: Mapping[str, str]) -> str:
    text = claim["claim"]
    if reads_alone(text):
        opening = words.whether.format(claim=_plain(lowered(text)))
    else:
        opening = words.quoted.format(claim=_plain(text.rstrip("."))) + "."
    by = [
        words.asserts.format(party=capital(names[one["agent"]]), turns=_turns([one["turn"]], words))
        for one in claim["asserted_by"]
    ]
    return " ".join([opening, *by, _denial(claim["denied_by"], words, names)])


def _denial(denied: Sequence[Mapping[str, Any]], words: Words, names: Mapping[str, str]) -> str:
    if not denied:
        return words.unanswered
    parties = [f"{names[one['agent']]} ({_turns([one['turn']], words)})" for one in denied]
    pattern = words.denies_one if len(parties) == 1 else words.denies_many
    return capital(pattern.format(parties=joined(parties, words.joint)))


def _arithmetic(conflict: Mapping[str, Any], words: Words) -> str:
    measure = conflict["measure"]
    return words.arithmetic.format(
        sum=_number(conflict["asked"]),
        total=_number(conflict["available"]),
        missing=_number(conflict["missing"]),
        measure=measure if measure in {"%", "°"} else f" {measure}",
        terms=" + ".join(_number(demand["amount"]) for demand in conflict["demands"]),
    )


def _positions(
    positions: Sequence[Mapping[str, Any]], words: Words, names: Mapping[str, str]
) -> str:
    lines = []
    for position in positions:
        ground = position["ground"]
        line = words.position.format(
            party=capital(names[position["agent"]]),
            quote=_plain(ground["quote"]),
            turns=_turns([ground["turn"]], words),
        )
        lines.append(f"- {line}")
    return "\n".join(lines)


def _missing(missing: Sequence[Mapping[str, Any]], words: Words, names: Mapping[str, str]) -> str:
    gaps = [one["source"] for one in missing if one["kind"] == "stated gap"][-_MOST_GAPS:]
    return " ".join(_gap(gap, words, names) for gap in gaps) or words.no_gaps


def _gap(source: Mapping[str, Any], words: Words, names: Mapping[str, str]) -> str:
    if not source["agent"]:
        return words.gap.format(quote=_plain(source["quote"]))
    return words.gap_by_party.format(
        party=capital(names[source["agent"]]),
        quote=_plain(source["quote"]),
        turns=_turns([source["turn"]], words),
    )


def _turns(numbers: Sequence[int], words: Words) -> str:
    distinct = sorted(set(numbers))
    listed = joined([str(number) for number in distinct], words.both)
    return (words.turn if len(distinct) == 1 else words.turns).format(n=listed)


def _number(value: float) -> str:
    return f"{value:,.10g}".replace(",", "\u00a0") if value >= 10_000 else f"{value:.10g}"


def _plain(text: str) -> str:
    """Keep a quote's characters from being read as Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))

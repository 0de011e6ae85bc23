"""Noun phrases for prose: what each party speaks for, and how parties are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from apg_engine.matching.index import CorpusIndex, Unit
from apg_engine.matching.lexicon import NEGATIONS, NUMBER_WORDS, QUANTIFIERS, STOPWORDS
from apg_engine.matching.names import Mention, NameFinder
from apg_engine.reading.quantities import Stated
from apg_engine.records import Agent, ItemKind
from apg_engine.word_sets import word_set

_ORGANISATION = word_set("""
    board authority trust ministry operator council office agency service services team department
    committee commission company union network group directorate command unit institute desk
    association centre center bureau cooperative brigade corps delegation party coalition
    """)
_PLAIN = (STOPWORDS | QUANTIFIERS | NEGATIONS | frozenset(NUMBER_WORDS)) - {"i"}
# The debate itself, not what it is about.
_HOLLOW = word_set("""
    committee proposal debate record plan policy argument reserve position point case risk question
    claim view approach decision allocation total rest share remainder minimum need only same first
    other answer reason amount figure priority priorities side parties party group council
    """)
_PLURAL = re.compile(r"(?:ers|ors|ents|ians|ists|ees|men|women|people|citizens)$", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\b(?P<np>the (?:[\w-]+ ){0,3}?[\w-]+) "
    r"(?:must|should|needs?|requires?|has to|have to|cannot)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:to|for|at|of|below|keep|supply|serve|protect) (?P<np>the (?:[\w-]+ ){0,2}[\w-]+)",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\b(?:include|includes|including|between|among|are|namely|for|:)\s+"
    r"(?P<items>[\w\s,-]{10,160}?,?\s+and\s+[\w-]+(?:\s[\w-]+){0,2})",
    re.IGNORECASE,
)


def loads_find(index: CorpusIndex, demands: Mapping[str, Stated]) -> dict[str, str]:
    """Name what each party speaks for, by agent id; parties whose load is unknown are left out.

    Taken from its last demand, else from its mandate, else from a list in the crisis context
    that the party mentions most.
    """
    listed = _listed(index)
    found: dict[str, str] = {}
    for agent in index.corpus.agents:
        demand = demands.get(agent.id)
        phrase = _of_demand(demand.unit, agent) if demand else ""
        phrase = phrase or _first(_OBJECT, agent.mandate, agent)
        phrase = phrase or _most_mentioned(
            index, agent, [x for x in listed if x not in found.values()]
        )
        if phrase and phrase not in found.values():
            found[agent.id] = phrase
    return found


def agents_called(index: CorpusIndex, agents: Sequence[Agent]) -> dict[str, str]:
    """Give agents' names for running English text: `the Water Board`, `EOH`.

    The record decides: where it says `the NAME`, so does the text; else the last word does.

    Returns:
        What each is called, by id.
    """
    finder = NameFinder(agent.name for agent in agents)
    said = Counter(one for unit in index.units for one in finder.mentions(unit.text))
    return {agent.id: _called(agent.name, said) for agent in agents}


def _called(name: str, said: Mapping[Mention, int]) -> str:
    words = name.split()
    if not words or words[0].lower() == "the":
        return name
    with_article, without = (said.get(Mention(name, has), 0) for has in (True, False))
    if with_article or without:
        return f"the {name}" if with_article > without else name
    is_organisation = len(words) > 1 and words[-1].lower() in _ORGANISATION
    return f"the {name}" if is_organisation else name


def is_plural(name: str) -> bool:
    """Tell whether a party's name is a plural: `Dam Operators`."""
    return bool(_PLURAL.search(name))


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Join parts as prose: `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def capital(text: str) -> str:
    """Put a capital at the start."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """Take the capital from a sentence that moves behind `that`; names keep theirs."""
    return text[:1].lower() + text[1:] if can_be_lowered(text) else text


def can_be_lowered(text: str) -> bool:
    """Tell whether the first word is a plain word and not a name."""
    first = re.match(r"[^\W\d_]+", text)
    return first is None or first.group().lower() in _PLAIN


def _of_demand(unit: Unit, agent: Agent) -> str:
    return _first(_SUBJECT, unit.text, agent) or _first(_OBJECT, unit.text, agent)


def _first(pattern: re.Pattern[str], text: str, agent: Agent) -> str:
    for match in pattern.finditer(text):
        phrase = _trimmed(match.group("np"))
        if phrase and phrase[4:] not in agent.name.lower():
            return phrase
    return ""


def _trimmed(phrase: str) -> str:
    """Keep `the` and the content words up to the first function word."""
    kept: list[str] = []
    for word in phrase.split()[1:]:
        if word.lower() in STOPWORDS or word.isdigit():
            break
        kept.append(word)
    if not kept or kept[-1].lower() in _HOLLOW:
        return ""
    return " ".join(["the", *kept])


def _listed(index: CorpusIndex) -> list[str]:
    """Read `A, B, C and D` out of the context."""
    for unit in index.units:
        if unit.item.kind is ItemKind.CONTEXT:
            match = _LIST.search(unit.text)
            parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", match.group("items")) if match else []
            clean = [part.strip() for part in parts if 1 <= len(part.split()) <= 4]
            if len(clean) >= 3:
                return [_with_article(part) for part in clean]
    return []


def _with_article(phrase: str) -> str:
    bare = re.sub(r"^(?:the|an?)\s+", "", phrase, flags=re.IGNORECASE)
    return f"the {bare}"


def _most_mentioned(index: CorpusIndex, agent: Agent, phrases: Sequence[str]) -> str:
    counts: Counter[str] = Counter()
    for unit in index.spoken_by(agent.id):
        text = unit.text.lower()
        for phrase in phrases:
            counts[phrase] += phrase[4:].lower().rstrip("s") in text
    ranked = sorted(phrases, key=lambda phrase: (-counts[phrase], phrase))
    return ranked[0] if ranked and counts[ranked[0]] else ""

"""Quantities with units: what there is to share, and what each party asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from apg_engine.matching.index import CorpusIndex, Unit, content_of, is_public_turn
from apg_engine.matching.lexicon import MEASURES, REJECTIONS, REPORTING, STOPWORDS
from apg_engine.matching.tokens import Token, is_question, stem, tokens_of
from apg_engine.records import Agent, ItemKind
from apg_engine.word_sets import word_set

_TOTAL = re.compile(
    r"\b(?:only|remain\w*|left|available|total|reserves?|capacity|budget|supply|stock|"
    r"tylko|pozosta\w+|dostępn\w+|łącznie|rezerw\w*|budżet\w*|zapas\w*)\b",
    re.IGNORECASE,
)
_TOTAL_NEWS = re.compile(r"\b(?:only|now|remain\w*|left|tylko|teraz|pozosta\w+)\b", re.IGNORECASE)
_DEMAND = re.compile(
    r"\b(?:must|should|ought|needs?|requires?|at least|below|minimum|no less than|not less than|"
    r"musi|muszą|potrzebuje|potrzebują|wymaga|wymagają|co najmniej|nie mniej|powin\w+)\b",
    re.IGNORECASE,
)
_CEILING = re.compile(
    r"\b(?:no more than|at most|not more than|limited to|cut to|reduced to|lowered to|capped at|"
    r"up to|instead of|rather than|if|unless|would|could|might|najwyżej|zamiast|jeśli|gdyby)\b",
    re.IGNORECASE,
)
_MEASURES = frozenset(map(stem, MEASURES))
_TIMES = frozenset(
    map(stem, word_set("hours minutes days weeks months years s min godzin godziny dni tygodni"))
)
_HOURS = stem("hours")
_REFUSING = frozenset(map(stem, REJECTIONS | REPORTING))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, as written in characters `start` to `end` of its text."""

    value: Decimal
    unit: str
    shown: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A quantity with the corpus sentence that states it, and who said it ("" for nobody)."""

    quantity: Quantity
    unit: Unit
    speaker: str


def quantities_in(text: str) -> list[Quantity]:
    """List the numbers of a text that carry a unit: `40 MW`, `30%`, `10 dark nights`."""
    tokens = tokens_of(text)
    found = []
    for place, number in enumerate(tokens):
        unit = _unit_behind(text, tokens, place) if number.norm[0] == "#" else None
        if unit is not None:
            shown = text[number.start : unit.end]
            found.append(Quantity(Decimal(number.norm[1:]), stem(unit.norm), shown))
    return found


def _unit_behind(text: str, tokens: list[Token], place: int) -> Token | None:
    """The word behind a number, or behind one adjective: `10 dark nights` has nights."""
    number, behind = tokens[place], tokens[place + 1 : place + 3]
    # `12.345.67` may be a section or a telephone, and is no amount.
    if not behind or not text[number.start].isdigit() or number.norm.count(".") > 1:
        return None
    if not _is_unit(text, number, behind[0]):
        return None
    second = behind[1] if len(behind) == 2 else None
    if behind[0].norm in MEASURES or behind[0].norm.endswith("s") or second is None:
        return behind[0]
    is_noun = second.norm in MEASURES or second.norm.endswith("s")
    return second if is_noun and _is_unit(text, behind[0], second) else behind[0]


def _is_unit(text: str, before: Token, word: Token) -> bool:
    if re.search(r"[.,;:]", text[before.end : word.start]):
        return False
    if word.norm in MEASURES:
        return True
    return word.norm.isalpha() and word.norm not in STOPWORDS and len(word.norm) > 2


@lru_cache(maxsize=2)
def total_find(index: CorpusIndex) -> Stated | None:
    """Find what there is to share: stated by the context, or by the last shock that revises it."""
    found: Stated | None = None
    for unit in index.units:
        kind = unit.item.kind
        if kind is ItemKind.CONTEXT and found is None:
            found = _total_in(unit, _TOTAL, "")
        elif kind is ItemKind.SHOCK:
            cue = _TOTAL_NEWS if found else _TOTAL
            news = _total_in(unit, cue, found.quantity.unit if found else "")
            found = news if news and _is_news(news, found) else found
    return found


def _is_news(news: Stated, known: Stated | None) -> bool:
    return known is None or news.quantity.value != known.quantity.value


def _total_in(unit: Unit, cue: re.Pattern[str], measure: str) -> Stated | None:
    if not cue.search(unit.text) or not _TOTAL.search(unit.text):
        return None
    fitting = [q for q in quantities_in(unit.text) if q.unit == (measure or q.unit)]
    fitting = [q for q in fitting if q.unit not in _TIMES]
    # A unit of measure before any counted noun: "2 plants share 40 MW".
    fitting.sort(key=lambda quantity: quantity.unit not in _MEASURES)
    return Stated(fitting[0], unit, "") if fitting else None


def demands(text: str) -> bool:
    """Tell whether a text asks for something."""
    return bool(_DEMAND.search(text))


@lru_cache(maxsize=4)
def demands_find(index: CorpusIndex, measure: str) -> Mapping[str, Stated]:
    """Find each party's last demand in a unit, by agent id, in the order of the agents."""
    last: dict[str, Stated] = {}
    for unit in index.units:
        if is_public_turn(unit):
            demand = _demand_in(index, unit, measure)
            if demand:
                last[unit.item.speaker] = _plainer(last.get(unit.item.speaker), demand)
    agents = (agent.id for agent in index.corpus.agents)
    return {agent: last[agent] for agent in agents if agent in last}


def _plainer(known: Stated | None, demand: Stated) -> Stated:
    """A later demand replaces an earlier one, but of one amount the shorter wording is kept."""
    if known is None or known.quantity.value != demand.quantity.value:
        return demand
    if not content_of(known.unit.words) <= content_of(demand.unit.words):
        return demand
    return known if len(known.unit.words) < len(demand.unit.words) else demand


def is_demand(unit: Unit) -> bool:
    """Tell whether a sentence asks for something in its speaker's own name, without an if."""
    text = unit.text
    asks = _DEMAND.search(text) and not _CEILING.search(text) and not is_question(text)
    return bool(asks) and not any(word in _REFUSING for word in unit.words)


def _demand_in(index: CorpusIndex, unit: Unit, measure: str) -> Stated | None:
    if not is_demand(unit) or names_others(index, unit):
        return None
    quantities = [q for q in quantities_in(unit.text) if q.unit == measure]
    return Stated(quantities[0], unit, unit.item.speaker) if len(quantities) == 1 else None


def names_others(index: CorpusIndex, unit: Unit) -> bool:
    """Tell whether a sentence names an agent other than its speaker."""
    named = index.names.mentions(unit.text)
    return any(index.ids_of[one.name] - {unit.item.speaker} for one in named)


def names_agent(text: str, agent: Agent) -> bool:
    """Tell whether a text calls an agent by its name."""
    return bool(re.search(rf"(?<!\w){re.escape(agent.name)}(?!\w)", text, re.IGNORECASE))


def hours_in(index: CorpusIndex) -> Iterator[str]:
    """List the periods of 2 to 24 hours that context, shocks and turns name, as numbers."""
    for unit in index.units:
        if unit.item.kind is not ItemKind.PRIVATE:
            for quantity in quantities_in(unit.text):
                if quantity.unit == _HOURS and 1 < quantity.value <= 24:
                    yield str(quantity.value)

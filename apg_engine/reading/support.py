"""Who stands behind a supported sentence, who denies it, and what its support is worth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from apg_engine.matching.attribution import attribution_find
from apg_engine.matching.disowned import disowning
from apg_engine.matching.index import CorpusIndex, Unit, is_public_turn
from apg_engine.matching.statements import denying, stating
from apg_engine.reading.quantities import demands, names_agent
from apg_engine.reading.recommendations import recommends
from apg_engine.reading.rejections import rejects
from apg_engine.reading.withdrawal import withdrawals_of
from apg_engine.records import ItemKind, Label, Quote, Sentence, Verdict

PRIVATE_ONLY = "private only"
SINGLE_SOURCE = "single source"
_AGREEMENT = re.compile(
    r"\b(?:all|both|every|each)(?: of the)?(?: \w+){0,2} (?:part(?:y|ies)|sides?|agents?|teams?|"
    r"stakeholders?|delegations?)\b"
    r"|\b(?:agree[sd]?|agreement|consensus|unanim\w+|unison|jointly (?:accept|support|endorse)\w*|"
    r"common ground|mutually accept\w*|everyone)\b"
    r"|\b(?:wszystkie strony|obie strony|każda ze stron|konsensus\w*|jednomyśln\w+|uzgodni\w+|"
    r"zgadzają się|porozumieni\w+|wspólne stanowisko)\b",
    re.IGNORECASE,
)
_NO_AGREEMENT = re.compile(
    r"\b(?:no|not|never|without|neither|nor|lack\w*|fail\w*|disagree\w*|until|unless|if|whether|"
    r"nie|brak\w*|bez|jeśli|czy)\b",
    re.IGNORECASE,
)
_GIVEN = frozenset({ItemKind.CONTEXT, ItemKind.SHOCK, ItemKind.AXIOM, ItemKind.DOCUMENT})
# A rejection is about a sentence if it covers this share of the sentence's weight.
_ABOUT = 0.5


def verdict_weighed(index: CorpusIndex, sentence: Sentence, verdict: Verdict) -> Verdict:
    """Add what the strict policy objects to, and what is thin about the support."""
    if verdict.label is not Label.SUPPORTED:
        return replace(verdict, strict="", flags=())
    units = units_quoted(index, verdict)
    disowned = _disowned(index, units)
    if disowned:
        return _refuted(
            index, verdict, disowned, why="says it only to call it false", by="disowned"
        )
    taken_back = _taken_back(index, sentence.text, units)
    if taken_back:
        return _refuted(
            index, verdict, taken_back, why="took back the agreement it states", by="withdrawal"
        )
    return replace(
        verdict,
        strict=_objection(index, sentence.text, verdict, units),
        flags=tuple(_flags(index, sentence.text, units)),
    )


def _taken_back(index: CorpusIndex, text: str, units: Sequence[Unit]) -> list[Unit]:
    """List how parties that a sentence says agree have taken back what they stated."""
    agreeing = _agreeing_named(index, text, units)
    found = (later for unit in units for later in withdrawals_of(index, unit, agreeing))
    return list(dict.fromkeys(found))


def _disowned(index: CorpusIndex, units: Sequence[Unit]) -> list[Unit]:
    """List how the speakers call false all that is quoted; nothing if one sentence stands."""
    calling = {unit: disowning(index, unit) for unit in units}
    denials = list(dict.fromkeys(denial for denial in calling.values() if denial))
    stands = any(denial is None and unit not in denials for unit, denial in calling.items())
    return [] if stands else denials


def _refuted(
    index: CorpusIndex, verdict: Verdict, denials: Sequence[Unit], *, why: str, by: str
) -> Verdict:
    deniers = tuple(dict.fromkeys(unit.item.speaker for unit in denials))
    names = ", ".join(index.corpus.agent_name(agent) for agent in deniers)
    quotes = (Quote(unit.address, 0, len(unit.text), unit.text) for unit in denials)
    return replace(
        verdict,
        label=Label.CONTRADICTED,
        reason=f"{names} {why}",
        decided_by=f"rules: {by} veto",
        supporting=(),
        opposing=tuple(quotes),
        asserts=tuple(agent for agent in verdict.asserts if agent not in deniers),
        denies=deniers,
        strict="",
        flags=(),
    )


def units_quoted(index: CorpusIndex, verdict: Verdict) -> list[Unit]:
    """Give the corpus sentences that the supporting quotes lie in."""
    found: list[Unit] = []
    for quote in verdict.supporting:
        place = index.corpus.range_of(quote.address)
        if place:
            item, start, _ = place
            first, last = start + quote.start, start + quote.end
            found += [u for u in index.of_item(item) if u.start < last and first < u.end]
    return list(dict.fromkeys(found))


def _objection(index: CorpusIndex, text: str, verdict: Verdict, units: Sequence[Unit]) -> str:
    """Say why the strict policy refuses a supported sentence; empty if it does not."""
    absent = [
        agent
        for agent in _agreeing_named(index, text, units)
        if agent not in _asserting(index, verdict, units)
    ]
    if absent:
        names = ", ".join(index.corpus.agent_name(agent) for agent in absent)
        return f"it states agreement, but the record does not have it from {names}"
    deniers = _denying(index, text, verdict, units)
    if deniers:
        names = ", ".join(index.corpus.agent_name(agent) for agent in deniers)
        return f"it is contested: denied by {names}"
    return ""


def _agreeing_named(index: CorpusIndex, text: str, units: Sequence[Unit]) -> tuple[str, ...]:
    """The parties a sentence says agree: those it names, else all that speak; none if none."""
    agents = index.corpus.agents
    attribution = attribution_find(text, agents)
    if attribution:
        return attribution.agents if len(attribution.agents) > 1 else ()
    if not _states_agreement(text) or any(_gives_agreement(unit) for unit in units):
        return ()
    named = tuple(agent.id for agent in agents if names_agent(text, agent))
    return named if len(named) > 1 else index.speakers


def _states_agreement(text: str) -> bool:
    return bool(_AGREEMENT.search(text)) and not _NO_AGREEMENT.search(text)


def _gives_agreement(unit: Unit) -> bool:
    """Context, shocks and documents may report an agreement as a fact of the case."""
    return unit.item.kind in _GIVEN and _states_agreement(unit.text)


def _asserting(index: CorpusIndex, verdict: Verdict, units: Sequence[Unit]) -> set[str]:
    stated = (other for unit in units for other in (unit, *stating(index, unit)))
    return set(verdict.asserts) | {u.item.speaker for u in stated if is_public_turn(u)}


def _denying(
    index: CorpusIndex, text: str, verdict: Verdict, units: Sequence[Unit]
) -> tuple[str, ...]:
    """The parties that deny a sentence; what names its party, or the dispute, denies itself."""
    if rejects(text) or attribution_find(text, index.corpus.agents):
        return ()
    ruled = (agent for unit in units for agent in _deniers(index, unit))
    return tuple(dict.fromkeys((*verdict.denies, *ruled)))


def _deniers(index: CorpusIndex, unit: Unit) -> Iterator[str]:
    """Parties whose last word on a sentence is another number, a negation, or a rejection."""
    last: dict[str, tuple[tuple[int, int], bool]] = {}
    said = [(other, False) for other in (unit, *stating(index, unit))]
    said += [(other, True) for other in (*denying(index, unit), *_rejecting(index, unit))]
    for other, denies in said:
        if is_public_turn(other):
            place = (other.item.turn, other.start)
            known = last.get(other.item.speaker)
            if known is None or known[0] <= place:
                last[other.item.speaker] = (place, denies)
    return (agent for agent, (_, denies) in last.items() if denies)


def _rejecting(index: CorpusIndex, unit: Unit) -> tuple[Unit, ...]:
    key = ("rejecting", unit.words)
    if key not in index.memo:
        numbers = {word for word in unit.words if word[0] == "#"}
        index.memo[key] = tuple(
            near.unit
            for near in index.near(unit.words)
            if near.of_claim >= _ABOUT
            and near.unit.words != unit.words
            and is_public_turn(near.unit)
            and rejects(near.unit.text)
            and numbers <= set(near.unit.words)
        )
    return tuple(u for u in index.memo[key] if u.item.speaker != unit.item.speaker)


def _flags(index: CorpusIndex, text: str, units: Sequence[Unit]) -> Iterator[str]:
    if units and all(unit.item.kind is ItemKind.PRIVATE for unit in units):
        yield PRIVATE_ONLY
    elif units and all(is_public_turn(unit) for unit in units):
        asks = recommends(text) or demands(text)
        if asks and not attribution_find(text, index.corpus.agents) and _is_alone(index, units):
            yield SINGLE_SOURCE


def _is_alone(index: CorpusIndex, units: Sequence[Unit]) -> bool:
    """Tell whether one party says it and nobody but turns that repeat its turn."""
    sources = {other for unit in units for other in (unit, *stating(index, unit))}
    speakers = {unit.item.speaker for unit in sources}
    texts = {min((unit.item.address, *unit.item.links), key=_place) for unit in sources}
    return len(speakers) == 1 or len(texts) == 1


def _place(address: str) -> tuple[str, int]:
    return address[0], int(address[1:])

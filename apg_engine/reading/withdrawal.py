"""What a party no longer says: a statement that it rejects, takes back or outbids later."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from apg_engine.matching.index import CorpusIndex, Unit, content_of, is_public_turn
from apg_engine.matching.statements import denying, stating
from apg_engine.reading.quantities import demands, quantities_in
from apg_engine.reading.rejections import rejects
from apg_engine.reading.standing import place_of

_TAKES_BACK = re.compile(
    r"\b(?:withdr[ae]w\w*|retract\w*|revok\w*|rescind\w*|recant\w*|repudiat\w*|renounc\w*|"
    r"chang\w+ (?:its|their|his|her|our|my) mind|(?:was|were) (?:wrong|mistaken) to|"
    r"back(?:s|ed|ing)? (?:out|down)|disavow\w*|disown\w*|"
    r"disagree\w*|dissent\w*|no deal|not with (?:us|me)|(?:just |only )?(?:kidding|joking)|"
    r"(?:cannot|can't|will not|won't|do not|does not) (?:live|work|go along) with|"
    r"never\b.{0,60}\b(?:sign|accept|agree|support|endorse)\w*|not (?:\w+ ){1,2}final|not final|"
    r"(?:not|no longer) (?:ready|willing|prepared)|(?:a|grave|big|serious) mistake|"
    r"(?:it|this|that) (?:is|was|would be) (?:wrong|mistaken|false|a mistake)|"
    r"wycof\w*|odwołuj\w*|cofa\w*|zmieni\w+ zdanie)\b",
    re.IGNORECASE,
)
# `No.`, `We do not.`, `The trust is not either.`
_BARE_NO = re.compile(
    r"\W*(?:[\w'\u2019-]+ ){0,4}(?:no|not|never|neither|nie|don't|won't|cannot|can't)"
    r"(?: (?:either|so|now|anymore|any more|any longer|after all|at all|way|thanks?))*\s*[.!]+\W*",
    re.IGNORECASE,
)
_TURNS_FROM = re.compile(
    r"\b(?:no longer|not any ?more|(?:takes?|taking|took|taken) (?:\w+ ){0,3}back|abandon\w*|"
    r"(?:am|are|is) (?:wrong|mistaken)|już nie)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:this|these|that|those|the|its|their|our|my|tej|tego|te|tę|ten) (?:[\w-]+ )?"
    r"(?:share|plan|proposal|split|division|recommendation|agreement|settlement|compromise|"
    r"allocation|deal|solution|consent|support|decision|arrangement|sentence|promise|"
    r"zgod|ugod|plan|podział|porozumieni|propozycj|decyzj|udział)\w*",
    re.IGNORECASE,
)
# A rejection that names nothing, or points with a bare pronoun, is of what was said.
_BARE_REJECTION = re.compile(
    r"(?:reject\w*|oppos\w*|refus\w*|veto\w*|accept\w*|agree\w*|support\w*|endorse\w*|sign\w*|"
    r"odrzuca\w*|sprzeciwia\w* się|zgadza\w*(?: się)?|akceptuje\w*)"
    r"(?: (?:to|with|on|na|z))?(?: (?:this|that|it|them|these|those|to|tym|temu|tego))?"
    r"(?:,? (?:after all|any ?more|any longer|now|today|tonight|either|at all|już|teraz|jednak))*"
    r"\s*(?:[.!;\u2014\u2013]|, (?:and|but|because|since|as)\b|$)",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"\b(?:if|unless|would|could|might|jeśli|chyba|gdyby)\b", re.IGNORECASE)
# So many words of content in common, and two sentences are about one thing.
_ABOUT = 2
# A withdrawal this short names nothing that it could be about: it is about what was said.
_BARE = 8


def withdrawals_of(index: CorpusIndex, unit: Unit, parties: Iterable[str]) -> list[Unit]:
    """List the later sentences by which one of the parties takes a statement back.

    What counts is what a party says after it last stated `unit`: the same with another number or
    a negation, a rejection of what it is about, a word of withdrawal, or a demand that its
    numbers do not meet. In doubt a statement counts as taken back: a debate that may still be
    open must not be published as settled.
    """
    key = ("withdrawn", unit.words)
    if key not in index.memo:
        index.memo[key] = tuple(_withdrawals(index, unit))
    wanted = set(parties)
    return [later for later in index.memo[key] if later.item.speaker in wanted]


def _withdrawals(index: CorpusIndex, unit: Unit) -> list[Unit]:
    last: dict[str, tuple[int, int]] = {}
    for stated in (unit, *stating(index, unit)):
        if is_public_turn(stated):
            place = place_of(stated)
            last[stated.item.speaker] = max(place, last.get(stated.item.speaker, place))
    denials = set(denying(index, unit))
    found: list[Unit] = []
    for agent, stated_at in last.items():
        after = (later for later in index.spoken_by(agent) if place_of(later) > stated_at)
        found += [later for later in after if later in denials or _takes_back(unit, later)]
    return sorted(found, key=place_of)


@lru_cache(maxsize=50_000)
def _could_take_back(text: str) -> bool:
    turns = _TAKES_BACK.search(text) or rejects(text) or _TURNS_FROM.search(text)
    turns = turns or _BARE_NO.fullmatch(text)
    return bool(turns) or (demands(text) and not _CONDITIONAL.search(text))


def _takes_back(unit: Unit, later: Unit) -> bool:
    text = later.text
    if not _could_take_back(text):
        return False
    if _BARE_NO.fullmatch(text):
        return True
    if _TAKES_BACK.search(text):
        return _is_about(unit, later) or bool(_POINTS.search(text)) or len(later.words) <= _BARE
    if rejects(text) or _TURNS_FROM.search(text):
        return (
            _is_about(unit, later)
            or bool(_POINTS.search(text))
            or (rejects(text) and bool(_BARE_REJECTION.search(text)))
        )
    return _outbids(unit, later)


def _is_about(unit: Unit, later: Unit) -> bool:
    return len(content_of(unit.words) & content_of(later.words)) >= _ABOUT


def _outbids(unit: Unit, later: Unit) -> bool:
    """Tell whether a later demand asks for another amount of the same, in the same unit."""
    if not demands(later.text) or _CONDITIONAL.search(later.text) or not _is_about(unit, later):
        return False
    stated = quantities_in(unit.text)
    amounts = {(quantity.value, quantity.unit) for quantity in stated}
    units = {quantity.unit for quantity in stated}
    return any(
        quantity.unit in units and (quantity.value, quantity.unit) not in amounts
        for quantity in quantities_in(later.text)
    )

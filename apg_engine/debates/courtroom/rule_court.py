"""The offline rule-based court, miner, counsel, critic and witness: named as what they are.

They read exhibits by shared words and polarity, say sentences of exhibits word for word, and hold
out for their side to the end. A text that addresses the court is weighed down, and no rule reads an
instruction anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from apg_engine.debates.courtroom.polarity import (
    Bearing,
    Polarity,
    WordPolarity,
    bearings_find,
    near_of,
    sentences_of,
)
from apg_engine.debates.courtroom.rule_miner import mine_by_rules
from apg_engine.debates.courtroom.seats import Rule, RuleSeat
from apg_engine.debates.material import Piece
from apg_engine.records import ItemKind

_ADDRESSING: Final = re.compile(
    r"\b(?:ignore|disregard|instructions?|verdict|judges?|court|panel|SYSTEM|assistant|"
    r"find (?:support|refute)|vote)\b",
    re.IGNORECASE,
)
_METHOD: Final = re.compile(
    r"\b(?:trial|cohort|patients|participants|randomi[sz]ed|meta-analysis|review|model|data|"
    r"study|studies|analysis|observed|measured)\b|\d",
    re.IGNORECASE,
)
_SAID_AT_ONCE: Final = 2
# An exhibit with most of the claim's words is about it, whatever the other words are.
_ABOUT: Final = 1.6
_NEAR: Final = 0.3
_SETTLING: Final = 0.8
_AGAINST: Final = {True: "no evidence", False: "evidence"}
# What counsel asks for next: the first kind of study that no exhibit names.
_STUDIES: Final = ("trial", "cohort", "meta-analysis", "survey", "model", "laboratory", "review")
_ADDED: Final = 12
_CITATION: Final = re.compile(r"\s*\[[^\[\]\n]*\]")


def rule_seat(role: str) -> RuleSeat:
    """Give the rules that play a role other than a judge's."""
    return RuleSeat(f"offline rule-based {role} 1", _RULES)


def _query(slots: Mapping[str, str], _: tuple[Piece, ...]) -> str:
    return _json(query=f"{_AGAINST[_is_against(slots)]} {_claim(slots)}"[:400])


def _weigh(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    claim = _claim(slots)
    rows = [
        {
            "id": piece.id,
            "relevance": round(min(1.0, _ABOUT * near_of(claim, piece.text)), 3),
            "credibility": _credibility(piece.text),
        }
        for piece in pieces
    ]
    return _json(weights=rows)


def _prepare(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    flagged = [id_ for id_ in slots["flagged"].split(", ") if id_ != "none"]
    exhibits = [piece for piece in pieces if piece.id not in flagged]
    return _json(
        gap=_gap(slots, exhibits)[:400],
        position="hold",
        motion=_motion(slots, pieces, flagged),
        expert="no",
        field="",
        question="",
    )


def _gap(slots: Mapping[str, str], pieces: Sequence[Piece]) -> str:
    """The premise this side's sentences cover least, and a kind of study nobody has brought."""
    own = " ".join(one.sentence for one in _own(slots, pieces, WordPolarity()))
    premises = [piece.text for piece in pieces if piece.kind is ItemKind.CONTEXT]
    least = min(premises, key=lambda premise: near_of(premise, own), default=_claim(slots))
    exhibits = " ".join(_exhibits(pieces)).lower()
    study = next((kind for kind in _STUDIES if kind not in exhibits), "")
    return f"{least.strip(' .')} {study}".strip()


def _motion(slots: Mapping[str, str], pieces: Sequence[Piece], flagged: Sequence[str]) -> str:
    """Move for the flagged item nearest to the claim, if it speaks for this side."""
    offered = [piece for piece in pieces if piece.id in flagged]
    own = _own(slots, offered, WordPolarity())
    return own[0].exhibit if own else ""


def _refine(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    """The gap, and words that need and last turns add to it, the newest first."""
    gap = json.loads(slots["gap"]) or _claim(slots)
    turns = [piece.text for piece in reversed(pieces) if piece.kind is ItemKind.TURN]
    added = _added(f"{_claim(slots)} {gap}", [json.loads(slots["need"]), *turns])
    return _json(query=" ".join([gap, *added[:_ADDED]])[:400])


def _added(known: str, texts: Sequence[str]) -> list[str]:
    """Give the content words of texts that are not in `known`, each once."""
    words: dict[str, None] = {}
    for text in texts:
        for word in _CITATION.sub("", text).split():
            bare = word.strip(".,;:()\"'").lower()
            if bare and not near_of(bare, known) and near_of(bare, bare):
                words.setdefault(bare)
    return list(words)


def _argue(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    said = " ".join(piece.text for piece in pieces if piece.kind is ItemKind.TURN)
    fresh = [one for one in _own(slots, pieces, WordPolarity()) if one.sentence not in said]
    if not fresh:
        return "The exhibits show nothing further for this side."
    return " ".join(f"{one.sentence} [{one.exhibit}]" for one in fresh[:_SAID_AT_ONCE])


def _grant(slots: Mapping[str, str], _: tuple[Piece, ...]) -> str:
    return _json(ruling="granted" if near_of(_claim(slots), slots["question"]) else "denied")


def _testify(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    nearest = bearings_find(json.loads(slots["question"]), pieces, WordPolarity(), most=2)
    if not nearest:
        return "The exhibits do not tell."
    return " ".join(f"{one.sentence} [{one.exhibit}]" for one in nearest)


def _reflect(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    turns = [piece for piece in pieces if piece.kind is ItemKind.TURN]
    own = [piece for piece in turns if piece.speaker == slots["name"]]
    last = own[-1].text if own else ""
    others = " ".join(piece.text for piece in turns if piece.speaker != slots["name"])
    sentences = sentences_of(last)
    fresh = [one for one in sentences if one not in " ".join(piece.text for piece in own[:-1])]
    return _json(
        logic=1.0 if "[" in last else 0.0,
        novelty=round(len(fresh) / len(sentences), 3) if sentences else 0.0,
        rebuttal=round(near_of(others, last), 3) if others else 0.0,
        discovery_need=_need(slots, turns, pieces)[:400],
    )


def _need(slots: Mapping[str, str], turns: Sequence[Piece], pieces: Sequence[Piece]) -> str:
    """What is to be met: the other side's last point, or the claim while exhibits lack it."""
    claim = _claim(slots)
    heard = [piece.text for piece in turns if piece.speaker != slots["name"]][-1:]
    points = [_CITATION.sub("", one) for text in heard for one in sentences_of(text)]
    point = max(points, key=lambda one: near_of(claim, one), default="")
    if near_of(claim, point):
        return point
    return "" if near_of(claim, " ".join(_exhibits(pieces))) >= _SETTLING else claim


def _review(_: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    """A premise is settled where one side's turns cover it and the other's do not."""
    premises = [piece for piece in pieces if piece.kind is ItemKind.CONTEXT]
    said: dict[str, str] = {}
    for piece in pieces:
        if piece.kind is ItemKind.TURN:
            said[piece.speaker] = f"{said.get(piece.speaker, '')} {piece.text}"
    settled = [
        sum(near_of(premise.text, text) >= _SETTLING for text in said.values()) == 1
        for premise in premises
    ]
    rows = [
        {"id": premise.id, "state": "settled" if done else "open"}
        for premise, done in zip(premises, settled, strict=True)
    ]
    return _json(premises=rows, resolved="yes" if settled and all(settled) else "no")


def _judgment(slots: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    """Repeat the announcement and exhibits that carry it, less what was refused."""
    announced = [piece.text for piece in pieces if piece.kind is ItemKind.TURN][-1]
    refused = slots.get("refused", "")
    stance = 1 if " supports " in announced else -1 if " refutes " in announced else 0
    carrying = [
        one.sentence
        for one in bearings_find(_claim(slots), pieces, WordPolarity())
        if one.stance * stance > 0 and _is_quotable(one.sentence)
    ]
    said = [announced, *dict.fromkeys(carrying)]
    kept = [one for one in said if json.dumps(one, ensure_ascii=False) not in refused]
    return " ".join(kept[: 1 + _SAID_AT_ONCE])


def _own(slots: Mapping[str, str], pieces: Sequence[Piece], polarity: Polarity) -> list[Bearing]:
    stance = -1 if _is_against(slots) else 1
    found = bearings_find(_claim(slots), pieces, polarity, most=40)
    return [
        one
        for one in found
        if one.stance * stance > 0 and one.near >= _NEAR and not _ADDRESSING.search(one.sentence)
    ]


def _exhibits(pieces: Iterable[Piece]) -> list[str]:
    return [piece.text for piece in pieces if piece.kind is ItemKind.DOCUMENT]


def _credibility(text: str) -> float:
    if _ADDRESSING.search(text):
        return 0.1
    return 0.9 if _METHOD.search(text) else 0.7


def _is_quotable(sentence: str) -> bool:
    return not _ADDRESSING.search(sentence) and sentence.rstrip().endswith(".")


def _is_against(slots: Mapping[str, str]) -> bool:
    return "wrong" in slots["side"]


def _claim(slots: Mapping[str, str]) -> str:
    return str(json.loads(slots["claim"]))


def _json(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False)


_RULES: Final[dict[str, Rule]] = {
    "mine": mine_by_rules,
    "query": _query,
    "weigh": _weigh,
    "prepare": _prepare,
    "refine": _refine,
    "argue": _argue,
    "grant": _grant,
    "testify": _testify,
    "reflect": _reflect,
    "review": _review,
    "judgment": _judgment,
}

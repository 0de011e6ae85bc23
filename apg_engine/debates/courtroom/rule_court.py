"""The offline rule-based court, miner, counsel, critic and witness: named as what they are.

They read exhibits by shared words and polarity, say sentences of exhibits word for word, and hold
out for their side to the end. A text that addresses the court is weighed down, and no rule reads an
instruction anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from apg_engine.debates.courtroom.polarity import (
    Bearing,
    Polarity,
    WordPolarity,
    bearings_find,
    near_of,
    sentences_of,
)
from apg_engine.debates.courtroom.seats import Rule, RuleSeat
from apg_engine.debates.material import Piece
from apg_engine.records import ItemKind

_CLAUSE: Final = re.compile(r";\s+|,\s+(?:and|but|while|which)\s+|\s+(?:and|but|while)\s+")
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
_LEAST_CLAUSE: Final = 4
_SAID_AT_ONCE: Final = 2
# An exhibit with most of the claim's words is about it, whatever the other words are.
_ABOUT: Final = 1.6
_NEAR: Final = 0.3
_SETTLING: Final = 0.8
_AGAINST: Final = {True: "no evidence", False: "evidence"}


def rule_seat(role: str) -> RuleSeat:
    """Give the rules that play a role other than a judge's."""
    return RuleSeat(f"offline rule-based {role} 1", _RULES)


def _mine(slots: Mapping[str, str], _: tuple[Piece, ...]) -> str:
    claim = _claim(slots)
    clauses = [one.strip(" .,;") for one in _CLAUSE.split(claim) if one]
    whole = all(len(clause.split()) >= _LEAST_CLAUSE for clause in clauses)
    premises = clauses[: int(slots["most"])] if whole else [claim]
    return _json(premises=premises)


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
    premises = [piece.text for piece in pieces if piece.kind is ItemKind.CONTEXT]
    shown = " ".join(piece.text for piece in pieces if piece.id not in flagged)
    gaps = sorted(premises, key=lambda premise: near_of(premise, shown))
    return _json(
        gap=gaps[0] if gaps else "",
        position="hold",
        motion=_motion(slots, pieces, flagged),
        expert="no",
        field="",
        question="",
    )


def _motion(slots: Mapping[str, str], pieces: Sequence[Piece], flagged: Sequence[str]) -> str:
    """Move for the flagged item nearest to the claim, if it speaks for this side."""
    offered = [piece for piece in pieces if piece.id in flagged]
    own = _own(slots, offered, WordPolarity())
    return own[0].exhibit if own else ""


def _refine(slots: Mapping[str, str], _: tuple[Piece, ...]) -> str:
    wanted = [_claim(slots), json.loads(slots["gap"]), json.loads(slots["need"])]
    return _json(query=" ".join(dict.fromkeys(one.strip(" .") for one in wanted if one))[:400])


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
    exhibits = " ".join(piece.text for piece in pieces if piece.kind is ItemKind.DOCUMENT)
    need = "" if near_of(_claim(slots), exhibits) >= _SETTLING else _claim(slots)
    return _json(
        logic=1.0 if "[" in last else 0.0,
        novelty=round(len(fresh) / len(sentences), 3) if sentences else 0.0,
        rebuttal=round(near_of(others, last), 3) if others else 0.0,
        discovery_need=need[:400],
    )


def _review(_: Mapping[str, str], pieces: tuple[Piece, ...]) -> str:
    premises = [piece for piece in pieces if piece.kind is ItemKind.CONTEXT]
    cited = " ".join(piece.text for piece in pieces if piece.kind is ItemKind.TURN)
    settled = [near_of(premise.text, cited) >= _SETTLING for premise in premises]
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
    "mine": _mine,
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

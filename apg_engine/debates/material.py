"""The texts a prompt shows, what there is no room for, and a record of both.

The rule where a context is too small: texts are taken by rank, the later ones of a rank first,
until one does not fit; that one is cut at its last sentence end that fits, and the rest is left
out. What is shown stands in the order it was handed in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apg_engine.debates.records import Exposure
from apg_engine.prompting import json_lines
from apg_engine.records import ItemKind
from apg_engine.segmentation.segments import segments_find


@dataclass(frozen=True, slots=True)
class Piece:
    """One text a call may be shown.

    Attributes:
        id: `T4`, `S1`, or the id of an axiom or a document; unique within a call.
        speaker: name of who said it, if somebody did.
        rank: 0 is kept longest where there is too little room.
    """

    kind: ItemKind
    id: str
    text: str
    speaker: str = ""
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Material:
    """The lines of a prompt, one JSON object a line, and how much of each text they hold."""

    lines: str
    exposures: tuple[Exposure, ...]


def material_fit(pieces: Sequence[Piece], *, room: int | None) -> Material:
    """Choose what a prompt shows.

    Args:
        pieces: in the order they are to stand.
        room: characters there are for their lines; None for as many as they take.
    """
    shown = [len(piece.text) for piece in pieces]
    if room is not None and len(_lines(pieces, shown)) > room:
        shown = _fitted(pieces, room)
    return Material(_lines(pieces, shown), tuple(map(_exposure, pieces, shown)))


def _fitted(pieces: Sequence[Piece], room: int) -> list[int]:
    shown = [0] * len(pieces)
    for place in sorted(range(len(pieces)), key=lambda at: (pieces[at].rank, -at)):
        whole = len(_line(pieces[place], len(pieces[place].text))) + 1
        if whole > room:
            shown[place] = _cut(pieces[place], room)
            break
        shown[place] = len(pieces[place].text)
        room -= whole
    return shown


def _cut(piece: Piece, room: int) -> int:
    ends = [segment.end for segment in segments_find(piece.text)]
    return max((end for end in ends if len(_line(piece, end)) < room), default=0)


def _lines(pieces: Iterable[Piece], shown: Iterable[int]) -> str:
    return "\n".join(_line(piece, end) for piece, end in zip(pieces, shown, strict=True) if end)


def _line(piece: Piece, end: int) -> str:
    row = {"id": piece.id, "kind": piece.kind.value, "speaker": piece.speaker}
    if end < len(piece.text):
        row["cut"] = "the text goes on"
    return json_lines([{**row, "text": piece.text[:end]}])


def _exposure(piece: Piece, shown: int) -> Exposure:
    digest = hashlib.sha256(piece.text.encode("utf-8", "surrogatepass")).hexdigest()
    return Exposure(piece.kind, piece.id, digest, len(piece.text), shown)

"""Claims whose answers are known, with the texts the answers rest on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from apg_engine.errors import InputError
from apg_engine.json_data import is_storable, json_load


class ClaimsError(InputError):
    """A file of claims or their corpus cannot be read; the place names row and field."""


class Label(StrEnum):
    """What is known, or found, about a claim; a verdict that is none of them is absent."""

    SUPPORT = "SUPPORT"
    REFUTE = "REFUTE"
    NOT_ENOUGH = "NOTENOUGHINFO"


BINARY = (Label.SUPPORT, Label.REFUTE)


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """One claim with its answer.

    Attributes:
        id: unique in a set.
        document: id of the source its answer rests on; claims of one document share a fold.
        rationale: the sentences the answer was given from; empty where none are known.
    """

    id: str
    claim: str
    label: Label
    document: str = ""
    rationale: tuple[str, ...] = ()


def claims_read(path: Path) -> tuple[LabelledClaim, ...]:
    """Read a JSON Lines file of claims: id, claim, label, and perhaps document and rationale.

    Raises:
        ClaimsError: names the row and the field.
    """
    claims = tuple(
        LabelledClaim(
            id=field_text(row, "id", path, place),
            claim=field_text(row, "claim", path, place),
            label=field_label(row, path, place),
            document=str(row.get("document", "")),
            rationale=_texts(row, "rationale", path, place),
        )
        for place, row in rows_read(path)
    )
    return distinct_checked(claims, path)


def claims_choose(
    claims: Sequence[LabelledClaim], *, labels: Sequence[Label], count: int | None
) -> tuple[LabelledClaim, ...]:
    """Give the claims with one of these labels; `count` of them in the order of their ids' hashes.

    So a smaller choice is the beginning of a larger one, whatever the order of the file.

    Raises:
        ClaimsError: there are fewer, or none.
    """
    ordered = sorted(
        (claim for claim in claims if claim.label in labels),
        key=lambda claim: hashlib.sha256(claim.id.encode()).digest(),
    )
    most = len(ordered) if count is None else count
    if not 1 <= most <= len(ordered):
        allowed = f"1 to {len(ordered)}, the claims labelled {', '.join(labels)}"
        raise ClaimsError("evaluation", "--n", str(most), allowed)
    return tuple(ordered[:most])


def claims_sha256(claims: Iterable[LabelledClaim]) -> str:
    """Give the hash of a set of claims, answers and rationales included."""
    digest = hashlib.sha256()
    for claim in sorted(claims, key=lambda one: one.id):
        row = json.dumps(asdict(claim), ensure_ascii=False, sort_keys=True)
        digest.update(f"{row}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def rows_read(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each row of a JSON Lines file with its place.

    Raises:
        ClaimsError: the file or a row cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ClaimsError(str(path), "file", str(error), "a readable file in UTF-8") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"row {number}"
        try:
            row = json_load(line)
        except ValueError as error:
            raise ClaimsError(str(path), place, repr(line[:60]), "a JSON object") from error
        if not isinstance(row, dict):
            raise ClaimsError(str(path), place, repr(line[:60]), "a JSON object")
        if not is_storable(json.dumps(row, ensure_ascii=False)):
            raise ClaimsError(str(path), place, "half of a surrogate pair", "whole characters")
        yield place, row


def distinct_checked(claims: Sequence[LabelledClaim], path: Path) -> tuple[LabelledClaim, ...]:
    """Give claims back if there are any and each id stands once.

    Raises:
        ClaimsError: an id stands twice, or there is no claim.
    """
    if not claims:
        raise ClaimsError(str(path), "file", "no claim", "one JSON object a line")
    known: set[str] = set()
    for claim in claims:
        if claim.id in known:
            raise ClaimsError(str(path), "id", repr(claim.id), "each id once")
        known.add(claim.id)
    return tuple(claims)


def field_text(row: dict[str, Any], name: str, path: Path, place: str) -> str:
    """Read a text of a row.

    Raises:
        ClaimsError: it is absent, empty or no text.
    """
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ClaimsError(str(path), f"{place}: {name}", repr(value)[:60], "a text")
    return value.strip()


def field_label(row: dict[str, Any], path: Path, place: str) -> Label:
    """Read the label of a row.

    Raises:
        ClaimsError: it is none of the labels.
    """
    value = row.get("label")
    for label in Label:
        if label.value == value:
            return label
    raise ClaimsError(str(path), f"{place}: label", repr(value)[:60], ", ".join(Label))


def _texts(row: dict[str, Any], name: str, path: Path, place: str) -> tuple[str, ...]:
    value = row.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ClaimsError(str(path), f"{place}: {name}", repr(value)[:60], "a list of texts")
    return tuple(value)

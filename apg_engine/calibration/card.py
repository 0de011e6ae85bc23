"""The calibration card that goes with an auditor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from apg_engine.calibration.tally import Tally
from apg_engine.errors import CardError

CARD_SCHEMA: Final = "apg-calibration-card"
CARD_VERSION: Final = 1
# What the gate works on; a card measured on anything else is out of domain.
GENRE_OF_TRACES: Final = "debate"
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


@dataclass(frozen=True, slots=True)
class Flips:
    """How often a verdict changed in label when something that should not matter was changed.

    `changed` of `n` comparisons; `what` is repeat, prompt, order, padding or language.
    """

    what: str
    changed: int
    n: int


@dataclass(frozen=True, slots=True)
class CalibrationCard:
    """What an auditor is worth, measured on one data set.

    Attributes:
        auditor: its name.
        auditor_sha256: hash of what makes it what it is: rules, weights, prompt, settings.
        data_set: name of the cases; `data_sha256` is their hash.
        genre: of the cases; `debate` is the gate's own.
        language: of the cases.
        date: day of measurement, YYYY-MM-DD.
        support: the auditor on "is it supported?".
        contradiction: the auditor on "is it refuted?"; None if the set has no refuted cases.
        claim_only: a control that sees the claims alone, on the same cases.
        shuffled: the auditor on the same claims with foreign evidence.
        note: what the figures do not cover.
        flips: its stability, where that was measured.
    """

    auditor: str
    auditor_sha256: str
    data_set: str
    data_sha256: str
    genre: str
    language: str
    date: str
    support: Tally
    contradiction: Tally | None = None
    claim_only: Tally | None = None
    shuffled: Tally | None = None
    note: str = ""
    flips: tuple[Flips, ...] = ()

    def fits(self, *, language: str) -> bool:
        """Tell whether it was measured on what the gate is used on."""
        return self.genre == GENRE_OF_TRACES and self.language == language


def card_to_dict(card: CalibrationCard) -> dict[str, Any]:
    """Give a card as JSON: the counts, and beside them the rates for people to read."""
    data = asdict(card)
    data["flips"] = list(data["flips"])
    return {"schema": CARD_SCHEMA, "version": CARD_VERSION, **data, "rates": _rates(card)}


def card_from_dict(data: Mapping[str, Any], *, file_name: str) -> CalibrationCard:
    """Read a card. Only counts are read; rates are computed again from them.

    Raises:
        CardError: it is no card of this version, or a field is missing, unknown or impossible.
    """
    found = f"{data.get('schema')!r} version {data.get('version')!r}"
    if (data.get("schema"), data.get("version")) != (CARD_SCHEMA, CARD_VERSION):
        raise CardError(file_name, "schema", found, f"{CARD_SCHEMA} version {CARD_VERSION}")
    allowed = {field.name for field in fields(CalibrationCard)}
    unknown = sorted(set(data) - allowed - {"schema", "version", "rates"})
    if unknown:
        raise CardError(file_name, "fields", ", ".join(unknown), ", ".join(sorted(allowed)))
    support = _tally(data.get("support"), "support", file_name)
    if support is None:
        raise CardError(file_name, "support", "nothing", "counts")
    return CalibrationCard(
        auditor=_text(data, "auditor", file_name),
        auditor_sha256=_text(data, "auditor_sha256", file_name),
        data_set=_text(data, "data_set", file_name),
        data_sha256=_text(data, "data_sha256", file_name),
        genre=_text(data, "genre", file_name),
        language=_text(data, "language", file_name),
        date=_text(data, "date", file_name),
        support=support,
        contradiction=_tally(data.get("contradiction"), "contradiction", file_name),
        claim_only=_tally(data.get("claim_only"), "claim_only", file_name),
        shuffled=_tally(data.get("shuffled"), "shuffled", file_name),
        note=_text(data, "note", file_name),
        flips=_flips(data.get("flips", []), file_name),
    )


def _text(data: Mapping[str, Any], name: str, file: str) -> str:
    value = data.get(name, "" if name == "note" else None)
    if not isinstance(value, str) or not (value or name == "note"):
        raise CardError(file, name, repr(value), "text")
    if name.endswith("_sha256") and not _SHA256.match(value):
        raise CardError(file, name, repr(value), "64 hexadecimal digits")
    if name == "date" and not _DATE.match(value):
        raise CardError(file, name, repr(value), "YYYY-MM-DD")
    return value


def _tally(data: object, place: str, file: str) -> Tally | None:
    if data is None:
        return None
    names = [field.name for field in fields(Tally)]
    if not isinstance(data, Mapping) or set(data) != set(names):
        raise CardError(file, place, repr(data), f"counts {', '.join(names)}")
    tally = Tally(**{name: _count(data[name], f"{place}.{name}", file) for name in names})
    _within(tally.true_positives, tally.positives, f"{place}.true_positives", file)
    _within(tally.false_positives, tally.negatives, f"{place}.false_positives", file)
    _within(tally.decided, tally.n, f"{place}.decided", file)
    return tally


def _flips(data: object, file: str) -> tuple[Flips, ...]:
    if not isinstance(data, list):
        raise CardError(file, "flips", type(data).__name__, "a list")
    found = []
    for at, one in enumerate(data):
        if not isinstance(one, Mapping) or set(one) != {"what", "changed", "n"}:
            raise CardError(file, f"flips[{at}]", repr(one), "what, changed, n")
        changed = _count(one["changed"], f"flips[{at}].changed", file)
        n = _count(one["n"], f"flips[{at}].n", file)
        _within(changed, n, f"flips[{at}].changed", file)
        found.append(Flips(str(one["what"]), changed, n))
    return tuple(found)


def _count(value: object, place: str, file: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise CardError(file, place, repr(value), "a whole number from 0")
    return value


def _within(value: int, most: int, place: str, file: str) -> None:
    if value > most:
        raise CardError(file, place, str(value), f"0 to {most}")


def _rates(card: CalibrationCard) -> dict[str, str]:
    return {
        "TPR": str(card.support.tpr),
        "FPR": str(card.support.fpr),
        "precision": str(card.support.precision),
        "coverage": str(card.support.coverage),
    }

"""How taking part in a study works, as a study declares it and its design hash covers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Final

from studyapp.errors import MeasureError

ORDERS: Final = ("fixed", "random")
RESUME, REFUSE = "resume", "refuse"
RETURNING: Final = (RESUME, REFUSE)
_MINUTES_LIMIT: Final = 60 * 24 * 60
_SECONDS_LIMIT: Final = 3600


@dataclass(frozen=True, slots=True)
class StudyRules:
    """The rules of a study; what is not named has the default.

    `reservation_minutes`: how long a place is kept for somebody who has gone. `debate_seconds` and
    `reports_seconds`: the least visible time before going on (0: none). `shows_private`: whether
    the reader shows private traces. `evidence_links`: whether turns may be marked as supporting or
    contradicting a report. `measure_order`: fixed, or drawn for each trial. `attention_failures`:
    failed checks that end taking part (0: never). `returning`: what becomes of somebody whom a
    panel sends again in a new session. `strata`: quota by value of one screening question.
    """

    reservation_minutes: int = 240
    debate_seconds: int = 0
    reports_seconds: int = 0
    shows_private: bool = False
    evidence_links: bool = False
    measure_order: str = "fixed"
    attention_failures: int = 0
    returning: str = RESUME
    strata: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def rules_load(row: Mapping[str, object]) -> StudyRules:
    """Read a study's stored rules.

    Raises:
        MeasureError: a rule is unknown or holds something that is not allowed.
    """
    known = [rule.name for rule in fields(StudyRules)]
    unknown = sorted(set(row) - set(known))
    if unknown:
        raise MeasureError(f"rules: {unknown[0]!r} is unknown; allowed are {', '.join(known)}")
    return StudyRules(
        reservation_minutes=_whole(row, "reservation_minutes", 240, least=5, most=_MINUTES_LIMIT),
        debate_seconds=_whole(row, "debate_seconds", 0, least=0, most=_SECONDS_LIMIT),
        reports_seconds=_whole(row, "reports_seconds", 0, least=0, most=_SECONDS_LIMIT),
        shows_private=_flag(row, "shows_private"),
        evidence_links=_flag(row, "evidence_links"),
        measure_order=_one_of(row, "measure_order", ORDERS),
        attention_failures=_whole(row, "attention_failures", 0, least=0, most=100),
        returning=_one_of(row, "returning", RETURNING),
        strata=_strata(row),
    )


def _whole(row: Mapping[str, object], key: str, default: int, *, least: int, most: int) -> int:
    value = row.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise MeasureError(f"rules: {key} is {value!r}; allowed is a number from {least} to {most}")
    return value


def _flag(row: Mapping[str, object], key: str) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise MeasureError(f"rules: {key} is {value!r}; allowed are true and false")
    return value


def _one_of(row: Mapping[str, object], key: str, allowed: Sequence[str]) -> str:
    """Read a choice; the first one allowed is the default."""
    value = row.get(key, allowed[0])
    if value not in allowed:
        raise MeasureError(f"rules: {key} is {value!r}; allowed are {' and '.join(allowed)}")
    return str(value)


def _strata(row: Mapping[str, object]) -> Mapping[str, Mapping[str, int]]:
    value = row.get("strata", {})
    if not isinstance(value, Mapping):
        raise MeasureError(f"rules: strata is {value!r}; allowed is a quota by question and value")
    if len(value) > 1:
        raise MeasureError(f"rules: strata names {', '.join(value)}; allowed is one question")
    return {str(key): _quotas(str(key), quotas) for key, quotas in value.items()}


def _quotas(question: str, value: object) -> Mapping[str, int]:
    if not isinstance(value, Mapping) or not value:
        raise MeasureError(f"rules: strata: {question} needs a quota for each of its values")
    return {
        str(key): _whole({f"strata: {question}: {key}": quota}, f"strata: {question}: {key}", 0,
                         least=0, most=1_000_000)
        for key, quota in value.items()
    }  # fmt: skip

"""What a participant's page reports about reading: running totals, read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from studyapp.domain.characters import text_storable
from studyapp.errors import BatchRefusedError

BATCH_BYTES: Final = 32_768
# More views of one trial than anybody opens; each may name every part of the debate once.
VIEWS_LIMIT: Final = 60
CHANGES_LIMIT: Final = 400
# Clocks of browser and server tick apart, and a batch takes a moment to arrive.
SLACK: Final = timedelta(seconds=5)
DEBATE_PAGE: Final = "page:debate"
REPORTS_PAGE: Final = "page:reports"
# Both reports at once, and the debate opened again beside them.
PAGE_ITEMS: Final = frozenset({DEBATE_PAGE, REPORTS_PAGE, "left", "right", "pair", "debate"})
DEVICES: Final = ("phone", "tablet", "desktop")
_VIEW: Final = re.compile(r"[a-z0-9]{8,24}")
_TURN: Final = re.compile(r"T[1-9][0-9]{0,4}")
_FIELD_LENGTH: Final = 80
_VALUE_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class Seen:
    """How long an item was in view by now, in ms, and how much of it, in per cent."""

    item: str
    visible_ms: int
    scrolled: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """An answer that was replaced `after_ms` of its view; a text's words are left out."""

    sequence: int
    field: str
    value: str
    after_ms: int


@dataclass(frozen=True, slots=True)
class ReadingBatch:
    """What one view of a page reports; `device` is empty where the page did not say."""

    view: str
    device: str
    seen: tuple[Seen, ...]
    replaced: tuple[Replaced, ...]


@dataclass(frozen=True, slots=True)
class EvidenceMark:
    """A turn and what it says about the report on a side; no relation takes the mark away."""

    address: str
    side: str
    relation: str


def batch_load(text: str, *, addresses: frozenset[str]) -> ReadingBatch:
    """Read a batch.

    Args:
        text: JSON: `view`, `device`, `seen` {item: [ms, per cent]} and `changed`
            [[sequence, field, value, ms], ...].
        addresses: the parts of this debate that a page can show.

    Raises:
        BatchRefusedError: it is too large, no such object, or names what no page has.
    """
    if len(text.encode()) > BATCH_BYTES:
        raise BatchRefusedError(f"a batch has at most {BATCH_BYTES} bytes")
    row = _object(text)
    device = row.get("device", "")
    if device not in ("", *DEVICES):
        raise BatchRefusedError(f"device is {device!r:.40}; allowed are {', '.join(DEVICES)}")
    return ReadingBatch(
        view=_view(row.get("view")),
        device=device,
        seen=tuple(_seen(row.get("seen", {}), addresses | PAGE_ITEMS)),
        replaced=tuple(_replaced(row.get("changed", []))),
    )


def mark_load(text: str, *, addresses: frozenset[str]) -> EvidenceMark:
    """Read `<turn>:<side>:<relation>`; `none` as relation takes the mark away.

    Raises:
        BatchRefusedError: the debate has no such turn, or side or relation are unknown.
    """
    address, _, rest = text.partition(":")
    side, _, relation = rest.partition(":")
    if not _TURN.fullmatch(address) or address not in addresses:
        raise BatchRefusedError(f"the debate has no turn {address[:20]!r}")
    if side not in ("left", "right"):
        raise BatchRefusedError(f"side is {side[:20]!r}; allowed are left and right")
    if relation not in ("supports", "contradicts", "none"):
        raise BatchRefusedError(
            f"relation is {relation[:20]!r}; allowed are supports, contradicts, none"
        )
    return EvidenceMark(address, side, "" if relation == "none" else relation)


def visible_clamp(visible_ms: int, *, opened_at: datetime, now: datetime) -> int:
    """Nothing is in view for longer than its page has been open."""
    return min(visible_ms, max(0, round((now - opened_at + SLACK) / timedelta(milliseconds=1))))


def seconds_missing(needed: int, *, visible_ms: int | None, elapsed: timedelta) -> int:
    """Say how many seconds of the least time are missing.

    Args:
        needed: the rule, in seconds.
        visible_ms: what pages reported; None if none did, as without script: then the server's
            time since opening counts.
        elapsed: that time; no report can be longer.
    """
    seen = elapsed.total_seconds()
    if visible_ms is not None:
        seen = min(visible_ms / 1000, seen)
    # A page counts whole ticks, so the last part of a second is given.
    return max(0, needed - int(seen + 0.5))


def _object(text: str) -> Mapping[str, Any]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BatchRefusedError("a batch is a JSON object") from error
    if not isinstance(row, dict):
        raise BatchRefusedError("a batch is a JSON object")
    return row


def _view(value: object) -> str:
    if not isinstance(value, str) or not _VIEW.fullmatch(value):
        raise BatchRefusedError("view must be 8 to 24 of a-z and 0-9")
    return value


def _seen(value: object, known: frozenset[str]) -> Iterator[Seen]:
    if not isinstance(value, dict):
        raise BatchRefusedError("seen must be an object")
    for item, pair in value.items():
        if item not in known:
            raise BatchRefusedError(f"no page of this trial shows {item[:40]!r}")
        if not isinstance(pair, list) or len(pair) != 2:
            raise BatchRefusedError(f"{item} needs milliseconds and per cent")
        yield Seen(item, _whole(pair[0], 86_400_000), _whole(pair[1], 100))


def _replaced(value: object) -> Iterator[Replaced]:
    if not isinstance(value, list) or len(value) > CHANGES_LIMIT:
        raise BatchRefusedError(f"changed must be a list of at most {CHANGES_LIMIT}")
    for row in value:
        if not isinstance(row, list) or len(row) != 4:
            raise BatchRefusedError("a change needs its number, field, former value and time")
        number, field, former, after = row
        if not isinstance(field, str) or not isinstance(former, str):
            raise BatchRefusedError("a change's field and value are texts")
        yield Replaced(
            sequence=_whole(number, CHANGES_LIMIT),
            field=text_storable(field)[:_FIELD_LENGTH],
            value=text_storable(former)[:_VALUE_LENGTH],
            after_ms=_whole(after, 86_400_000),
        )


def _whole(value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BatchRefusedError("numbers are whole and not below 0")
    return min(value, most)

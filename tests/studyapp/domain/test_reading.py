"""What pages report about reading is read strictly, and never believed beyond the clock."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyapp.domain.reading import (
    BATCH_BYTES,
    EvidenceMark,
    Replaced,
    Seen,
    batch_load,
    mark_load,
    seconds_missing,
    visible_clamp,
)
from studyapp.errors import BatchRefusedError

ADDRESSES: Final = frozenset({"C1", "T1", "T2", "S1"})
VIEW: Final = "abcdefgh12345678"
THEN: Final = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def batch(**changes: Any) -> str:
    row = {"view": VIEW, "device": "phone", "seen": {"T1": [1200, 80]}, "changed": []}
    return json.dumps({**row, **changes})


def test_a_batch_is_read() -> None:
    read = batch_load(batch(changed=[[1, "act_on", "left", 900]]), addresses=ADDRESSES)
    assert (read.view, read.device) == (VIEW, "phone")
    assert read.seen == (Seen("T1", 1200, 80),)
    assert read.replaced == (Replaced(1, "act_on", "left", 900),)


@pytest.mark.parametrize(
    "item", ["left", "right", "pair", "debate", "page:debate", "page:reports", "C1", "S1"]
)
def test_everything_a_page_shows_can_be_seen(item: str) -> None:
    assert batch_load(batch(seen={item: [1, 2]}), addresses=ADDRESSES).seen[0].item == item


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "[" * 5000,
        batch(view="x"),
        batch(view=7),
        batch(view="ABCDEFGHIJ"),
        batch(device="iPhone; CPU OS 17"),
        batch(seen={"T3": [1, 1]}),
        batch(seen={"<script>": [1, 1]}),
        batch(seen={"T1": [1]}),
        batch(seen={"T1": [-1, 0]}),
        batch(seen={"T1": [1.5, 0]}),
        batch(seen={"T1": [True, 0]}),
        batch(seen={"T1": ["1", 0]}),
        batch(seen=[]),
        batch(changed={}),
        batch(changed=[[1, "a", "b"]]),
        batch(changed=[[1, 2, "b", 3]]),
        batch(changed=[[1, "a", "b", 1]] * 401),
        '{"view": "' + VIEW + '", "seen": {"T1": [NaN, 0]}}',
        batch(filler="x" * BATCH_BYTES),
    ],
)
def test_what_no_page_sends_is_refused(text: str) -> None:
    with pytest.raises(BatchRefusedError):
        batch_load(text, addresses=ADDRESSES)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_noise_is_refused_and_nothing_else_happens(text: str) -> None:
    with pytest.raises(BatchRefusedError):
        batch_load(text, addresses=ADDRESSES)


def test_numbers_beyond_reason_are_cut() -> None:
    read = batch_load(batch(seen={"T1": [10**15, 300]}), addresses=ADDRESSES)
    assert read.seen == (Seen("T1", 86_400_000, 100),)


def test_long_values_and_nul_are_cut() -> None:
    read = batch_load(batch(changed=[[1, "f" * 99, "a\0" * 300, 1]]), addresses=ADDRESSES)
    assert (len(read.replaced[0].field), len(read.replaced[0].value)) == (80, 200)
    assert "\0" not in read.replaced[0].value


def test_nothing_is_in_view_longer_than_its_page_is_open() -> None:
    now = THEN + timedelta(seconds=60)
    assert visible_clamp(10**9, opened_at=THEN, now=now) == 65_000
    assert visible_clamp(30_000, opened_at=THEN, now=now) == 30_000
    assert visible_clamp(1, opened_at=now, now=THEN) == 0


@pytest.mark.parametrize(
    ("visible_ms", "elapsed", "missing"),
    [
        (None, 20, 40),  # no script: the server's time counts
        (None, 60, 0),
        (20_000, 600, 40),  # a tab left open is not read
        (59_600, 600, 0),
        (600_000, 20, 40),  # more than there was time for
        (0, 600, 60),
    ],
)
def test_the_least_time_is_counted_in_visible_seconds(
    visible_ms: int | None, elapsed: int, missing: int
) -> None:
    assert seconds_missing(60, visible_ms=visible_ms, elapsed=timedelta(seconds=elapsed)) == missing


def test_marks_are_read() -> None:
    assert mark_load("T1:left:supports", addresses=ADDRESSES) == EvidenceMark(
        "T1", "left", "supports"
    )
    assert mark_load("T2:right:none", addresses=ADDRESSES).relation == ""


@pytest.mark.parametrize(
    "text", ["", "T1", "T9:left:supports", "C1:left:supports", "T1:up:supports", "T1:left:proves"]
)
def test_a_mark_on_nothing_is_refused(text: str) -> None:
    with pytest.raises(BatchRefusedError):
        mark_load(text, addresses=ADDRESSES)

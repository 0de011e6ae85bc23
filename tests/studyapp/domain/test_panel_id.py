"""One person of a panel has one name, however it was typed or pasted."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyapp.domain.panel_id import ID_LIMIT, panel_id_read

PID = "5f3c9a0b1d2e4f5a6b7c8d9e"


@pytest.mark.parametrize(
    "written",
    [
        PID.upper(),
        f"  {PID}\n",
        f"\u00a0{PID}\u2003",
        f"\ufeff{PID[:4]}\u200b{PID[4:]}\u2060",
        f"{PID[:9]}\u00ad{PID[9:]}\0",
        f"\u202d{PID}\u202c",
    ],
)
def test_variants_of_a_prolific_id_are_one(written: str) -> None:
    assert panel_id_read("prolific", written) == PID


def test_composed_and_decomposed_letters_are_one_and_case_is_another_panel_s() -> None:
    composed = panel_id_read("generic", "Zoë  4")
    assert composed == panel_id_read("generic", unicodedata.normalize("NFD", " Zoë\t4")) == "Zoë 4"
    assert panel_id_read("generic", "zoë 4") != composed
    assert panel_id_read("sona", "AbC") == "AbC"


@pytest.mark.parametrize("provider", ["prolific", "sona", "generic"])
@pytest.mark.parametrize(
    "written",
    ["", " ", "\u200b", "a\x07b", f"a{chr(0xD800)}", "a\ufffd", "a\ue000", "x" * (ID_LIMIT + 1)],
)
def test_what_cannot_be_an_id_is_none(provider: str, written: str) -> None:
    assert panel_id_read(provider, written) == ""


@pytest.mark.parametrize("written", ["5f3c 9a0b", "\uff15f3c", "me@example.org", "<b>", "é1"])
@pytest.mark.parametrize("provider", ["prolific", "sona"])
def test_two_panels_use_plain_letters_and_digits_only(provider: str, written: str) -> None:
    assert panel_id_read(provider, written) == ""


@given(st.sampled_from(["prolific", "sona", "generic"]), st.text(max_size=40))
def test_an_id_that_was_read_reads_as_itself(provider: str, written: str) -> None:
    read = panel_id_read(provider, written)
    assert panel_id_read(provider, read) == read

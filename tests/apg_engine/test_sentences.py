from __future__ import annotations

import pytest

from apg_engine.records import BlockKind, SentenceKind
from apg_engine.segmentation.segments import segments_find
from apg_engine.stages.sentences import draft_sentences
from benchmarks.splitter_cases import CASES


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_a_text_is_cut_into_its_sentences(text: str, expected: list[str]) -> None:
    found = [text[segment.start : segment.end] for segment in segments_find(text)]

    assert found == expected


@pytest.mark.parametrize("text", [text for text, _ in CASES.values()], ids=CASES.keys())
def test_nothing_but_marks_and_space_is_lost(text: str) -> None:
    covered: set[int] = set()
    for segment in segments_find(text):
        covered.update(range(segment.start, segment.end))
    lost = "".join(char for place, char in enumerate(text) if place not in covered)

    assert not any(char.isalpha() for char in lost)


NON_CLAIMS = {
    "# Allocation of power": SentenceKind.HEADING,
    "**The stance**": SentenceKind.HEADING,
    "Thank you.": SentenceKind.COURTESY,
    "I hope this helps.": SentenceKind.COURTESY,
    "Let me know what you think.": SentenceKind.COURTESY,
    "Dziękuję za uwagę.": SentenceKind.COURTESY,
    "Here is the recommendation:": SentenceKind.LEAD_IN,
    "Next steps:": SentenceKind.LEAD_IN,
    "2.": SentenceKind.FRAGMENT,
    "***": SentenceKind.FRAGMENT,
}


@pytest.mark.parametrize(("text", "kind"), NON_CLAIMS.items())
def test_what_claims_nothing_is_classified_and_listed(text: str, kind: SentenceKind) -> None:
    assert [sentence.kind for sentence in draft_sentences(text)] in ([kind], [])
    if kind is not SentenceKind.FRAGMENT:
        assert len(draft_sentences(text)) == 1


CLAIMS = (
    "It failed.",
    "The sources do not state the dose.",
    "# The committee agreed to split the reserve",
    "# All parties receive 50 MW",
    "| pump | 9 MW |",
    "Thank you to the clinic, which must receive 30 MW.",
    "Should the clinic be closed?",
    "50/50.",
    "```\nThe pump gets 9 MW\n```",
)


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_in_other_clothes_stays_a_claim(text: str) -> None:
    assert [sentence.kind for sentence in draft_sentences(text)] == [SentenceKind.CLAIM]


def test_a_repeated_sentence_is_a_duplicate_and_names_the_first() -> None:
    first, second = draft_sentences("The pump gets 9 MW. the pump gets **9 MW**!")

    assert (second.kind, second.duplicate_of) == (SentenceKind.DUPLICATE, first.id)


def test_offsets_point_into_the_draft_as_it_was_written() -> None:
    draft = "# Plan\n\n1. “First.” Then [1] more.\n\n**Last** one."

    for sentence in draft_sentences(draft):
        assert draft[sentence.start : sentence.end] == sentence.text


def test_blocks_are_told_apart() -> None:
    text = "# H\n\npara\n\n- item\n\n| a | b |\n|---|---|\n| c | d |\n\n```\ncode\n```"

    assert [segment.block for segment in segments_find(text)] == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.BULLET,
        BlockKind.TABLE_HEAD,
        BlockKind.TABLE_ROW,
        BlockKind.CODE,
    ]


def test_a_row_of_stops_is_read_in_time_that_grows_with_its_length() -> None:
    # Each stop once looked at all that came before and behind it: this took minutes.
    text = "Only 40 MW remain. " + ". " * 100_000 + "The pump draws 9 MW. " + "! " * 100_000

    first, *others = segments_find(text)

    assert text[first.start : first.end] == "Only 40 MW remain."
    assert others[-1].end == len(text.rstrip())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. J. R. Smith won. R. Nowak lost.", ["Mr. J. R. Smith won.", "R. Nowak lost."]),
        ("Plan z 2020 r. Potem nowy.", ["Plan z 2020 r.", "Potem nowy."]),
        ("هل فتح الباب؟ نعم.", ["هل فتح الباب؟", "نعم."]),
        ("دروازہ کھلا ہے\u06d4 پل بند ہے\u06d4", ["دروازہ کھلا ہے\u06d4", "پل بند ہے\u06d4"]),
        ("यह सच है। वह नहीं।", ["यह सच है।", "वह नहीं।"]),
    ],
)
def test_initials_end_nothing_and_every_scripts_stop_does(text: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in draft_sentences(text)] == expected

from __future__ import annotations

import pytest

from apg_engine.records import BlockKind, SentenceKind
from apg_engine.segmentation.segments import segments_find
from apg_engine.stages.sentences import draft_sentences

# One row a case: a text and the sentences it holds. Kinds of cases: field notes on splitters and
# graders, and the markdown of recorded debates. All texts are ours or shorter than a line.
CASES = {
    "glued after a price": (
        "It costs $3.50.The rate is 4.2%.",
        ["It costs $3.50.", "The rate is 4.2%."],
    ),
    "decimal": ("It used a learning rate of 0.002.", ["It used a learning rate of 0.002."]),
    "degree": ("It was the Ph.D.'s job.", ["It was the Ph.D.'s job."]),
    "number abbreviation": ("See no. 5. He knows.", ["See no. 5.", "He knows."]),
    "initialism inside": ("He is in the U.S.A. today.", ["He is in the U.S.A. today."]),
    "initialism at the end": (
        "He left the U.S. The war began.",
        ["He left the U.S.", "The war began."],
    ),
    "initial of a name": ("J. Smith spoke. All agreed.", ["J. Smith spoke.", "All agreed."]),
    "title": ("Dr. Lee left. Mr. Ode stayed.", ["Dr. Lee left.", "Mr. Ode stayed."]),
    "equation": ("By Eq. 3. the sum is 5.", ["By Eq. 3. the sum is 5."]),
    "approximately": ("Give approx. 5 mg. Then wait.", ["Give approx. 5 mg.", "Then wait."]),
    "for example": ("Some loads, e.g. Pumps, stay on.", ["Some loads, e.g. Pumps, stay on."]),
    "et cetera": ("Pumps, fans, etc. They stay on.", ["Pumps, fans, etc.", "They stay on."]),
    "ellipsis inside": ("It went on ... and then stopped.", ["It went on ... and then stopped."]),
    "ellipsis at the end": ("We waited... Nothing came.", ["We waited...", "Nothing came."]),
    "ellipsis sign": ("We waited… Nothing came.", ["We waited…", "Nothing came."]),
    "quote after the stop": ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
    "straight quote": ('He said "No." She sat.', ['He said "No."', "She sat."]),
    "quote goes on": ("“Stop!” he said at last.", ["“Stop!” he said at last."]),
    "bold stop": ("**It failed.** We left.", ["**It failed.**", "We left."]),
    "bracketed sentence": (
        "It ran (see Fig. 3.) Then it broke.",
        ["It ran (see Fig. 3.)", "Then it broke."],
    ),
    "citation behind the stop": (
        "It ended.[12] Next came rain.",
        ["It ended.[12]", "Next came rain."],
    ),
    "citation spaced": (
        "It ended. [claim_05] Next came rain.",
        ["It ended. [claim_05]", "Next came rain."],
    ),
    "two citations": ("It ended.[1][2] Next.", ["It ended.[1][2]", "Next."]),
    "stop inside a citation": (
        "As said [p. 3. line 2] it holds.",
        ["As said [p. 3. line 2] it holds."],
    ),
    "stop inside code": ("Run `a. b` now. Done.", ["Run `a. b` now.", "Done."]),
    "address of a page": (
        "See https://a.org/x.Html?q=1. It is new.",
        ["See https://a.org/x.Html?q=1.", "It is new."],
    ),
    "question then answer": ("Why? Because it rained.", ["Why?", "Because it rained."]),
    "many marks": ("Really?! Yes!", ["Really?!", "Yes!"]),
    "leading mark": (
        "? I have not slept since 2007. I will.",
        ["? I have not slept since 2007.", "I will."],
    ),
    "leading dot": (".@user is ready!", [".@user is ready!"]),
    "lower case": ("it failed. it did.", ["it failed.", "it did."]),
    "inline list": ("Bob ate: 1. a pizza, 2. a pie.", ["Bob ate: 1. a pizza, 2. a pie."]),
    "version": ("Version 5.3. is out. Use it.", ["Version 5.3. is out.", "Use it."]),
    "time of day": ("They met at 5 p.m. It rained.", ["They met at 5 p.m.", "It rained."]),
    "chinese": ("口罩有效。疫苗也有效。", ["口罩有效。", "疫苗也有效。"]),
    "wide marks": (
        "Masks work! Vaccines help\uff1f Yes。",
        ["Masks work!", "Vaccines help\uff1f", "Yes。"],
    ),
    "japanese quote": ("彼は「はい。」と言った。次。", ["彼は「はい。」", "と言った。", "次。"]),
    "polish number": (
        "Zużyto ok. 5 tys. zł. Zostało mało.",
        ["Zużyto ok. 5 tys. zł.", "Zostało mało."],
    ),
    "polish example": ("Odbiorniki, np. Pompy, działają.", ["Odbiorniki, np. Pompy, działają."]),
    "polish year": ("Powstał w 2020 r. Potem spłonął.", ["Powstał w 2020 r.", "Potem spłonął."]),
    "polish among others": (
        "Działa m.in. Szpital. Reszta nie.",
        ["Działa m.in. Szpital.", "Reszta nie."],
    ),
    "polish professor": ("Mówił prof. Nowak. Słuchano.", ["Mówił prof. Nowak.", "Słuchano."]),
    "bullets": ("* a\n* b\n* c", ["a", "b", "c"]),
    "bullet with two": ("- One thing. Another.\n- Third", ["One thing.", "Another.", "Third"]),
    "numbered": ("1. First point.\n2) Second point.", ["First point.", "Second point."]),
    "wrapped bullet": (
        "- A long\n  bullet goes on.\n- Next",
        ["A long\n  bullet goes on.", "Next"],
    ),
    "heading": ("# The plan\nIt works.", ["The plan", "It works."]),
    "underlined heading": ("The plan\n========\nIt works.", ["The plan", "It works."]),
    "bold line": ("**The stance**\n\nIt works.", ["**The stance**", "It works."]),
    "quote block": ("> It works. It lasts.", ["It works.", "It lasts."]),
    "table": ("| load | MW |\n|---|---|\n| pump | 9. |", ["| load | MW |", "| pump | 9. |"]),
    "code": ("```\na. B\nc\n```\nDone.", ["a. B\nc", "Done."]),
    "open fence": ("```\na. B", ["a. B"]),
    "rule": ("One.\n\n---\n\nTwo.", ["One.", "Two."]),
    "windows lines": ("One.\r\n\r\nTwo.", ["One.", "Two."]),
    "line separator": ("One\u2028line. Two.", ["One\u2028line.", "Two."]),
    "soft wrap": ("One sentence\nover two lines.", ["One sentence\nover two lines."]),
    "no stop": ("Nothing ends this", ["Nothing ends this"]),
    "empty": ("", []),
    "blank": (" \n\t\n ", []),
}


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

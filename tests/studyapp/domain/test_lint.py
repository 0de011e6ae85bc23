"""A text that names itself, its model or its arm is found, and so are unlike shapes."""

from __future__ import annotations

import pytest

from studyapp.domain.lint import PairTexts, pair_lint
from studyapp.domain.lint_naming import NamingKind, namings_find
from studyapp.domain.lint_shape import ShapeCount, shapes_compare
from tests.sample_study import DEBATES

ARMS = ("baseline", "apg")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # lm-sys/FastChat#1210, #3441, #3539: the output names its model.
        ("As GPT-4, I suggest two pumps.", NamingKind.MODEL),
        ("As gpt-4o-mini I suggest two pumps.", NamingKind.MODEL),
        ("Claude suggests two pumps.", NamingKind.MODEL),
        ("Written with Llama 3.1.", NamingKind.MODEL),
        ("This APG report says that two pumps stand there.", NamingKind.ARM),
        ("In the baseline report, two pumps stand there.", NamingKind.ARM),
        ("**Divergence Report**", NamingKind.ARM),
        ("PF 0.95 was reached.", NamingKind.ARM),
        ("As an AI, I cannot say.", NamingKind.MACHINE),
        ("As a large language model, I cannot say.", NamingKind.MACHINE),
        ("I\u2019m an AI assistant.", NamingKind.MACHINE),
        ("Jako model językowy nie mogę.", NamingKind.MACHINE),
        ("Unlike Report B, this one is short.", NamingKind.POSITION),
    ],
)
def test_a_text_that_says_what_it_is_is_found(text: str, kind: NamingKind) -> None:
    (naming,) = namings_find(text, arms=ARMS)
    assert naming.kind is kind
    assert naming.found in text
    assert naming.quote.strip("…") in text


@pytest.mark.parametrize(
    "text",
    [
        "The plant uses 16 units, and the farms use 14.",
        "All parties agree that the report of the weather service is right.",
        "They report a shortage.",
        "The gate of the dam stays shut.",
        "The model of the pump is old.",
        "The apgar score is nine.",
    ],
)
def test_an_ordinary_sentence_is_no_naming(text: str) -> None:
    assert namings_find(text, arms=ARMS) == ()


@pytest.mark.parametrize("debate", DEBATES, ids=["harbour", "river"])
def test_the_texts_of_the_sample_study_name_nothing(debate: dict[str, tuple[str, str]]) -> None:
    assert [namings_find(text, arms=ARMS) for text in debate["pair"]] == [(), ()]


def test_a_name_that_the_debate_uses_tells_nothing() -> None:
    text = "Claude asks for the baseline of last year."
    assert len(namings_find(text, arms=ARMS)) == 2
    assert namings_find(text, arms=ARMS, debate="CLAUDE: What of the Baseline?") == ()


def test_arms_and_models_of_the_study_are_found_by_their_own_names() -> None:
    found = namings_find(
        "Tuned text by acme/word-writer (v2).", arms=("tuned",), models=("acme/word-writer",)
    )
    assert [(naming.kind, naming.found) for naming in found] == [
        (NamingKind.ARM, "Tuned"),
        (NamingKind.MODEL, "acme/word-writer"),
    ]


def test_every_phrase_is_told_once_in_the_order_of_the_text() -> None:
    found = namings_find("GPT-4 wrote it. As an AI language model, GPT-4 may err.", arms=ARMS)
    assert [naming.found for naming in found] == ["GPT-4", "As an AI", "language model", "GPT-4"]


REFERENCE = """\
## One

First there are 3 pumps. Then there are 2.

- a
- b
"""
TREATMENT = """\
One text with 12 numbers, [T4] and a "quote" in it. **Bold** it is not. It is longer than the
other one by far, because it has many more words in it than the other one has. And more.
"""


def test_counts_of_both_texts_stand_side_by_side() -> None:
    rows = {row.count: row for row in shapes_compare(REFERENCE, TREATMENT)}
    counts = {count: (row.reference, row.treatment) for count, row in rows.items()}
    assert counts == {
        ShapeCount.WORDS: (12, 39),
        ShapeCount.SENTENCES: (2, 4),
        ShapeCount.PARAGRAPHS: (3, 1),
        ShapeCount.HEADINGS: (1, 0),
        ShapeCount.LIST_ITEMS: (2, 0),
        ShapeCount.NUMBERS: (2, 1),
        ShapeCount.CITATIONS: (0, 1),
        ShapeCount.QUOTES: (0, 1),
        ShapeCount.EMPHASES: (0, 1),
    }
    assert rows[ShapeCount.WORDS].ratio == pytest.approx(39 / 12)
    assert rows[ShapeCount.HEADINGS].ratio is None


@pytest.mark.parametrize(
    ("first", "second", "telling"),
    [
        ("word " * 100, "word " * 124, set()),
        ("word " * 100, "word " * 126, {ShapeCount.WORDS}),
        ("- a\n- b\n- c\n", "a b c", {ShapeCount.LIST_ITEMS}),
        ("# a\n\n# b\n", "# a\n\nb\n", set()),
        ("Aa. " * 10, "Aa a. " * 5, {ShapeCount.SENTENCES}),
    ],
)
def test_only_what_a_reader_notices_is_telling(
    first: str, second: str, telling: set[ShapeCount]
) -> None:
    for pair in ((first, second), (second, first)):
        rows = shapes_compare(*pair)
        assert {row.count for row in rows if row.is_telling} == telling


def test_a_pair_alike_in_shape_that_names_nothing_is_clean() -> None:
    reference, treatment = DEBATES[0]["pair"]
    texts = PairTexts(reference, treatment, debate="")
    assert pair_lint(texts, arms=ARMS, models=()).is_clean
    named = PairTexts(reference, f"{treatment}\n\nAs an AI, I agree.", debate="")
    lint = pair_lint(named, arms=ARMS, models=())
    assert not lint.is_clean
    assert [naming.found for naming in lint.treatment] == ["As an AI"]
    assert lint.reference == ()

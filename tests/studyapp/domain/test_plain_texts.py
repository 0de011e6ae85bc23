"""Plain texts: every count in them follows from the study."""

from __future__ import annotations

import pytest

from studyapp.domain.plain_texts import DebateFacts, debate_facts, plain_texts
from studyapp.domain.texts import texts_dump, texts_load

SHORT, LONG = DebateFacts(words=1000, has_news=False), DebateFacts(words=8000, has_news=True)


@pytest.mark.parametrize(
    ("count", "said"), [(1, "one recorded debate and"), (2, "two recorded"), (12, "12 recorded")]
)
def test_the_number_of_debates_is_the_study_s(count: int, said: str) -> None:
    texts = plain_texts([SHORT] * count, background=3, answers_a_pair=8)
    assert said in texts.about
    assert ("which debate came first" in texts.debrief) is (count > 1)
    assert texts_load(texts_dump(texts)) == texts


def test_the_minutes_grow_with_the_words_and_the_answers() -> None:
    # 1000 words at 200 a minute, and 10 answers of 12 seconds.
    assert plain_texts([SHORT], background=2, answers_a_pair=8).minutes == 7
    assert plain_texts([LONG, SHORT], background=2, answers_a_pair=8).minutes == 49


def test_what_a_study_does_not_have_is_not_spoken_of() -> None:
    texts = plain_texts([SHORT], background=0, answers_a_pair=1)
    assert "about yourself" not in texts.about
    assert "News" not in texts.instructions
    assert "News" in plain_texts([LONG], background=0, answers_a_pair=1).instructions


def test_words_are_counted_where_a_participant_reads_them() -> None:
    content = {
        "crisis_context": "one two",
        "question": "three",
        "agents": [{"name": "A", "mandate": "four five"}],
        "turns": [{"text": "six seven eight", "private_trace": "not counted"}],
        "shocks": [{"text": "nine"}],
        "documents": [{"text": "not counted either"}],
    }
    assert debate_facts(content, ["ten", "eleven"]) == DebateFacts(words=11, has_news=True)

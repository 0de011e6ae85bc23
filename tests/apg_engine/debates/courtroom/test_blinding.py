"""What a judge is told of the sides: their names are hidden, and words of exhibits are not."""

from __future__ import annotations

import pytest

from apg_engine.debates.courtroom.blinding import blinding_of
from apg_engine.debates.material import Piece
from apg_engine.records import ItemKind
from tests.apg_engine.debates.courtroom.trials import ALONE, library, spoken
from tests.fakes.debating import rows_of
from tests.fakes.trying import TryingModel

EXHIBIT = Piece(
    ItemKind.DOCUMENT, "E1", "Sleep strengthens the immune defense mechanisms of pupils."
)


def told(text: str) -> str:
    """What a judge reads, with the labels of both sides made one."""
    turn = Piece(ItemKind.TURN, "T1", text, "Plaintiff")
    hidden = blinding_of("judge_a", seed=0, exchanged=False, exhibits=[EXHIBIT]).hidden(turn)
    assert hidden.speaker in {"Side 1", "Side 2"}
    return hidden.text.replace("Side 1", "SIDE").replace("Side 2", "SIDE")


@pytest.mark.parametrize(
    "text",
    [
        "Sleep strengthens the immune defense mechanisms of pupils. [E1]",
        'It is said that "the immune defense mechanisms of pupils" gain.',
        "As E1 says, sleep strengthens the immune defense [E1].",
        "A body without any immune defense falls ill.",
        "Hosts raise defenses against it.",
    ],
)
def test_words_of_an_exhibit_and_of_medicine_stay_as_they_are(text: str) -> None:
    assert told(text) == text


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("The Defense errs.", "The SIDE errs."),
        ("What the defense argued is wrong.", "What the SIDE argued is wrong."),
        ("The defence's reading fails.", "The SIDE's reading fails."),
        ("As defense counsel I object.", "As SIDE counsel I object."),
        ("The plaintiffs and the defendant agree.", "The SIDE and the SIDE agree."),
        ("Plaintiff: the exhibit is clear.", "SIDE: the exhibit is clear."),
    ],
)
def test_names_of_the_sides_are_hidden(text: str, hidden: str) -> None:
    assert told(text) == hidden


def test_a_judge_can_check_a_quotation_word_for_word() -> None:
    text = "The immune defense of pupils who slept withstood influenza in schools better."
    judge, quoting = TryingModel(), TryingModel(open=f"{text} [E1] So the Plaintiff is right.")

    spoken(
        {"judge_a": judge, "plaintiff": quoting},
        index=library((text,)),
        rounds=1,
        ablations={**ALONE, "progressive_rag": False},
    )

    ((_, prompt),) = judge.asked("judge")
    turn = next(row["text"] for row in rows_of(prompt) if row["id"] == "T1")
    assert turn.startswith(f"{text} [E1] So the Side ")

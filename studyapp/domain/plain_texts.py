"""Texts of a test study that brings none: only what can be counted, or holds for every study.

They say nothing of who wrote the debates, whether these are about real events, or what the study
replicates: the site cannot know. A study that must say more brings its own texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studyapp.domain.texts import StudyTexts

# Reading with care, in a language that may not be the reader's first.
_WORDS_A_MINUTE: Final = 200
_SECONDS_AN_ANSWER: Final = 12
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True, slots=True)
class DebateFacts:
    """What the texts say of a debate: `words` of it and its reports, and whether news came."""

    words: int
    has_news: bool


def debate_facts(content: Mapping[str, Any], reports: Sequence[str]) -> DebateFacts:
    """Count what a participant reads of a trace stored in the project's format, version 1."""
    parts = [content["crisis_context"], content["question"], *reports]
    parts += [turn["text"] for turn in content["turns"]]
    parts += [shock["text"] for shock in content["shocks"]]
    parts += [agent["mandate"] for agent in content["agents"]]
    return DebateFacts(sum(len(part.split()) for part in parts), bool(content["shocks"]))


def plain_texts(
    debates: Sequence[DebateFacts], *, background: int, answers_a_pair: int
) -> StudyTexts:
    """Write the texts of a test study.

    Args:
        debates: one entry for each scenario.
        background: how many questions are asked about the participant.
        answers_a_pair: how many answers are asked for about each pair.
    """
    minutes = _minutes(debates, answers=background + answers_a_pair * len(debates))
    one = len(debates) == 1
    return StudyTexts(
        title="Reading a debate and two reports about it" if one else _TITLE,
        minutes=minutes,
        about="\n".join(_about(len(debates), background=background, minutes=minutes)),
        consent=_CONSENT,
        agreement="I have read this page, I am at least 18 years old, and I agree to take part.",
        contact="If you have a question, please ask the person who gave you the link.",
        instructions="\n\n".join(_instructions(debates)),
        debrief=_DEBRIEF + _DRAWN[not one],
    )


def _minutes(debates: Sequence[DebateFacts], *, answers: int) -> int:
    words = sum(row.words for row in debates)
    return math.ceil(words / _WORDS_A_MINUTE + answers * _SECONDS_AN_ANSWER / 60)


def _about(debates: int, *, background: int, minutes: int) -> Iterator[str]:
    yield "We study how people judge written reports about debates. You are invited to read"
    if debates == 1:
        yield "one recorded debate and two reports about it.\n"
    else:
        yield f"{_number(debates)} recorded debates and, after each, two reports about it.\n"
    yield "- **What you will do.**"
    if background:
        things = "one question" if background == 1 else f"{_number(background)} questions"
        yield f"  Answer {things} about yourself."
    times = "Then" if debates == 1 else f"For each of the {_number(debates)} debates"
    yield f"  {times}: read it, read two reports about it, and say what you think of the reports."
    yield f"- **How long it takes.** About {minutes} minutes, estimated from the number of words."
    yield "  You can stop and continue later; your answers are kept."
    yield from _ABOUT_TEXTS


def _instructions(debates: Sequence[DebateFacts]) -> Iterator[str]:
    has_news = any(row.has_news for row in debates)
    order = "The contributions stand in the order in which they were made."
    yield f"You will now read the record of a debate. {order}" + (_NEWS if has_news else "")
    yield (
        "Read it the way you would read something that matters to you. You do not have to remember "
        "it: the debate stays at hand while you read the two reports and answer the questions."
    )


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


_TITLE: Final = "Reading debates and two reports about each"
_NEWS: Final = (
    " A box marked *News* is information that reached the parties at that moment of the debate."
)
_ABOUT_TEXTS: Final = (
    "- **What the texts are.** Every debate is shown as it stands in the file from which this",
    "  study was made. This site does not know who wrote it, or whether it tells of real events.",
    "  The reports were written by a computer program.",
    "- **No right or wrong.** We are interested in your own opinion. Nothing here tests your",
    "  knowledge.",
)
_CONSENT: Final = (
    (
        "Taking part is voluntary. You can stop at any moment by closing the page, without "
        "giving a reason and without any disadvantage."
    ),
    (
        "Stored are your answers, the times at which you opened and finished each step, and a "
        "random code. Your internet address is not stored with your answers, and nothing that "
        "names you is, unless you write it into an answer."
    ),
    (
        "Two cookies are set: one protects the forms against misuse, the other lets you "
        "continue in this browser. There is no tracking."
    ),
    (
        "This study tries things out. Your answers are marked as test data and may be deleted "
        "at any time."
    ),
    (
        "A debate may touch on something that troubles you; you can stop at any moment. You "
        "need to be at least 18 years old."
    ),
)
_DEBRIEF: Final = (
    "For each debate, one program wrote both reports. One is its first version, just as it was "
    "written. The other is what became of it after each sentence was checked against the debate: "
    "sentences for which the check found no support there were to be rewritten. Where too many of "
    "them stayed without support, a statement of what each party holds took the place of a "
    "recommendation. The check can err.\n\nWe ask which of the two people prefer. "
)
_DRAWN: Final = (
    "Which report stood first was drawn at random for you.",
    "Which report stood first, and which debate came first, was drawn at random for you.",
)

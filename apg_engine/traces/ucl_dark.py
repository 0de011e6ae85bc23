"""Importer for debate transcripts of ucl-dark/llm_debate (its `TranscriptConfig`).

A round holds what the judge and a cross examiner asked and what the debaters answered. Debaters
become speakers by name: their keys say who argues for the correct answer, which no reader of a
trace may learn. `swap` says who is debater A and speaks first.
"""

from __future__ import annotations

import re

from apg_engine.records import Agent, Trace
from apg_engine.traces.assembly import Record, Speech, assembled
from apg_engine.traces.json_field import Field
from apg_engine.traces.request import ImportRequest, chosen

FORMAT = "ucl-dark-transcript"
_THINKING = re.compile(r"<thinking>(.*?)</thinking>", re.DOTALL)
_FALLBACK_NAMES = {"judge": "Judge", "cross_examiner": "Cross examiner"}


def recognises(document: object) -> bool:
    """True for an object with a question, two answers and rounds, or a list of such."""
    first = document[0] if isinstance(document, list) and document else document
    return isinstance(first, dict) and {"question", "answers", "rounds"} <= first.keys()


def trace_from_field(root: Field, request: ImportRequest) -> Trace:
    """Read one transcript.

    Raises:
        TraceError: a part is missing or of a wrong kind, or there are several transcripts and
            none was chosen.
    """
    entries = list(root.items()) if isinstance(root.value, list) else [root]
    transcript = chosen(entries, request, file=root.file, place=root.place)
    order = _order(transcript)
    names = _names(transcript, order)
    record = Record(
        file=root.file,
        title=_string(transcript.get("story_title")),
        question=transcript.get("question").filled_text(),
        agents=_agents(transcript, names),
    )
    story = _string(transcript.get("story"))
    if story.strip():
        record.add_document(story)
    responses = list(_responses(transcript))
    for index, entry in enumerate(transcript.get("rounds").filled_items()):
        response = responses[index] if index < len(responses) else None
        record.speeches.extend(_speeches(entry, response, order, names))
    return assembled(record, request, place=transcript.get("rounds").place)


def _order(transcript: Field) -> tuple[str, ...]:
    swapped = transcript.get("swap").flag(default=False)
    debaters = ("incorrect", "correct") if swapped else ("correct", "incorrect")
    return ("judge", "cross_examiner", *debaters)


def _names(transcript: Field, order: tuple[str, ...]) -> dict[str, str]:
    given = transcript.get("names")
    fallback = {**_FALLBACK_NAMES, order[2]: "Debater A", order[3]: "Debater B"}
    known = given if isinstance(given.value, dict) else None
    return {
        key: (_string(known.get(key)) if known is not None else "") or fallback[key]
        for key in order
    }


def _agents(transcript: Field, names: dict[str, str]) -> dict[str, Agent]:
    answers = transcript.get("answers")
    return {name: Agent(name, name, _mandate(answers, key)) for key, name in names.items()}


def _mandate(answers: Field, key: str) -> str:
    if key in _FALLBACK_NAMES:
        return ""
    return f"argue for the answer: {answers.get(key).filled_text()}"


def _responses(transcript: Field) -> list[Field]:
    responses = transcript.get("responses")
    return [] if responses.value is None else list(responses.items())


def _speeches(
    entry: Field, response: Field | None, order: tuple[str, ...], names: dict[str, str]
) -> list[Speech]:
    said = [(key, entry.get(key)) for key in order]
    return [
        Speech(names[key], field.filled_text(), _thinking(response, key))
        for key, field in said
        if field.value not in (None, "")
    ]


def _thinking(response: Field | None, key: str) -> str:
    reply = _string(response.get(key)) if response is not None else ""
    return "\n".join(part.strip() for part in _THINKING.findall(reply))


def _string(field: Field) -> str:
    return field.value if isinstance(field.value, str) else ""

"""Importer for the output of MALLM: a list of discussions, each with its global memory.

The names follow the library's scheduler and its `Memory` record (Multi-Agent-LLMs/mallm on
GitHub); older releases wrote them in camel case, with `text` for `message`.
"""

from __future__ import annotations

from apg_engine.records import Agent, Trace
from apg_engine.traces.assembly import Record, Speech, assembled
from apg_engine.traces.json_field import Field
from apg_engine.traces.request import ImportRequest, chosen

FORMAT = "mallm"


def recognises(document: object) -> bool:
    """True for a discussion with a global memory, or a list of such."""
    first = document[0] if isinstance(document, list) and document else document
    return isinstance(first, dict) and "globalMemory" in first


def trace_from_field(root: Field, request: ImportRequest) -> Trace:
    """Read one discussion; messages stand in order of their ids.

    Raises:
        TraceError: a message lacks its agent, text or id; the entry is a single model's answer
            without a discussion; or there are several discussions and none was chosen.
    """
    entries = list(root.items()) if isinstance(root.value, list) else [root]
    entry = chosen(entries, request, file=root.file, place=root.place)
    memory = entry.get("globalMemory")
    record = Record(
        file=root.file,
        title=_title(entry),
        crisis_context=[entry.get("instruction").text(default=""), _lines(entry.get("context"))],
        question=_lines(entry.get("input")),
        agents=_agents(entry.get("personas")),
    )
    messages = sorted(memory.filled_items(), key=_message_id)
    for message in messages:
        speaker = message.first("agent_id", "agentId").filled_text()
        persona = message.get("persona").text(default=speaker) or speaker
        record.agents.setdefault(speaker, Agent(speaker, persona))
        record.speeches.append(Speech(speaker, message.first("message", "text").filled_text()))
    return assembled(record, request, place=memory.place)


def _message_id(message: Field) -> int:
    return message.first("message_id", "messageId").integer()


def _agents(personas: Field) -> dict[str, Agent]:
    if personas.value is None:
        return {}
    return {
        persona.get("agentId").filled_text(): Agent(
            persona.get("agentId").filled_text(),
            persona.get("persona").filled_text(),
            persona.get("personaDescription").text(default=""),
        )
        for persona in personas.items()
    }


def _title(entry: Field) -> str:
    parts = (entry.get("dataset").value, entry.get("exampleId").value)
    return ", ".join(part for part in parts if isinstance(part, str) and part)


def _lines(field: Field) -> str:
    """A text, a list of texts, or null."""
    if field.value is None:
        return ""
    if isinstance(field.value, str):
        return field.value
    return "\n".join(item.text() for item in field.items())

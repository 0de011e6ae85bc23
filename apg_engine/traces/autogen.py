"""Importer for AutoGen agentchat: a list of messages, a task result, or a saved team state.

Message types as in autogen_agentchat.messages (microsoft/autogen on GitHub). The first message of
`user` is the task. Thoughts are the private trace of their speaker's next message; results of
tools and memories are documents it used; other events say nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from apg_engine.errors import TraceError
from apg_engine.records import Trace
from apg_engine.traces.assembly import Record, Speech, assembled
from apg_engine.traces.json_field import Field
from apg_engine.traces.request import ImportRequest, chosen

FORMAT = "autogen-agentchat"
TASK_SOURCE = "user"
SPOKEN = (
    "TextMessage",
    "MultiModalMessage",
    "HandoffMessage",
    "ToolCallSummaryMessage",
    "StructuredMessage",
)
THOUGHT = "ThoughtEvent"
SOURCES = ("ToolCallExecutionEvent", "MemoryQueryEvent")
STOP = "StopMessage"


@dataclass(slots=True)
class _Before:
    """What a speaker thought and looked up before its next message."""

    thoughts: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)


def recognises(document: object) -> bool:
    """True for typed messages with a source, wherever AutoGen puts them."""
    if isinstance(document, list):
        return _is_messages(document)
    if not isinstance(document, dict):
        return False
    return (
        _is_messages(document.get("messages"))
        or "message_thread" in document
        or "agent_states" in document
    )


def trace_from_field(root: Field, request: ImportRequest) -> Trace:
    """Read a conversation of agents.

    Raises:
        TraceError: a message has no known type, source or content, or there is no thread.
    """
    thread = chosen(list(_threads(root)), request, file=root.file, place=root.place)
    record = Record(file=root.file)
    before: dict[str, _Before] = {}
    for message in thread.filled_items():
        _add(record, message, before)
    return assembled(record, request, place=thread.place or "the document")


def _threads(root: Field) -> Iterator[Field]:
    if isinstance(root.value, list):
        yield root
        return
    for key in ("messages", "message_thread"):
        if root.get(key).present:
            yield root.get(key)
            return
    states = root.get("agent_states")
    for name in states.members():
        state = states.get(name)
        if isinstance(state.value, dict) and state.get("message_thread").present:
            yield state.get("message_thread")


def _add(record: Record, message: Field, before: dict[str, _Before]) -> None:
    kind = message.get("type").filled_text().partition("[")[0]
    source = message.get("source").filled_text()
    waiting = before.setdefault(source, _Before())
    if kind in SPOKEN:
        _add_spoken(record, message, source, waiting)
        before[source] = _Before()
    elif kind == THOUGHT:
        waiting.thoughts.append(message.get("content").text())
    elif kind in SOURCES:
        texts = (item.get("content").value for item in message.get("content").items())
        found = [text for text in texts if isinstance(text, str) and text.strip()]
        waiting.evidence.extend(record.add_document(text) for text in found)
    elif kind == STOP:
        record.warn(f"{message.place} asks to stop and was left out")
    elif not kind.endswith("Event"):
        raise message.get("type").error(" | ".join((*SPOKEN, THOUGHT, *SOURCES, STOP)))


def _add_spoken(record: Record, message: Field, source: str, waiting: _Before) -> None:
    text = _text(message.get("content"), record)
    if source == TASK_SOURCE and not record.speeches and not record.question:
        record.question = text
        return
    speech = Speech(source, text, "\n".join(waiting.thoughts), tuple(waiting.evidence))
    record.speeches.append(speech)


def _text(content: Field, record: Record) -> str:
    if isinstance(content.value, list):
        texts = [item.value for item in content.items() if isinstance(item.value, str)]
        if len(texts) < len(content.value):
            record.warn(f"{content.place} holds images; they were left out")
        text = "\n".join(texts)
    elif isinstance(content.value, dict):
        text = json.dumps(content.value, ensure_ascii=False, indent=2)
    else:
        text = content.text()
    if text.strip() == "":
        raise TraceError(content.file, content.place, "an empty text", "a text that is not empty")
    return text


def _is_messages(value: object) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and "source" in first and "type" in first

"""Importer for OpenAI chat messages: one conversation as JSON, or JSON Lines.

Read are a list of messages, an object with `messages`, lines that each hold a message, and lines
that each hold an object with `messages`. System and developer messages are the crisis context,
tool results are documents, everything else that was said is a turn of its `name` or role.
"""

from __future__ import annotations

from apg_engine.records import Trace
from apg_engine.traces.assembly import Record, Speech, assembled
from apg_engine.traces.chat_content import Content, content_of
from apg_engine.traces.json_field import Field
from apg_engine.traces.request import ImportRequest, chosen

FORMAT = "openai-chat"
INSTRUCTING = ("system", "developer")
TOOLS = ("tool", "function")
ROLES = (*INSTRUCTING, "user", "assistant", *TOOLS)


def recognises(document: object) -> bool:
    """True for messages with a role, alone or under `messages`, once or several times."""
    if isinstance(document, dict):
        return _is_messages(document.get("messages"))
    if not isinstance(document, list) or not document:
        return False
    first = document[0]
    return _is_messages(document) or (
        isinstance(first, dict) and _is_messages(first.get("messages"))
    )


def trace_from_field(root: Field, request: ImportRequest) -> Trace:
    """Read a conversation.

    Raises:
        TraceError: a message has no known role or no readable content, or there are several
            conversations and none was chosen.
    """
    messages = _messages(root, request)
    record = Record(file=root.file)
    add_messages(record, messages)
    return assembled(record, request, place=messages.place or "the document")


def add_messages(record: Record, messages: Field) -> None:
    """Add every message of a list to the record.

    Raises:
        TraceError: a message has no known role or no readable content.
    """
    pending: list[str] = []
    for message in messages.filled_items():
        role = message.get("role").choice(ROLES)
        content = content_of(message, warn=record.warn)
        if role in INSTRUCTING:
            record.crisis_context.append(content.text)
        elif role in TOOLS:
            if content.text.strip():
                pending.append(record.add_document(content.text))
        elif content.text.strip():
            record.speeches.append(_speech(message, role, content, pending))
            pending = []
        else:
            record.warn(f"{message.place} holds no text and was left out")


def _speech(message: Field, role: str, content: Content, pending: list[str]) -> Speech:
    name = message.get("name")
    speaker = name.filled_text() if name.value is not None else role
    return Speech(speaker, content.text, content.reasoning, tuple(pending))


def _messages(root: Field, request: ImportRequest) -> Field:
    if isinstance(root.value, dict):
        return chosen([root.get("messages")], request, file=root.file, place=root.place)
    if _is_messages(root.value):
        return chosen([root], request, file=root.file, place=root.place)
    conversations = [line.get("messages") for line in root.items()]
    return chosen(conversations, request, file=root.file, place=root.place)


def _is_messages(value: object) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and "role" in first

"""Does a server really enforce a JSON schema, or does it only accept one?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from apg_engine.calls import CallStatus, ChatReply, ChatRequest, Message
from apg_engine.journal import CallLedger
from apg_engine.json_data import json_load
from apg_engine.llm.calling import model_call
from apg_engine.llm.protocol import ChatModel

# Nothing in the question names this word: only a server that enforces the schema makes it.
_WORD: Final = "zanzibar-4417"
_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": [_WORD]}},
    "required": ["word"],
    "additionalProperties": False,
}
_ASKED = "Answer with the single word hello, without quotes and without anything else."
_WITHOUT_SCHEMA = "without schema"
_MAX_TOKENS = 256


class Enforcement(StrEnum):
    """What a server does with a JSON schema."""

    ENFORCED = "enforced"
    NOT_ENFORCED = "not enforced"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Capability:
    """What one server was found to do.

    Attributes:
        model: name at the endpoint.
        schema: what it does with a JSON schema.
        adjusted: what had to be left out or changed for it to answer at all.
        detail: why nothing is known, where that is so.
    """

    model: str
    schema: Enforcement
    adjusted: tuple[str, ...]
    detail: str = ""


def schema_probe(model: ChatModel, *, calls: CallLedger) -> Capability:
    """Ask for something the schema forbids, and see which of the two the server follows.

    The call is journalled under the role `probe`, so its finding can be read again.

    Args:
        model: who is asked.
        calls: where the call is kept.
    """
    request = ChatRequest(
        messages=(Message("user", _ASKED),),
        temperature=0.0,
        max_tokens=_MAX_TOKENS,
        schema=_SCHEMA,
        schema_name="probe",
    )
    reply = model_call(model, request, role="probe", calls=calls)
    adjusted = tuple(reply.attempts[-1].note.split(", ")) if reply.attempts else ()
    known = tuple(note for note in adjusted if note) if reply.status is CallStatus.OK else ()
    return Capability(model.name, _enforcement(reply, known), known, reply.detail)


def _enforcement(reply: ChatReply, adjusted: tuple[str, ...]) -> Enforcement:
    if reply.status is not CallStatus.OK:
        return Enforcement.UNKNOWN
    if _WITHOUT_SCHEMA in adjusted:
        return Enforcement.REFUSED
    try:
        data = json_load(reply.text)
    except ValueError:
        return Enforcement.NOT_ENFORCED
    return Enforcement.ENFORCED if data == {"word": _WORD} else Enforcement.NOT_ENFORCED

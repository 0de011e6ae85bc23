"""Importer for Inspect logs in their JSON form (version 2): one sample is one debate.

Names as in `EvalLog` and `EvalSample` (UKGovernmentBEIS/inspect_ai on GitHub). The zipped `.eval`
form is not read: `inspect log dump` turns it into JSON.
"""

from __future__ import annotations

from apg_engine.errors import TraceError
from apg_engine.records import Trace
from apg_engine.traces.assembly import Record, Speech, assembled
from apg_engine.traces.chat import INSTRUCTING, ROLES, TOOLS
from apg_engine.traces.chat_content import Content, content_of
from apg_engine.traces.json_field import Field
from apg_engine.traces.request import ImportRequest, chosen

FORMAT = "inspect-log"
VERSION = 2
REFERENCES = ("attachment://", "tc://")


def recognises(document: object) -> bool:
    """True for an object with `eval` and either samples or a status."""
    return (
        isinstance(document, dict)
        and "eval" in document
        and bool(document.keys() & {"samples", "status"})
    )


def trace_from_field(root: Field, request: ImportRequest) -> Trace:
    """Read one sample's messages; assistants speak under their model's name.

    Raises:
        TraceError: another version, no samples, a message that cannot be read, or several
            samples and none was chosen.
    """
    version = root.get("version")
    if version.integer() != VERSION:
        raise version.error(f"the number {VERSION}")
    samples = root.get("samples")
    sample = chosen(list(samples.filled_items()), request, file=root.file, place=samples.place)
    record = Record(file=root.file, title=_title(root, sample))
    if root.get("status").value != "success":
        record.warn(f"status is {root.get('status').value!r}: the log may be incomplete")
    task = sample.get("input").value
    record.question = task if isinstance(task, str) else ""
    pending: list[str] = []
    for message in sample.get("messages").filled_items():
        pending = _add(record, message, pending)
    return assembled(record, request, place=sample.get("messages").place)


def _add(record: Record, message: Field, pending: list[str]) -> list[str]:
    """Add one message; returns the documents that wait for the next speaker."""
    role = message.get("role").choice(ROLES)
    content = content_of(message, warn=record.warn)
    _refuse_reference(message, content)
    if role in INSTRUCTING:
        record.crisis_context.append(content.text)
        return pending
    if content.text.strip() == "":
        record.warn(f"{message.place} holds no text and was left out")
        return pending
    if role in TOOLS:
        return [*pending, record.add_document(content.text)]
    if role == "user" and content.text == record.question and not record.speeches:
        return pending
    speaker = message.get("model").value if role == "assistant" else None
    name = speaker if isinstance(speaker, str) and speaker.strip() else role
    record.speeches.append(Speech(name, content.text, content.reasoning, tuple(pending)))
    return []


def _refuse_reference(message: Field, content: Content) -> None:
    if content.text.startswith(REFERENCES):
        raise TraceError(
            message.file,
            message.get("content").place,
            "a reference to an attachment",
            "the text itself (write the log with attachments resolved)",
        )


def _title(root: Field, sample: Field) -> str:
    task = root.get("eval").get("task").filled_text()
    return f"{task}, sample {sample.get('id').value}, epoch {sample.get('epoch').value}"

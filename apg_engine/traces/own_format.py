"""The project's own trace format: JSON objects of `apg-trace` version 1 to records and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from typing import cast

from apg_engine.records import (
    Agent,
    ConflictLevel,
    Document,
    DocumentKind,
    Severity,
    Shock,
    ShockKind,
    Source,
    Trace,
    Turn,
)
from apg_engine.traces.checks import refuse_inconsistency
from apg_engine.traces.conflict import ConflictRule, conflict_level
from apg_engine.traces.decoding import clean_document
from apg_engine.traces.json_field import Field
from apg_engine.traces.request import ImportRequest, chosen

FORMAT = "apg-trace"
VERSION = 1
TITLE_CHARACTERS = 200
FILE_NAME_CHARACTERS = 255
CONFLICT_LEVELS = ("low", "high", "")
DOCUMENT_KINDS = ("axiom", "document")
_FIELDS = (
    "$schema",
    "format",
    "version",
    "title",
    "language",
    "crisis_context",
    "question",
    "agents",
    "turns",
    "documents",
    "shocks",
    "conflict_level",
    "source",
    "warnings",
)


def recognises(document: object) -> bool:
    """True for an object that says it is of this format, or has its two main lists."""
    if not isinstance(document, dict):
        return False
    return document.get("format") == FORMAT or {"agents", "turns"} <= document.keys()


def trace_schema() -> dict[str, object]:
    """The published JSON Schema (draft 2020-12) of the format."""
    text = (files("apg_engine.traces") / "trace.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, object]", json.loads(text))


def trace_to_dict(trace: Trace) -> dict[str, object]:
    """The trace as JSON-ready data, every field written out, in the order of the schema."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": trace.title,
        "language": trace.language,
        "crisis_context": trace.crisis_context,
        "question": trace.question,
        "agents": [{"id": a.id, "name": a.name, "mandate": a.mandate} for a in trace.agents],
        "turns": [_turn_to_dict(turn) for turn in trace.turns],
        "documents": [_document_to_dict(document) for document in trace.documents],
        "shocks": [_shock_to_dict(shock) for shock in trace.shocks],
        "conflict_level": trace.conflict_level,
        "source": {
            "format": trace.source.format,
            "file_name": trace.source.file_name,
            "sha256": trace.source.sha256,
        },
        "warnings": list(trace.warnings),
    }


def trace_to_bytes(trace: Trace) -> bytes:
    """The trace as a UTF-8 file: the same bytes for equal traces, on every machine."""
    text = json.dumps(trace_to_dict(trace), ensure_ascii=False, indent=2, allow_nan=False)
    return f"{text}\n".encode("utf-8", "surrogatepass")


def trace_sha256(trace: Trace) -> str:
    """Hash of what was debated: canonical JSON (RFC 8785) without `source` and `warnings`.

    One debate keeps one hash, whatever its file is called and however it came in.
    """
    content = trace_to_dict(trace)
    del content["source"], content["warnings"]
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    # A trace that was built and not imported may hold half a surrogate pair.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def trace_from_dict(data: Mapping[str, object], *, file_name: str) -> Trace:
    """Read a trace from parsed JSON of the own format.

    Raises:
        TraceError: with file, place, what was found and what is allowed.
    """
    decoded = clean_document(dict(data), file_name=file_name)
    unknown = Source(FORMAT, file_name, "")
    trace = trace_from_field(
        Field(file_name, "", decoded.document), ImportRequest(unknown, decoded.warnings)
    )
    if trace.source is not unknown:
        return trace
    return replace(trace, source=replace(unknown, sha256=trace_sha256(trace)))


def trace_from_field(root: Field, request: ImportRequest) -> Trace:
    """Read the document; the request's source and conflict rule stand in where it does not say.

    Raises:
        TraceError: a field is missing, of a wrong kind, unknown, or contradicts another.
    """
    _refuse_other_format(root)
    root.only(_FIELDS)
    chosen([root], request, file=root.file, place="")
    root.get("$schema").text(default="")  # for editors
    shocks = tuple(_shock(field) for field in root.get("shocks").items())
    trace = Trace(
        title=root.get("title").filled_text(max_length=TITLE_CHARACTERS),
        language=root.get("language").language(default="en"),
        crisis_context=root.get("crisis_context").text(),
        question=root.get("question").text(default=""),
        agents=tuple(_agent(field) for field in root.get("agents").filled_items()),
        turns=tuple(_turn(field) for field in root.get("turns").filled_items()),
        documents=tuple(_document(field) for field in root.get("documents").items()),
        shocks=shocks,
        conflict_level=_conflict_level(root.get("conflict_level"), shocks, request.conflict_rule),
        source=_source(root.get("source"), request.source),
        warnings=(*(field.text() for field in root.get("warnings").items()), *request.warnings),
    )
    refuse_inconsistency(trace, file=root.file)
    return trace


def _refuse_other_format(root: Field) -> None:
    root.get("format").choice((FORMAT,))
    version = root.get("version")
    if version.integer() != VERSION:
        raise version.error(f"the number {VERSION}")


def _document_to_dict(document: Document) -> dict[str, object]:
    # Left out where there is none, so that a debate without titles keeps its hash.
    titled = {"title": document.title} if document.title else {}
    return {"id": document.id, "kind": document.kind, **titled, "text": document.text}


def _turn_to_dict(turn: Turn) -> dict[str, object]:
    return {
        "number": turn.number,
        "speaker": turn.speaker,
        "text": turn.text,
        "private_trace": turn.private_trace,
        "private_is_boilerplate": turn.private_is_boilerplate,
        "evidence": list(turn.evidence),
    }


def _shock_to_dict(shock: Shock) -> dict[str, object]:
    return {
        "turn": shock.turn,
        "kind": shock.kind.value,
        "severity": shock.severity.value,
        "text": shock.text,
    }


def _agent(field: Field) -> Agent:
    field.only(("id", "name", "mandate"))
    return Agent(
        id=field.get("id").filled_text(),
        name=field.get("name").filled_text(),
        mandate=field.get("mandate").text(default=""),
    )


def _turn(field: Field) -> Turn:
    field.only(("number", "speaker", "text", "private_trace", "private_is_boilerplate", "evidence"))
    return Turn(
        number=field.get("number").integer(),
        speaker=field.get("speaker").filled_text(),
        text=field.get("text").filled_text(),
        private_trace=field.get("private_trace").text(default=""),
        private_is_boilerplate=field.get("private_is_boilerplate").flag(default=False),
        evidence=tuple(item.filled_text() for item in field.get("evidence").items()),
    )


def _document(field: Field) -> Document:
    field.only(("id", "kind", "title", "text"))
    return Document(
        id=field.get("id").filled_text(),
        kind=cast("DocumentKind", field.get("kind").choice(DOCUMENT_KINDS)),
        text=field.get("text").filled_text(),
        title=field.get("title").text(default="", max_length=TITLE_CHARACTERS),
    )


def _shock(field: Field) -> Shock:
    field.only(("turn", "kind", "severity", "text"))
    return Shock(
        turn=field.get("turn").integer(),
        kind=ShockKind(field.get("kind").choice(tuple(ShockKind))),
        severity=Severity(field.get("severity").choice(tuple(Severity))),
        text=field.get("text").filled_text(),
    )


def _conflict_level(field: Field, shocks: tuple[Shock, ...], rule: ConflictRule) -> ConflictLevel:
    if not field.present:
        return conflict_level(shocks, rule=rule)
    return cast("ConflictLevel", field.choice(CONFLICT_LEVELS))


def _source(field: Field, otherwise: Source) -> Source:
    if not field.present:
        return otherwise
    field.only(("format", "file_name", "sha256"))
    return Source(
        format=field.get("format").filled_text(max_length=40),
        file_name=field.get("file_name").filled_text(max_length=FILE_NAME_CHARACTERS),
        sha256=field.get("sha256").matching(r"[0-9a-f]{64}", allowed="64 hexadecimal digits"),
    )

"""Prompt files with name, version and hash, and the record as a prompt shows it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from apg_engine.calls import Message
from apg_engine.records import Corpus

_SLOT = re.compile(r"\{\{(\w+)\}\}")
_FILE = re.compile(
    r"name: (?P<name>[\w-]+)\nversion: (?P<version>\d+)\n"
    r"=== system ===\n(?P<system>.*)\n=== user ===\n(?P<user>.*)\Z",
    re.DOTALL,
)
LANGUAGES = {"en": "English", "pl": "Polish"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file; `sha256` is of its bytes."""

    name: str
    version: int
    sha256: str
    system: str
    user: str

    @property
    def label(self) -> str:
        """Name, version and the start of the hash, as results list it."""
        return f"{self.name} {self.version} sha256:{self.sha256}"

    def messages(self, **slots: str) -> tuple[Message, ...]:
        """Fill the slots once; what is filled in is not searched for slots again."""
        return (
            Message("system", _filled(self.system, slots)),
            Message("user", _filled(self.user, slots)),
        )


@cache
def prompt_load(name: str) -> Prompt:
    """Read one of the package's prompt files."""
    data = files("apg_engine").joinpath("prompts", f"{name}.txt").read_bytes()
    match = _FILE.match(data.decode("utf-8"))
    if match is None:
        raise ValueError(f"prompts/{name}.txt has no name, version, system and user part")
    return Prompt(
        name=match["name"],
        version=int(match["version"]),
        sha256=hashlib.sha256(data).hexdigest(),
        system=match["system"].strip(),
        user=match["user"].strip(),
    )


@cache
def audit_schema() -> dict[str, Any]:
    """Give the JSON Schema an audit reply must follow."""
    text = files("apg_engine").joinpath("prompts", "audit_reply.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def evidence_lines(corpus: Corpus) -> str:
    """Show the whole corpus, one sentence a line.

    Each line is one JSON object, so a text can neither end its line nor its string: nothing that
    was said in the debate can pass for structure.
    """
    return json_lines(evidence_rows(corpus))


def evidence_rows(corpus: Corpus) -> Iterable[dict[str, str]]:
    """Give the record as a prompt shows it, a row for each sentence."""
    for item in corpus.items:
        for ordinal, segment in enumerate(item.segments, start=1):
            yield {
                "address": f"{item.address}.{ordinal}",
                "kind": item.kind.value,
                "speaker": corpus.agent_name(item.speaker) if item.speaker else "",
                "text": item.text[segment.start : segment.end],
            }


def agents_json(corpus: Corpus) -> str:
    """Show the parties."""
    return _line([{"id": a.id, "name": a.name, "mandate": a.mandate} for a in corpus.agents])


def json_lines(rows: Iterable[Mapping[str, str]]) -> str:
    """Show records one a line."""
    return "\n".join(_line(row) for row in rows)


def json_text(text: str) -> str:
    """Show a text as one JSON string."""
    return _line(text)


def _line(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # These end a line for some readers, and JSON lets them stand unescaped.
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")


def _filled(text: str, slots: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda match: slots[match.group(1)], text)

"""Importer for plain text or Markdown in which turns begin with `Speaker:`.

Who speaks is decided once for the whole file: a name in front of a colon is a speaker if it opens
at least two lines; if no name does, every such name is one. A name that opens a single line beside
real speakers is taken for a part of the text and reported. What stands before the first turn is
the title (a Markdown heading) and the crisis context.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from apg_engine.errors import TraceError
from apg_engine.records import Trace
from apg_engine.traces.assembly import Record, Speech, assembled
from apg_engine.traces.request import ImportRequest

FORMAT = "speaker-lines"
# A letter first, five words at most; \u2019 is the curly apostrophe.
_NAME = r"[^\W\d_][\w.'\u2019()-]{0,40}(?: [\w.'\u2019()&-]{1,40}){0,4}"
_STRONG = r"(?:\*\*|__)?"
_LINE = re.compile(
    rf"(?:[-*] |#{{1,6}} )?{_STRONG}(?P<name>{_NAME}){_STRONG}"
    # The wide colon of Chinese and Japanese takes no space behind it.
    rf"(?::{_STRONG}(?=\s|$)|\uff1a{_STRONG})\s*(?P<rest>.*)$"
)
_HEADING = re.compile(r"#{1,6} +(.*)$")
_FENCE = re.compile(r"\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    name: str = ""
    rest: str = ""


def trace_from_text(text: str, request: ImportRequest, *, file_name: str) -> Trace:
    """Read a transcript.

    Raises:
        TraceError: no line names a speaker, only one speaks, or a turn is empty.
    """
    if text.strip() == "":
        raise TraceError(file_name, "the whole file", "nothing", "a debate trace")
    if request.entry not in (None, 1):
        raise TraceError(file_name, "entry", f"the number {request.entry}", "1: one debate a file")
    lines = _lines(text)
    speakers = _speakers(lines, file_name)
    record = Record(file=file_name)
    _add_preface(record, lines, speakers)
    _add_turns(record, lines, speakers)
    once = {line.name for line in lines if line.name} - speakers
    for name in sorted(once):
        record.warn(f"{name!r} opens one line only; it was read as text, not as a speaker")
    return assembled(record, request, place="the document")


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    fenced = False
    for raw in text.replace("\r\n", "\n").split("\n"):
        if _FENCE.match(raw):
            fenced = not fenced
        match = None if fenced else _LINE.match(raw)
        name = match["name"].rstrip("_") if match else ""
        lines.append(_Line(raw, name, match["rest"] if match else ""))
    return lines


def _speakers(lines: list[_Line], file_name: str) -> set[str]:
    counts = Counter(line.name for line in lines if line.name)
    speakers = {name for name, count in counts.items() if count > 1} or set(counts)
    if len(speakers) >= 2:
        return speakers
    found = f"{len(speakers)} speakers" if speakers else "no line that begins with a speaker"
    raise TraceError(
        file_name, "the document", found, "JSON of a known format, or lines `Speaker: text` of two"
    )


def _add_preface(record: Record, lines: list[_Line], speakers: set[str]) -> None:
    first = next(index for index, line in enumerate(lines) if line.name in speakers)
    preface = [line.text for line in lines[:first]]
    heading = next((m for line in preface if (m := _HEADING.match(line))), None)
    if heading is not None:
        record.title = heading.group(1).strip()
        preface.remove(heading.group(0))
    record.crisis_context.append("\n".join(preface).strip())


def _add_turns(record: Record, lines: list[_Line], speakers: set[str]) -> None:
    place, speaker, said = 0, "", list[str]()
    for number, line in enumerate(lines, start=1):
        if line.name in speakers:
            _close(record, place, speaker, said)
            place, speaker, said = number, line.name, [line.rest]
        elif speaker:
            said.append(line.text)
    _close(record, place, speaker, said)


def _close(record: Record, place: int, speaker: str, said: list[str]) -> None:
    text = "\n".join(said).strip()
    if speaker and not text:
        raise TraceError(record.file, f"line {place}", "an empty turn", "a turn with a text")
    if speaker:
        record.speeches.append(Speech(speaker, text))

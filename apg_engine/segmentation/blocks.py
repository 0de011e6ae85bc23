"""The markdown blocks of a text: headings, bullets, tables, code, paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apg_engine.records import BlockKind

_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_SETEXT = re.compile(r"[ \t]{0,3}(={3,}|-{3,})[ \t]*$")
_RULE = re.compile(r"[ \t]{0,3}([-*_])([ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•\u2013‣◦]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+(?=\S)")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_TABLE_LINE = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_TABLE_RULE = frozenset(" \t:|-")
_BOLD_LINE = re.compile(r"[ \t]*(\*\*|__)(?P<inner>(?:(?!\1).)+)\1:?[ \t]*$")
_STOPS = (".", "!", "?", "…", "。", "\uff01", "\uff1f", "\u061f", "\u06d4", "\u0964")


@dataclass(frozen=True, slots=True)
class Block:
    """Characters `start` to `end` of a text, without list, quote and heading marks."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def blocks_find(text: str) -> list[Block]:
    """Cut a text into blocks, in order; only blank space and marks fall between them."""
    reader = _Reader(list(_lines(text)))
    return [block for block in reader.read() if text[block.start : block.end].strip()]


def _is_table_rule(line: str) -> bool:
    return "-" in line and _TABLE_RULE.issuperset(line)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    # Not splitlines(): it also cuts at form feeds and U+2028, which occur inside sentences.
    for line in text.split("\n"):
        yield _Line(line.rstrip("\r"), start)
        start += len(line) + 1


class _Reader:
    """One pass over the lines; `open` is the paragraph or bullet that may still grow."""

    def __init__(self, lines: list[_Line]) -> None:
        self._lines = lines
        self._at = 0
        self._open: Block | None = None
        self._done: list[Block] = []

    def read(self) -> list[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            self._take(line)
        self._close()
        return self._done

    def _take(self, line: _Line) -> None:
        fence = _FENCE.match(line.text)
        if not line.text.strip():
            self._close()
        elif fence:
            self._code(fence.group(1))
        elif self._open and _SETEXT.match(line.text) and self._open.kind is BlockKind.PARAGRAPH:
            self._open = Block(BlockKind.HEADING, self._open.start, self._open.end)
            self._close()
        elif _RULE.match(line.text):
            self._close()
        elif _TABLE_LINE.match(line.text):
            self._table(line)
        else:
            self._prose(line)

    def _prose(self, line: _Line) -> None:
        quote = _QUOTE.match(line.text)
        start = quote.end() if quote else 0
        heading = _HEADING.match(line.text, start)
        item = _ITEM.match(line.text, start)
        bold = _BOLD_LINE.match(line.text, start)
        if heading:
            self._whole(BlockKind.HEADING, line, heading.end())
        elif item:
            self._close()
            self._open = Block(BlockKind.BULLET, line.start + item.end(), line.end)
        elif bold and not bold.group("inner").rstrip().endswith(_STOPS):
            self._whole(BlockKind.HEADING, line, start)
        elif self._open:
            self._open = Block(self._open.kind, self._open.start, line.end)
        else:
            self._open = Block(BlockKind.PARAGRAPH, line.start + start, line.end)

    def _whole(self, kind: BlockKind, line: _Line, start: int) -> None:
        self._close()
        self._done.append(Block(kind, line.start + start, line.end))

    def _code(self, fence: str) -> None:
        self._close()
        first = self._at
        while self._at < len(self._lines):
            mark = _FENCE.match(self._lines[self._at].text)
            if mark and mark.group(1).startswith(fence):
                break
            self._at += 1
        inside = self._lines[first : self._at]
        self._at += 1
        if inside:
            self._done.append(Block(BlockKind.CODE, inside[0].start, inside[-1].end))

    def _table(self, line: _Line) -> None:
        self._close()
        follower = self._lines[self._at].text if self._at < len(self._lines) else ""
        is_head = _is_table_rule(follower) and "|" in follower
        if not _is_table_rule(line.text):
            kind = BlockKind.TABLE_HEAD if is_head else BlockKind.TABLE_ROW
            self._done.append(Block(kind, line.start, line.end))

    def _close(self) -> None:
        if self._open:
            self._done.append(self._open)
        self._open = None

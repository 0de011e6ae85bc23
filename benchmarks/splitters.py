"""Which splitter cuts our cases right: ours, or a kept one inside our blocks?

`python -m benchmarks.splitters` counts, for each splitter, the cases it cuts exactly: inside the
blocks that our block parser finds, and on the raw text. Splitters that are not installed are named
as such; they are no dependency (`pip install pysbd syntok sentencex blingfire numpy`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from apg_engine.records import BlockKind
from apg_engine.segmentation.blocks import blocks_find
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from benchmarks.splitter_cases import CASES
from benchmarks.tables import line_print, table_print

Splitter = Callable[[str], Sequence[str]]
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.BULLET})


def main(_arguments: Sequence[str]) -> int:
    """Run the command."""
    total = len(CASES)
    rows = [(SEGMENTER, f"{_right(_ours)} of {total}", "")]
    absent = []
    for name, load in _KEPT.items():
        try:
            splitter = load()
        except ImportError:
            absent.append(name)
            continue
        inside = _right(_inside_blocks(splitter))
        rows.append((name, f"{inside} of {total}", f"{_right(splitter)} of {total}"))
    line_print(f"{total} cases")
    table_print(("splitter", "right inside our blocks", "right on the raw text"), rows)
    if absent:
        line_print(f"not installed: {', '.join(absent)}")
    missed = [name for name in CASES if not _is_right(_ours, name)]
    line_print(f"{SEGMENTER} misses: {', '.join(missed) or 'none'}")
    return 0


def _right(splitter: Splitter) -> int:
    return sum(_is_right(splitter, name) for name in CASES)


def _is_right(splitter: Splitter, name: str) -> bool:
    text, expected = CASES[name]
    return [part.strip() for part in splitter(text) if part.strip()] == expected


def _ours(text: str) -> list[str]:
    return [text[segment.start : segment.end] for segment in segments_find(text)]


def _inside_blocks(splitter: Splitter) -> Splitter:
    def split(text: str) -> list[str]:
        found: list[str] = []
        for block in blocks_find(text):
            held = text[block.start : block.end]
            found += splitter(held) if block.kind in _PROSE else [held]
        return found

    return split


def _pysbd() -> Splitter:
    import pysbd

    segmenter = pysbd.Segmenter(language="en", clean=False)
    return lambda text: list(segmenter.segment(text))


def _syntok() -> Splitter:
    from syntok import segmenter

    def split(text: str) -> list[str]:
        return [
            text[sentence[0].offset : sentence[-1].offset + len(sentence[-1].value)]
            for paragraph in segmenter.process(text)
            for sentence in paragraph
            if sentence
        ]

    return split


def _sentencex() -> Splitter:
    from sentencex import segment

    return lambda text: list(segment("en", text))


def _blingfire() -> Splitter:
    from blingfire import text_to_sentences_and_offsets

    def split(text: str) -> list[str]:
        if not text:
            return []
        _, offsets = text_to_sentences_and_offsets(text)
        return [text[start:end] for start, end in offsets]

    return split


_KEPT: Mapping[str, Callable[[], Splitter]] = {
    "pysbd": _pysbd,
    "syntok": _syntok,
    "sentencex": _sentencex,
    "blingfire": _blingfire,
}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

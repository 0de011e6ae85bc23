"""Any text, cut into segments: blocks first, then sentences inside them."""

from __future__ import annotations

from apg_engine.records import BlockKind, Segment
from apg_engine.segmentation.blocks import Block, blocks_find
from apg_engine.segmentation.splitter import sentences_find

SEGMENTER = "apg-segmenter 1"


def segments_find(text: str) -> tuple[Segment, ...]:
    """Cut a text into segments; offsets count characters of `text` as it was handed in."""
    found: list[Segment] = []
    for block in blocks_find(text):
        for start, end in _block_spans(text, block):
            found.append(Segment(start, end, block.kind))
    return tuple(found)


def _block_spans(text: str, block: Block) -> list[tuple[int, int]]:
    if block.kind in {BlockKind.PARAGRAPH, BlockKind.BULLET}:
        return sentences_find(text, block.start, block.end)
    whole = text[block.start : block.end]
    lead = len(whole) - len(whole.lstrip())
    return [(block.start + lead, block.start + len(whole.rstrip()))]

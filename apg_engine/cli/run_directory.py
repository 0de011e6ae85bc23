"""The files of one run: written whole or not at all, and kept to the trace they began with."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from apg_engine.errors import InputError
from apg_engine.journal import FileJournal
from apg_engine.records import Corpus, Trace
from apg_engine.result_json import result_to_dict
from apg_engine.results import GateResult
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from apg_engine.traces import trace_to_bytes


class RunDirectory:
    """Trace, corpus, journal, result, both texts and the Divergence Report, a file each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, trace: Trace) -> FileJournal:
        """Make the directory, or go on in one that was begun with the same trace.

        Raises:
            InputError: the directory holds a run over another trace.
        """
        data = trace_to_bytes(trace)
        stored = self._path / "trace.json"
        if stored.exists() and stored.read_bytes() != data:
            raise InputError(
                str(stored), "content", "a run over another trace", "a new or fitting --out"
            )
        self._path.mkdir(parents=True, exist_ok=True)
        if not stored.exists():
            self._put("trace.json", data)
        return FileJournal(self._path / "journal.jsonl")

    def write(self, trace: Trace, result: GateResult) -> None:
        """Write what the run gave."""
        corpus = corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)
        self._put_json("corpus.json", corpus_to_dict(corpus))
        self._put_json("result.json", result_to_dict(result))
        self._put_text("baseline.md", result.baseline_text)
        self._put_text("report.md", result.apg_text)
        if result.divergence is not None:
            self._put_json("divergence.json", result.divergence)

    def _put_json(self, name: str, data: dict[str, Any]) -> None:
        self._put_text(name, json.dumps(data, ensure_ascii=False, indent=1))

    def _put_text(self, name: str, text: str) -> None:
        self._put(name, (text.rstrip("\n") + "\n").encode("utf-8", "surrogatepass"))

    def _put(self, name: str, data: bytes) -> None:
        draft = self._path / f".{name}.{os.getpid()}"
        draft.write_bytes(data)
        draft.replace(self._path / name)


def corpus_to_dict(corpus: Corpus) -> dict[str, Any]:
    """Give a corpus as JSON, with each sentence's offsets into its item."""
    return {
        "schema": "apg-corpus",
        "version": 1,
        "title": corpus.title,
        "question": corpus.question,
        "language": corpus.language,
        "sha256": corpus.sha256,
        "segmenter": corpus.segmenter,
        "agents": [asdict(agent) for agent in corpus.agents],
        "items": [_item(item) for item in corpus.items],
        "warnings": list(corpus.warnings),
    }


def _item(item: Any) -> dict[str, Any]:
    return {
        "address": item.address,
        "kind": item.kind.value,
        "speaker": item.speaker,
        "turn": item.turn,
        "text": item.text,
        "sentences": [
            [segment.start, segment.end, segment.block.value] for segment in item.segments
        ],
        "links": list(item.links),
    }

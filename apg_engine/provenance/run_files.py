"""The files of one run, as bytes: whatever the engine writes, a reader can derive again."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from apg_engine.records import Corpus, CorpusItem, Trace
from apg_engine.result_json import result_to_dict
from apg_engine.results import GateResult
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from apg_engine.traces import trace_to_bytes

TRACE, CORPUS, RESULT = "trace.json", "corpus.json", "result.json"
BASELINE, REPORT, DIVERGENCE = "baseline.md", "report.md", "divergence.json"
MANIFEST = "manifest.json"


def run_files(trace: Trace, result: GateResult) -> dict[str, bytes]:
    """Give every file that follows from trace and result, by name."""
    files = {
        TRACE: trace_to_bytes(trace),
        CORPUS: json_bytes(corpus_to_dict(run_corpus(trace))),
        RESULT: json_bytes(result_to_dict(result)),
        BASELINE: text_bytes(result.baseline_text),
        REPORT: text_bytes(result.apg_text),
    }
    if result.divergence is not None:
        files[DIVERGENCE] = json_bytes(result.divergence)
    return files


def run_corpus(trace: Trace) -> Corpus:
    """Assemble a trace's corpus as the gate does."""
    return corpus_build(trace, segment=segments_find, segmenter=SEGMENTER)


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


def _item(item: CorpusItem) -> dict[str, Any]:
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


def json_bytes(data: dict[str, Any]) -> bytes:
    """Give JSON as a file holds it: one value a line, characters as they are."""
    return text_bytes(json.dumps(data, ensure_ascii=False, indent=1))


def text_bytes(text: str) -> bytes:
    """Give a text as a file holds it, with one line end behind it."""
    return (text.rstrip("\n") + "\n").encode("utf-8", "surrogatepass")

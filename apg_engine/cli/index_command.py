"""`index`: build an index of a corpus of documents, and search it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.cli.status import ExitStatus
from apg_engine.retrieval.embedding import Embedder, HashedWords
from apg_engine.retrieval.evidence_index import Fields, Hit, index_build, index_open
from apg_engine.retrieval.minilm import minilm_load

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)


def index_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("index", help="build or search an index of documents")
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    build = tasks.add_parser("build", help="build an index of a JSON Lines corpus")
    build.add_argument("corpus", type=Path, metavar="CORPUS", help="one JSON object per line")
    build.add_argument("--out", type=Path, required=True, help="the folder to write")
    build.add_argument("--id-field", default="id", help="the field with the document's id")
    build.add_argument("--title-field", default="title", help="the field with its title")
    build.add_argument(
        "--text-field", default="text", help="the field with its text, or a list of its sentences"
    )
    search = tasks.add_parser("search", help="print the nearest chunks to a text")
    search.add_argument("index", type=Path, metavar="INDEX", help="the folder `index build` wrote")
    search.add_argument("query", metavar="TEXT")
    search.add_argument("--count", type=int, default=5, help="how many chunks (5)")
    for task in (build, search):
        task.add_argument(
            "--embedder",
            default="minilm",
            help="minilm (installed, by `make retrieval`), hashed-words, or a folder with "
            "model.onnx and tokenizer.json",
        )
        task.add_argument("--json", action="store_true", help="print JSON")


def index_run(options: argparse.Namespace) -> ExitStatus:
    """Build or search.

    Raises:
        InputError: the corpus or the index cannot be read.
        ModelSetupError: the embedder is not installed, or is not the index's.
    """
    embedder = _embedder(options.embedder)
    if options.task == "build":
        fields = Fields(options.id_field, options.title_field, options.text_field)
        manifest = index_build(options.corpus, options.out, embedder, fields=fields)
        sys.stdout.write(
            json.dumps(asdict(manifest)) + "\n"
            if options.json
            else f"{options.out}: {manifest.documents} documents, {manifest.chunks} chunks, "
            f"{manifest.embedder}\n"
        )
        return ExitStatus.PUBLISHED
    hits = index_open(options.index, embedder).search(options.query, count=options.count)
    for hit in hits:
        sys.stdout.write(_line(hit, as_json=options.json))
    return ExitStatus.PUBLISHED


def _embedder(name: str) -> Embedder:
    if name == "hashed-words":
        return HashedWords()
    return minilm_load(None if name == "minilm" else Path(name))


def _line(hit: Hit, *, as_json: bool) -> str:
    if as_json:
        row = {"cosine": hit.cosine, "id": hit.chunk.id, **asdict(hit.chunk)}
        return json.dumps(row, ensure_ascii=False) + "\n"
    text = " ".join(hit.chunk.text.split())
    return f"{hit.cosine:.3f}  {hit.chunk.id}  {hit.chunk.title}\n       {text[:200]}\n"

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apg_engine.cli.parser import main
from apg_engine.errors import InputError, ModelSetupError
from apg_engine.retrieval.chunks import Document
from apg_engine.retrieval.embedding import HashedWords
from apg_engine.retrieval.evidence_index import (
    Fields,
    documents_read,
    index_build,
    index_of_documents,
    index_open,
)
from apg_engine.retrieval.minilm import minilm_load

ROWS: list[dict[str, Any]] = [
    {"id": "p1", "title": "Masks", "text": ["Masks lower transmission.", "Fit matters."]},
    {"id": "p2", "title": "Pumps", "text": "The pump draws nine megawatts at night."},
    {"id": "p3", "title": "Bridges", "text": "The bridge carries three crossings a day."},
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    file = tmp_path / "corpus.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return file


def test_a_built_index_is_opened_and_finds_the_document(corpus: Path, tmp_path: Path) -> None:
    manifest = index_build(corpus, tmp_path / "index", HashedWords(), fields=Fields())
    assert (manifest.documents, manifest.chunks) == (3, 3)
    index = index_open(tmp_path / "index", HashedWords())
    (hit,) = index.search("How many megawatts does the pump draw?", count=1)
    assert hit.chunk.document == "p2"
    assert 0.0 < hit.cosine <= 1.0


def test_what_is_withheld_is_not_found() -> None:
    documents = [Document(str(row["id"]), "", str(row["text"])) for row in ROWS]
    index = index_of_documents(documents, HashedWords())
    found = index.search("pump megawatts", count=3, without=frozenset({"p2"}))
    assert [hit.chunk.document for hit in found if hit.chunk.document == "p2"] == []
    assert len(found) == 2


def test_another_embedder_is_refused(corpus: Path, tmp_path: Path) -> None:
    index_build(corpus, tmp_path / "index", HashedWords(), fields=Fields())
    with pytest.raises(ModelSetupError, match="made by hashed-words-1, not by all-MiniLM"):
        index_open(tmp_path / "index", minilm_load())


def test_a_changed_index_is_refused(corpus: Path, tmp_path: Path) -> None:
    index_build(corpus, tmp_path / "index", HashedWords(), fields=Fields())
    chunks = tmp_path / "index" / "chunks.jsonl"
    chunks.write_text(chunks.read_text().replace("nine", "six"))
    with pytest.raises(InputError, match="changed files"):
        index_open(tmp_path / "index", HashedWords())


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("not json", "line 4: found not json; allowed: a JSON object"),
        ('{"id": "p4", "text": ""}', "line 4: text: found ''; allowed: a text"),
        ('{"text": "Words."}', "line 4: id: found nothing"),
        ('{"id": "p1", "text": "Again."}', "line 4: found p1; allowed: each id once"),
    ],
)
def test_a_bad_line_is_named(corpus: Path, line: str, problem: str) -> None:
    corpus.write_text(corpus.read_text() + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        documents_read(corpus, Fields())


def test_the_command_builds_and_searches(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "index")
    assert main(["index", "build", str(corpus), "--out", folder], environment={}) == 0
    assert "3 documents, 3 chunks, all-MiniLM-L6-v2" in capsys.readouterr().out
    query = ["index", "search", folder, "face coverings reduce infections", "--count", "1"]
    assert main([*query, "--json"], environment={}) == 0
    assert json.loads(capsys.readouterr().out)["document"] == "p1"


def test_the_command_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["index", "search", str(tmp_path), "x", "--embedder", "hashed-words"], environment={})
        == 2
    )
    assert "allowed: an index that was built here" in capsys.readouterr().err


def test_texts_with_line_ends_of_other_alphabets_are_indexed(tmp_path: Path) -> None:
    texts = ["One line\u2028ends here.", "Another\u0085one\x1cor two.", "Plain text."]
    rows = [{"id": n, "title": None, "text": text} for n, text in enumerate(texts)]
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    index_build(corpus, tmp_path / "index", HashedWords(), fields=Fields())

    index = index_open(tmp_path / "index", HashedWords())
    assert [chunk.text for chunk in index.chunks] == texts
    assert {chunk.title for chunk in index.chunks} == {""}


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"id": "a", "text": "half \ud800 of it"}, "line 1: text: found half of a surrogate pair"),
        ({"id": "\ud800", "text": "whole"}, "line 1: id: found half of a surrogate pair"),
    ],
)
def test_a_corpus_that_cannot_be_indexed_is_named_and_nothing_is_written(
    tmp_path: Path, row: dict[str, str], complaint: str
) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps(row) + "\n")

    with pytest.raises(InputError, match=complaint):
        index_build(corpus, tmp_path / "index", HashedWords(), fields=Fields())
    assert not (tmp_path / "index").exists()

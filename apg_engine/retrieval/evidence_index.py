"""An index of a corpus in a folder: built once by command, opened and searched many times."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from apg_engine.disk import file_replace, file_write
from apg_engine.errors import InputError, ModelSetupError
from apg_engine.json_data import is_storable, json_load
from apg_engine.retrieval.chunks import CHUNK_LIMIT, CHUNK_SHARED, Chunk, Document, chunks_cut
from apg_engine.retrieval.embedding import Embedder
from apg_engine.retrieval.known_vectors import KnownVectors
from apg_engine.retrieval.vector_index import vector_index

if TYPE_CHECKING:
    from apg_engine.retrieval.embedding import Vectors

_CHUNKS: Final = "chunks.jsonl"
_VECTORS: Final = "vectors.npy"
_MANIFEST: Final = "manifest.json"
_FORMAT: Final = "apg-evidence-index"
_BATCH: Final = 256


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found and its cosine to the query."""

    chunk: Chunk
    cosine: float


@dataclass(frozen=True, slots=True)
class Fields:
    """Which fields of a corpus' lines hold the id, the title and the text."""

    id: str = "id"
    title: str = "title"
    text: str = "text"


@dataclass(frozen=True, slots=True)
class IndexManifest:
    """What an index holds, and by what its vectors were made."""

    documents: int
    chunks: int
    embedder: str
    source: str
    sha256: str


class EvidenceIndex:
    """Chunks with their vectors, searched by text."""

    def __init__(self, chunks: Sequence[Chunk], vectors: Vectors, embedder: Embedder) -> None:
        self.chunks = tuple(chunks)
        self.embedder = KnownVectors(embedder, [chunk.text for chunk in chunks], vectors)
        self._index = vector_index(vectors)
        self._sizes = Counter(chunk.document for chunk in self.chunks)

    def search(self, query: str, *, count: int, without: frozenset[str] = frozenset()) -> list[Hit]:
        """Return the nearest chunks, at most `count`, leaving out documents or chunks by id."""
        wanted = count + sum(1 + self._sizes[one] for one in without)
        near = self._index.search(self.embedder.embed([query]), count=wanted)
        hits = (Hit(self.chunks[one.row], one.cosine) for one in near)
        kept = (h for h in hits if h.chunk.document not in without and h.chunk.id not in without)
        return [hit for hit, _ in zip(kept, range(count), strict=False)]


def index_of_documents(
    documents: Iterable[Document],
    embedder: Embedder,
    *,
    limit: int = CHUNK_LIMIT,
    shared: int = CHUNK_SHARED,
) -> EvidenceIndex:
    """Build an index in memory."""
    chunks = [
        chunk
        for document in documents
        for chunk in chunks_cut(document, limit=limit, shared=shared)
    ]
    return EvidenceIndex(chunks, embedder.embed([chunk.text for chunk in chunks]), embedder)


def index_build(
    source: Path,
    folder: Path,
    embedder: Embedder,
    *,
    fields: Fields,
    limit: int = CHUNK_LIMIT,
    shared: int = CHUNK_SHARED,
) -> IndexManifest:
    """Build an index of a JSON Lines corpus in a new folder.

    Raises:
        InputError: a line of the corpus cannot be read, an id stands twice, or there is none.
    """
    # The engine is imported without numpy.
    import numpy as np

    documents = documents_read(source, fields)
    chunks = [c for document in documents for c in chunks_cut(document, limit=limit, shared=shared)]
    texts = [chunk.text for chunk in chunks]
    rows = [embedder.embed(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(asdict(chunk), ensure_ascii=False)}\n" for chunk in chunks)
    file_write(folder / _CHUNKS, lines.encode())
    with file_replace(folder / _VECTORS) as file:
        np.save(file, np.concatenate(rows))
    manifest = IndexManifest(
        documents=len(documents),
        chunks=len(chunks),
        embedder=embedder.name,
        source=source.name,
        sha256=_sha256(folder),
    )
    told = json.dumps({"format": _FORMAT, **asdict(manifest)}, indent=2) + "\n"
    file_write(folder / _MANIFEST, told.encode())
    return manifest


def index_open(folder: Path, embedder: Embedder) -> EvidenceIndex:
    """Open an index that `index_build` made.

    Raises:
        InputError: the folder holds no index, or its files were changed.
        ModelSetupError: its vectors were made by another embedder.
    """
    import numpy as np

    manifest = manifest_read(folder)
    if manifest.embedder != embedder.name:
        raise ModelSetupError(
            f"{folder}: its vectors were made by {manifest.embedder}, not by {embedder.name}"
        )
    if manifest.sha256 != _sha256(folder):
        raise InputError(str(folder), "sha256", "changed files", "the files as they were built")
    # Bytes: a text may hold what ends a line elsewhere (U+2028, U+0085).
    lines = (folder / _CHUNKS).read_bytes().splitlines()
    chunks = [Chunk(**json_load(line)) for line in lines]
    # Mapped and not read: the search has a copy of its own, and of this one few rows are asked for.
    vectors = np.load(folder / _VECTORS, mmap_mode="r")
    return EvidenceIndex(chunks, vectors, embedder)


def manifest_read(folder: Path) -> IndexManifest:
    """Read what an index holds.

    Raises:
        InputError: the folder holds no index.
    """
    try:
        data: dict[str, Any] = json_load((folder / _MANIFEST).read_text(encoding="utf-8"))
        named, manifest = data.pop("format"), IndexManifest(**data)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        found = f"{type(error).__name__}: {error}"
        raise InputError(str(folder), _MANIFEST, found, "an index that was built here") from error
    if named != _FORMAT:
        raise InputError(str(folder), f"{_MANIFEST}: format", repr(named), _FORMAT)
    return manifest


def documents_read(source: Path, fields: Fields) -> list[Document]:
    """Read a JSON Lines corpus; a text may be a list of its sentences.

    Raises:
        InputError: names the line and the field.
    """
    documents: dict[str, Document] = {}
    for number, line in _lines(source):
        document = _document(line, fields, source.name, f"line {number}")
        if document.id in documents:
            raise InputError(source.name, f"line {number}", document.id, "each id once")
        documents[document.id] = document
    if not documents:
        raise InputError(source.name, "the file", "no line", "one JSON object per line")
    return list(documents.values())


def _lines(source: Path) -> Iterator[tuple[int, str]]:
    """Give each line that holds something with its number in the file."""
    try:
        text = source.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(source), "the file", str(error), "a readable UTF-8 file") from error
    lines = enumerate(text.split("\n"), start=1)
    yield from ((number, line) for number, line in lines if line.strip())


def _document(line: str, fields: Fields, file: str, place: str) -> Document:
    try:
        row = json_load(line)
    except ValueError as error:
        raise InputError(file, place, line[:60], "a JSON object") from error
    if not isinstance(row, dict):
        raise InputError(file, place, line[:60], "a JSON object")
    text = row.get(fields.text)
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        text = " ".join(text)
    if not isinstance(text, str) or not text.strip():
        raise InputError(file, f"{place}: {fields.text}", repr(text)[:60], "a text")
    if fields.id not in row:
        raise InputError(file, f"{place}: {fields.id}", "nothing", "the document's id")
    document = Document(str(row[fields.id]), str(row.get(fields.title) or ""), text)
    _whole_characters(document, fields, file, place)
    return document


def _whole_characters(document: Document, fields: Fields, file: str, place: str) -> None:
    """Refuse half of a surrogate pair, which JSON can spell and no file in UTF-8 can hold."""
    for name in ("id", "title", "text"):
        if not is_storable(getattr(document, name)):
            where = f"{place}: {getattr(fields, name)}"
            raise InputError(file, where, "half of a surrogate pair", "whole characters")


def _sha256(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in (_CHUNKS, _VECTORS):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()

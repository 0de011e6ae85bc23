"""What a trial is about and what it may find: claims and documents out of JSON Lines."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from apg_engine.errors import InputError
from apg_engine.json_data import json_load
from apg_engine.retrieval.embedder_named import embedder_load
from apg_engine.retrieval.embedding import Embedder, HashedWords
from apg_engine.retrieval.evidence_index import (
    EvidenceIndex,
    Fields,
    index_build,
    index_open,
)
from apg_engine.retrieval.evidence_index import documents_read as corpus_read
from studyapp.domain.characters import text_storable
from studyapp.errors import EvidenceRefusedError


@dataclass(frozen=True, slots=True)
class Evidence:
    """The documents of a trial, and where their index is kept on this machine."""

    documents: list[dict[str, str]]
    sha256: str
    embedder: str
    folder: Path


# By which vectors texts are compared: hashed words need no model.
EMBEDDERS: Final = ("words", "minilm")
CLAIMS_MOST: Final = 20
_CLAIM_LONGEST: Final = 1000
# Names that corpora use, in the order in which they are looked for.
_IDS: Final = ("id", "cord_id", "_id", "doc_id")
_TEXTS: Final = ("text", "abstract")


def documents_read(data: bytes, *, file_name: str) -> list[dict[str, str]]:
    """Read a corpus: one JSON object a line with an id, a text or an abstract, perhaps a title.

    Raises:
        EvidenceRefusedError: names the line and the field.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "corpus.jsonl"
        source.write_bytes(data)
        try:
            found = corpus_read(source, _fields(data))
        except InputError as error:
            raise EvidenceRefusedError(
                file=file_name, place=error.place, found=error.found, allowed=error.allowed
            ) from error
    return [
        {name: text_storable(text) for name, text in asdict(document).items()} for document in found
    ]


def claims_read(data: bytes, *, file_name: str) -> list[str]:
    """Read claims: one JSON object a line with the field `claim`, as Check-COVID writes them.

    Raises:
        EvidenceRefusedError: names the line and the field.
    """
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise EvidenceRefusedError(
            file=file_name, place="the file", found=str(error), allowed="UTF-8"
        ) from error
    claims = [
        _claim(line, file_name, f"line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    if not 0 < len(claims) <= CLAIMS_MOST:
        allowed = f"1 to {CLAIMS_MOST}, because each is a debate of its own"
        raise EvidenceRefusedError(
            file=file_name, place="claims", found=str(len(claims)), allowed=allowed
        )
    return list(dict.fromkeys(claims))


def index_of(evidence: Evidence) -> EvidenceIndex:
    """Open the index of a stored corpus; whoever needs it first on a machine builds it.

    Raises:
        InputError: the folder was changed.
        ModelSetupError: the embedder is not installed.
    """
    name = evidence.embedder
    embedder = embedder_load(HashedWords.name if name == "words" else name)
    target = evidence.folder / f"{evidence.sha256[:32]}-{name}"
    if not target.is_dir():
        _build(evidence.documents, target, embedder)
    return index_open(target, embedder)


def _build(documents: list[dict[str, str]], target: Path, embedder: Embedder) -> None:
    """Build beside the target and move there in one step; who comes second throws theirs away."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        source, built = Path(folder) / "corpus.jsonl", Path(folder) / "index"
        source.write_text("".join(f"{json.dumps(one)}\n" for one in documents), "utf-8")
        index_build(source, built, embedder, fields=Fields())
        with suppress(OSError):
            built.rename(target)


def _fields(data: bytes) -> Fields:
    """Take id and text as the corpus' first line calls them."""
    first = next((line for line in data.split(b"\n") if line.strip()), b"")
    try:
        row: Any = json_load(first.decode("utf-8-sig"))
    except ValueError:
        row = {}
    given = row if isinstance(row, dict) else {}
    return Fields(
        id=next((name for name in _IDS if name in given), "id"),
        text=next((name for name in _TEXTS if name in given), "text"),
    )


def _claim(line: str, file: str, place: str) -> str:
    try:
        row: Any = json_load(line)
    except ValueError:
        row = None
    claim = row.get("claim") if isinstance(row, dict) else None
    if not isinstance(claim, str) or not claim.strip() or len(claim) > _CLAIM_LONGEST:
        allowed = f"an object with a claim of at most {_CLAIM_LONGEST} characters"
        raise EvidenceRefusedError(file=file, place=place, found=line[:60], allowed=allowed)
    return " ".join(text_storable(claim).split())

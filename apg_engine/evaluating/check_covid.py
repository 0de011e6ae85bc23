"""The claims of Check-COVID (Wang et al. 2023, arXiv 2305.18265), in the layout they come in.

`<folder>/<split>/covidCheck_<split>_*.json` holds claims, one JSON object a line, and
`<folder>/corpus.json` the abstracts by sentence. The variants without NOTENOUGHINFO have three
SUPPORT or REFUTE rows fewer than the full test files, so the full files are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from apg_engine.evaluating.claims import (
    ClaimsError,
    LabelledClaim,
    distinct_checked,
    field_label,
    field_text,
    rows_read,
)

CORPUS: Final = "corpus.json"
_INNER: Final = "Check-COVID"
_Abstracts = Mapping[str, tuple[str, ...]]


def check_covid_read(folder: Path, *, split: str = "test") -> tuple[LabelledClaim, ...]:
    """Read a split's claims, each with the sentences its answer was given from.

    Args:
        folder: the data set's folder, or the one around it.
        split: train, dev or test.

    Raises:
        ClaimsError: a file is absent, or a row of it cannot be read; names file, row and field.
    """
    root = check_covid_root(folder)
    abstracts = _abstracts(root / CORPUS)
    files = _files(root / split, split)
    claims = [
        _claim(row, abstracts, path, place) for path in files for place, row in rows_read(path)
    ]
    return distinct_checked(claims, root / split)


def check_covid_root(folder: Path) -> Path:
    """Find the folder that holds the corpus.

    Raises:
        ClaimsError: neither the folder nor its `Check-COVID` has one.
    """
    for root in (folder, folder / _INNER):
        if (root / CORPUS).is_file():
            return root
    raise ClaimsError(str(folder), CORPUS, "no such file", "the folder of Check-COVID")


def _files(folder: Path, split: str) -> list[Path]:
    """Take the two parts of a split, or the one file that holds both."""
    parts = [folder / f"covidCheck_{split}_{part}.json" for part in ("composed", "extracted")]
    whole = folder / f"covidCheck_{split}_composed+extracted.json"
    if all(part.is_file() for part in parts):
        return parts
    if whole.is_file():
        return [whole]
    names = " and ".join(part.name for part in parts)
    raise ClaimsError(str(folder), "files", "neither of them", f"{names}, or {whole.name}")


def _abstracts(path: Path) -> _Abstracts:
    found: dict[str, tuple[str, ...]] = {}
    for place, row in rows_read(path):
        name = field_text(row, "cord_id", path, place)
        sentences = row.get("abstract")
        if not isinstance(sentences, list) or not all(isinstance(s, str) for s in sentences):
            wrong = repr(sentences)[:60]
            raise ClaimsError(str(path), f"{place}: abstract", wrong, "a list of sentences")
        if name in found:
            raise ClaimsError(str(path), f"{place}: cord_id", repr(name), "each id once")
        found[name] = tuple(sentences)
    return found


def _claim(row: dict[str, Any], abstracts: _Abstracts, path: Path, place: str) -> LabelledClaim:
    document = field_text(row, "cord_id", path, place)
    if document not in abstracts:
        raise ClaimsError(str(path), f"{place}: cord_id", repr(document), f"an id of {CORPUS}")
    return LabelledClaim(
        id=field_text(row, "id", path, place),
        claim=field_text(row, "claim", path, place),
        label=field_label(row, path, place),
        document=document,
        rationale=tuple(_rationale(row, abstracts[document], path, place)),
    )


def _rationale(row: dict[str, Any], abstract: tuple[str, ...], path: Path, place: str) -> list[str]:
    marked = row.get("evidence_set")
    if not isinstance(marked, list):
        found = repr(marked)[:60]
        raise ClaimsError(str(path), f"{place}: evidence_set", found, "a list of sentences")
    return [abstract[_index(one, len(abstract), path, place)] for one in marked]


def _index(marked: Any, sentences: int, path: Path, place: str) -> int:
    value = marked.get("sent_index") if isinstance(marked, dict) else None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < sentences:
        where = f"{place}: evidence_set: sent_index"
        raise ClaimsError(str(path), where, repr(value), f"0 to {sentences - 1}")
    return value

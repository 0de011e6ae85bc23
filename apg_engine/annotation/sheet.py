"""The blind sheet: sentences without verdict, draft or order, for people to judge."""

from __future__ import annotations

import csv
import hashlib
import io
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from apg_engine.errors import InputError
from apg_engine.provenance.run_files import run_corpus
from apg_engine.provenance.verification import StoredRun
from apg_engine.records import Corpus, Sentence, SentenceKind, Verdict

COLUMNS = ("id", "debate", "question", "sentence", "judgement", "comment")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MOST_BYTES = 20_000_000


class Judgement(StrEnum):
    """What a person may say about a sentence: does the record state it?"""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH = "not enough"
    UNSURE = "unsure"


class SheetError(InputError):
    """A filled-in sheet cannot be read."""


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence to judge.

    Attributes:
        id: follows from debate and sentence alone, so it tells nothing about run or verdict.
        verdict: what the auditor said; it never reaches a sheet.
        group: hash of the debate.
    """

    id: str
    debate: str
    question: str
    sentence: str
    verdict: Verdict
    group: str


def items_list(runs: Sequence[StoredRun]) -> list[Item]:
    """List every distinct claim of the runs' drafts, in the order of the runs.

    Of a sentence that stands in several drafts the first verdict is kept.
    """
    found: dict[str, Item] = {}
    for run in runs:
        for sentence, verdict in _claims(run):
            item = _item(run, sentence, verdict)
            found.setdefault(item.id, item)
    return list(found.values())


def _claims(run: StoredRun) -> Iterator[tuple[Sentence, Verdict]]:
    for pair in run.result.pairs:
        verdicts = {verdict.sentence_id: verdict for verdict in pair.verdicts}
        for sentence in pair.sentences:
            if sentence.kind is SentenceKind.CLAIM and sentence.id in verdicts:
                yield sentence, verdicts[sentence.id]


def _item(run: StoredRun, sentence: Sentence, verdict: Verdict) -> Item:
    group = run.result.trace_sha256
    text = " ".join(sentence.text.split())
    digest = hashlib.sha256(f"{group}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return Item(digest[:12], run.trace.title, run.trace.question, text, verdict, group)


def sheet_write(items: Sequence[Item], *, dice: random.Random) -> bytes:
    """Write a sheet, in an order that tells nothing, for a spreadsheet (UTF-8 with a mark)."""
    order = list(items)
    dice.shuffle(order)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    for item in order:
        cells = (item.id, item.debate, item.question, item.sentence, "", "")
        table.writerow([_safe(cell) for cell in cells])
    return out.getvalue().encode("utf-8-sig", "replace")


def record_write(runs: Sequence[StoredRun]) -> str:
    """Write the records of the debates, as the auditor had them, for the raters to judge by."""
    by_debate = {run.result.trace_sha256: run for run in runs}
    return "\n\n".join(_record(run, run_corpus(run.trace)) for run in by_debate.values()) + "\n"


def _record(run: StoredRun, corpus: Corpus) -> str:
    lines = [f"# {run.trace.title}", run.trace.question]
    for item in corpus.items:
        speaker = f" {corpus.agent_name(item.speaker)}," if item.speaker else ""
        lines.append(f"[{item.address}]{speaker} {item.kind.value}\n{item.text}")
    return "\n\n".join(line for line in lines if line)


def sheet_read(path: Path) -> dict[str, Judgement | None]:
    """Read one person's sheet; an empty judgement is none.

    Columns may be parted by comma, semicolon or tab, as spreadsheets of some countries do.

    Raises:
        SheetError: names the row, what was found and what is allowed.
    """
    rows = _rows(path)
    head = [name.strip().casefold() for name in rows[0]]
    if not {"id", "judgement"} <= set(head):
        found = ", ".join(rows[0])[:80]
        raise SheetError(str(path), "row 1", found, ", ".join(COLUMNS))
    at_id, at_judgement = head.index("id"), head.index("judgement")
    judged: dict[str, Judgement | None] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        cells = [*row, *[""] * (len(head) - len(row))]
        name = cells[at_id].strip().removeprefix("'")
        if name in judged:
            raise SheetError(str(path), f"row {number}", f"id {name} again", "each id once")
        judged[name] = _judgement(cells[at_judgement], str(path), number)
    return judged


def _rows(path: Path) -> list[list[str]]:
    if not path.is_file() or path.stat().st_size > _MOST_BYTES:
        found = "no file, or a very large one"
        raise SheetError(str(path), "file", found, "a filled-in sheet")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SheetError(
            str(path), f"byte {error.start}", "no UTF-8", "a sheet in UTF-8"
        ) from error
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise SheetError(str(path), "content", str(error), "a sheet as CSV") from error
    if not rows:
        raise SheetError(str(path), "content", "nothing", "a filled-in sheet")
    return rows


def _judgement(cell: str, file: str, number: int) -> Judgement | None:
    said = " ".join(cell.casefold().replace("_", " ").split()).removeprefix("'")
    if not said:
        return None
    if said not in set(Judgement):
        allowed = ", ".join(Judgement)
        raise SheetError(file, f"row {number}, judgement", repr(cell[:40]), allowed)
    return Judgement(said)


def _safe(cell: str) -> str:
    """A spreadsheet takes a cell that begins with one of these for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell

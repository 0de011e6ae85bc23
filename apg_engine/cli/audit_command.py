"""`audit`: any text against any debate, sentence by sentence."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from apg_engine.auditing import TextAudit, audit, audit_to_dict
from apg_engine.calibration.card import Flips
from apg_engine.cli.import_command import trace_read
from apg_engine.cli.model_options import config_of, model_options_add
from apg_engine.cli.stability_option import (
    is_asked,
    stability_add,
    stability_run,
    stability_told,
)
from apg_engine.cli.status import ExitStatus
from apg_engine.errors import InputError
from apg_engine.journal import CallJournal, MemoryJournal
from apg_engine.journal_file import FileJournal
from apg_engine.models import auditor_build, card_find
from apg_engine.records import Label, Verdict
from apg_engine.traces import MAX_BYTES

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 (no public name)

CAVEAT = "PF says what the debate states, not what is true."


def audit_add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("audit", help="check any text against a debate")
    parser.add_argument("text", metavar="TEXT", help="a text or Markdown file, or - for stdin")
    parser.add_argument("--corpus", type=Path, required=True, metavar="TRACE", help="the debate")
    model_options_add(parser, roles=("auditor",))
    stability_add(parser)
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the model's calls here")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="largest file to read")
    parser.add_argument("--json", action="store_true", help="print the whole audit as JSON")


def audit_run(options: argparse.Namespace, environment: Mapping[str, str]) -> ExitStatus:
    """Audit, and tell each sentence with its verdict and evidence.

    Raises:
        EngineError: bad input.
    """
    trace = trace_read(options.corpus, max_bytes=options.max_bytes)
    text = _text(options.text, options.max_bytes)
    config = config_of(options, trace_language=trace.language)
    auditor = auditor_build(config.auditor, environment=environment, language=config.language)
    card = card_find(config.auditor)
    found = audit(text, trace, auditor=auditor, card=card, journal=_journal(options.journal))
    flips: tuple[Flips, ...] = ()
    if is_asked(options):
        flips = stability_run(options, text=text, trace=trace, auditor=auditor, card=card)
    if options.json:
        data = audit_to_dict(found)
        data |= {"flips": [asdict(one) for one in flips]} if flips else {}
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join([*_told(found), *stability_told(flips)]) + "\n")
    if found.fidelity is None:
        return ExitStatus.NOT_JUDGED
    passes = found.fidelity.passes(config.threshold_percent)
    return ExitStatus.PUBLISHED if passes else ExitStatus.DIVERGENCE


def _journal(path: Path | None) -> CallJournal:
    return MemoryJournal() if path is None else FileJournal(path)


def _text(name: str, max_bytes: int) -> str:
    if name == "-":
        data, name = sys.stdin.buffer.read(max_bytes + 1), "standard input"
    else:
        path = Path(name)
        if not path.is_file():
            raise InputError(name, "file", "nothing", "an existing text file, or - for stdin")
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise InputError(name, "size", "more", f"at most {max_bytes:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(name, f"byte {error.start}", "no UTF-8", "text in UTF-8") from error


def _told(found: TextAudit) -> Iterator[str]:
    texts = {sentence.id: sentence for sentence in found.sentences}
    for verdict in found.verdicts:
        yield f"[{texts[verdict.sentence_id].id}] {verdict.label.value}: " + _line(
            texts[verdict.sentence_id].text
        )
        yield from _grounds(verdict)
    others = [s for s in found.sentences if s.id not in {v.sentence_id for v in found.verdicts}]
    for sentence in others:
        yield f"[{sentence.id}] not counted ({sentence.kind.value}): {_line(sentence.text)}"
    yield f"auditor: {found.auditor}"
    yield from _counted(found)


def _grounds(verdict: Verdict) -> Iterator[str]:
    yield f"      {_line(verdict.reason)} ({verdict.decided_by})"
    sides = (("+", verdict.supporting), ("-", verdict.opposing), ("~", verdict.nearest))
    for sign, quotes in sides:
        for quote in quotes:
            yield f'    {sign} {quote.address}[{quote.start}:{quote.end}] "{_line(quote.text)}"'


def _counted(found: TextAudit) -> Iterator[str]:
    if found.fidelity is None:
        yield f"not judged ({found.failure}): {found.detail}"
        return
    open_ones = sum(verdict.label is Label.UNDETERMINED for verdict in found.verdicts)
    share = found.fidelity.supported / found.fidelity.total
    yield (
        f"PF {found.fidelity.supported}/{found.fidelity.total} ({share:.3f}); "
        f"{open_ones} claims were left undetermined"
    )
    if found.counts:
        strict, every = found.counts.strict, found.counts.pf_all
        yield (
            f"under policy strict {strict.supported}/{strict.total}; "
            f"over every sentence {every.supported}/{every.total}"
        )
    known = found.calibrated
    if known and known.corrected is not None:
        yield (
            f"PF corrected for the auditor's card: {known.corrected:.3f} "
            f"[{known.low:.3f}, {known.high:.3f}] ({known.domain}, {known.data_set})"
        )
    elif known:
        yield f"no corrected PF: {known.reason}"
    yield CAVEAT


def _line(text: str) -> str:
    return " ".join(text.split())

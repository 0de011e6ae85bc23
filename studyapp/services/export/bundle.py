"""Write a study's bundle; the same state gives the same bytes."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

from studyapp.domain.export_options import BUNDLE, ExportOptions, options_dump
from studyapp.domain.measures import Measure, MeasureKind
from studyapp.domain.permissions import Action
from studyapp.models import Study
from studyapp.seams import analysis, engine
from studyapp.selectors.arm_key import key_check
from studyapp.services.export.audit import completion_audit
from studyapp.services.export.codebook import CODEBOOK_JSON, codebook_json, codebook_rows
from studyapp.services.export.fidelity import pairs_fidelity
from studyapp.services.export.head import study_head
from studyapp.services.export.people import Counts, people_counts
from studyapp.services.export.readme import kind_sentence, readme_text
from studyapp.services.export.snapshot import snapshot, state_mark
from studyapp.services.export.stimuli import stimuli_files
from studyapp.services.export.table_files import TableFolder
from studyapp.services.export.tables import Asked, plans_of, wide_plan
from studyapp.services.study.record import event_log, study_read

Progress = Callable[[str, int], None]
_LOADERS: Final = Path(__file__).with_name("loaders")
_LOADER_FILES: Final = ("apg_load.R", "apg_load.py")


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """What was written: rows of the long table, participants, and the long table's hash."""

    rows: int
    participants: int
    long_sha256: str


@dataclass(frozen=True, slots=True)
class Written:
    """The tables of an export on disk, and what stands beside them in a bundle."""

    asked: Asked
    folder: TableFolder
    counts: Counts
    codebook: tuple[analysis.CodebookRow, ...]
    manifest: Mapping[str, Any]
    readme: str
    stimuli: tuple[tuple[str, bytes], ...]


def bundle_export(
    *,
    study_id: int,
    target: IO[bytes],
    actor_id: int | None,
    now: datetime,
    include_test: bool | None = None,
    options: ExportOptions | None = None,
) -> ExportReceipt:
    """Write the bundle of a study and log that it was taken out.

    Args:
        study_id: the study.
        target: a seekable file open for writing.
        actor_id: who asks, for the log; the log of exports is no part of the bundle.
        now: when, for the log; the bundle carries the time of its latest answer instead.
        include_test: whether test participants are in; unset, only a test study has them in.
        options: all switches, in place of `include_test`.

    Raises:
        RoleRefusedError: the actor may not take answers out.
        ArmKeySealedError: the bundle would tell which arm stood where, and that is sealed.
    """
    study = study_read(study_id, actor_id=actor_id, action=Action.ANALYSE)
    chosen = options or _usual(study, include_test=include_test)
    if chosen.shows_arms:
        key_check(study)
    receipt = bundle_write(study_id=study_id, target=target, options=chosen)
    export_log(
        study,
        "bundle.exported",
        actor_id=actor_id,
        options=chosen,
        now=now,
        long_sha256=receipt.long_sha256,
        include_test=chosen.data != "live",
    )
    return receipt


def bundle_write(
    *,
    study_id: int,
    target: IO[bytes],
    include_test: bool | None = None,
    options: ExportOptions | None = None,
) -> ExportReceipt:
    """Write the bundle of a study while its answers are read; nothing leaves the site by that.

    Whoever hands the bundle to a person asks `bundle_export` or an export job, which keep the arm
    key sealed.

    Args:
        study_id: the study.
        target: a seekable file open for writing.
        include_test: whether test participants are in; unset, only a test study has them in.
        options: all switches, in place of `include_test`.
    """
    study = Study.objects.get(pk=study_id)
    chosen = options or _usual(study, include_test=include_test)
    with tempfile.TemporaryDirectory(prefix="apg-export-") as folder:
        written = tables_write(study_id=study_id, options=chosen, folder=Path(folder))
        return bundle_pack(written, target)


def tables_write(
    *,
    study_id: int,
    options: ExportOptions,
    folder: Path,
    progress: Progress = lambda _stage, _rows: None,
) -> Written:
    """Write the tables of an export into a folder, or what is missing of them there.

    Everything is read from one moment's state. `progress` gets the file under way and the rows on
    disk, and ends the export by raising.
    """
    with snapshot():
        study = Study.objects.get(pk=study_id)
        asked = Asked(study, study_head(study, blind=options.blind), options)
        tables = TableFolder(folder, state=state_mark(study))
        for plan in plans_of(asked):
            tables.write(plan, progress=progress)
        written = _beside(asked, tables)
    if analysis.WIDE_FILE in asked.columns:
        tables.write(wide_plan(asked, tables), progress=progress)
    return written


def bundle_pack(written: Written, target: IO[bytes]) -> ExportReceipt:
    """Pack the tables and what stands beside them into a bundle."""
    asked, folder = written.asked, written.folder
    tables = list(asked.columns)
    codebook = analysis.csv_bytes(
        analysis.CODEBOOK_COLUMNS, map(analysis.codebook_cells, written.codebook)
    )
    beside = {
        analysis.CODEBOOK_FILE: codebook,
        CODEBOOK_JSON: codebook_json(written.codebook),
        analysis.README_FILE: written.readme.encode(),
        **{name: (_LOADERS / name).read_bytes() for name in _LOADER_FILES},
        **dict(written.stimuli),
    }
    files = {name: folder.entry(name) for name in tables}
    files |= {name: _entry(name, data, written) for name, data in beside.items()}
    study = asked.study
    manifest = analysis.manifest_bytes(
        written.manifest, arms=(study.reference_arm, study.treatment_arm), files=files
    )
    members = [(name, folder.file(name)) for name in tables]
    analysis.zip_write(target, [*members, (analysis.MANIFEST_FILE, manifest), *beside.items()])
    long = files[analysis.LONG_FILE]
    return ExportReceipt(
        rows=long["rows"], participants=written.counts.present, long_sha256=long["sha256"]
    )


def export_log(
    study: Study,
    kind: str,
    *,
    actor_id: int | None,
    options: ExportOptions,
    now: datetime,
    **more: Any,
) -> None:
    """Append to the log that data were taken out; exports leave these events out."""
    more = {"options": options_dump(options), **more}
    event_log(study, kind, now=now, actor_id=actor_id, before=None, after=None, **more)


def _usual(study: Study, *, include_test: bool | None) -> ExportOptions:
    with_test = study.takes_test_data if include_test is None else include_test
    return ExportOptions(form=BUNDLE, data="both" if with_test else "live")


def _beside(asked: Asked, folder: TableFolder) -> Written:
    study, options = asked.study, asked.options
    counts = people_counts(study, options)
    return Written(
        asked=asked,
        folder=folder,
        counts=counts,
        codebook=tuple(codebook_rows(study, asked.head, asked.columns)),
        manifest=_manifest(asked, counts),
        readme=readme_text(asked, models=_writers(asked)),
        stimuli=() if options.blind or options.form != BUNDLE else tuple(stimuli_files(study)),
    )


def _manifest(asked: Asked, counts: Counts) -> Mapping[str, Any]:
    study, head = asked.study, asked.head
    return {
        "study": {
            "slug": study.slug,
            "title": study.versioned_title,
            "family": study.family_slug,
            "version": study.version,
        },
        "kind": kind_sentence(study),
        "blind": asked.options.blind,
        "arms": [study.reference_arm, study.treatment_arm],
        "measures": [_measure(measure) for measure in head.measures.values()],
        # From the seed the sides can be drawn again.
        "seed": None if asked.options.blind else study.draw_seed,
        "design_hash": study.design_sha256,
        "models": {"mode": head.mode, "names": _model_names(study)},
        "created_at": counts.latest.astimezone(UTC).isoformat() if counts.latest else "",
        "options": options_dump(asked.options),
        "participants": counts.as_dict(),
        "audit": completion_audit(study).as_dict(),
        "unsealed": [
            {"actor": row.actor, "reason": row.reason, "at": row.at.astimezone(UTC).isoformat()}
            for row in study.unsealings.order_by("pk")
        ],
        "pairs": pairs_fidelity(study),
        **({"plan": study.plan} if study.plan else {}),
    }


def _measure(measure: Measure) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": measure.key, "kind": measure.kind.value}
    if measure.kind in (MeasureKind.RATING, MeasureKind.CONFIDENCE):
        entry["scale"] = [1, len(measure.anchors)]
    return entry


def _writers(asked: Asked) -> str:
    """Name the models behind the texts, and say where the researchers brought texts."""
    modes = {row.mode for row in asked.head.scenarios.values()}
    own = ["own texts, brought by the researchers"] if engine.OWN in modes else []
    return f"{', '.join([*_model_names(asked.study), *own])} ({asked.head.mode})"


def _model_names(study: Study) -> list[str]:
    manifests = study.scenarios.filter(pair__isnull=False).values_list("pair__manifest", flat=True)
    return sorted({name for manifest in manifests for name in manifest["models"]["names"]})


def _entry(name: str, data: bytes, written: Written) -> dict[str, Any]:
    rows = len(written.codebook) if name == analysis.CODEBOOK_FILE else None
    return {"rows": rows, "sha256": hashlib.sha256(data).hexdigest()}

"""Write a study's bundle; the same state gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, Any, Final

from studyapp.domain.measures import Measure, MeasureKind
from studyapp.models import Event, Study, StudyKind
from studyapp.seams import analysis
from studyapp.services.export.codebook import codebook_rows, wide_columns
from studyapp.services.export.fidelity import pairs_fidelity
from studyapp.services.export.rows import Counts, StudyHead, people_rows, study_head

DEMO_SENTENCE: Final = "demo study: conceptual replication, test data"
TEST_SENTENCE: Final = "study for trying things out: test data"
LIVE_SENTENCE: Final = "study: collected data"

_README: Final = """\
{title}
{line}

This is an export of the study "{slug}".
What it is: {kind}.
Design hash: {design_hash}
Texts written by: {models}

long.csv      one row for each stored answer, in the order of enrolment
wide.csv      one row for each participant and scenario
codebook.csv  what each column and value means
manifest.json counts and SHA-256 of the files, the design, the models

Difference: {difference}, in every table and report.
Report A stood left, Report B right; left_arm says which arm stood left in a trial.
UTF-8, lines end with CR LF. A text that a spreadsheet would run as a formula has an apostrophe
before it; `analysis` takes it off again. Times are UTC, ISO 8601.
{test_note}
To analyse it: python analysis/ttest.py THIS_FILE
"""


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """What was written: rows of the long table, participants, and the long table's hash."""

    rows: int
    participants: int
    long_sha256: str


def bundle_export(
    *,
    study_id: int,
    target: IO[bytes],
    actor: str,
    now: datetime,
    include_test: bool | None = None,
) -> ExportReceipt:
    """Write the bundle of a study and log that it was taken out.

    Args:
        study_id: the study.
        target: a seekable file open for writing.
        actor: who asks, for the log; the log is no part of the bundle.
        now: when, for the log; the bundle carries the time of its latest answer instead.
        include_test: whether test participants are in; unset, only a test study has them in.
    """
    study = Study.objects.get(pk=study_id)
    with_test = study.is_test if include_test is None else include_test
    receipt = bundle_write(study_id=study_id, target=target, include_test=with_test)
    Event.objects.create(
        study=study.slug,
        kind="bundle.exported",
        payload={
            "actor": actor,
            "long_sha256": receipt.long_sha256,
            "include_test": with_test,
        },
        at=now,
    )
    return receipt


def bundle_write(
    *, study_id: int, target: IO[bytes], include_test: bool | None = None
) -> ExportReceipt:
    """Write the bundle of a study while its answers are read; nothing leaves the site by that.

    Args:
        study_id: the study.
        target: a seekable file open for writing.
        include_test: whether test participants are in; unset, only a test study has them in.
    """
    study = Study.objects.get(pk=study_id)
    with_test = study.is_test if include_test is None else include_test
    head, counts = study_head(study), Counts()
    counts.note(study.created_at, study.opened_at)
    parts = analysis.BundleParts(
        arms=(study.reference_arm, study.treatment_arm),
        columns=wide_columns(study),
        codebook=codebook_rows(study),
        manifest=lambda: _manifest(study, head, counts),
        readme=_readme(study, head, with_test=with_test),
    )
    people = people_rows(study, head, counts, include_test=with_test)
    written = analysis.bundle_write(target, people=people, parts=parts)
    long = written["files"][analysis.LONG_FILE]
    return ExportReceipt(
        rows=long["rows"], participants=counts.consented, long_sha256=long["sha256"]
    )


def _manifest(study: Study, head: StudyHead, counts: Counts) -> Mapping[str, Any]:
    return {
        "study": {"slug": study.slug, "title": study.title},
        "kind": _kind_sentence(study),
        "arms": [study.reference_arm, study.treatment_arm],
        "measures": [_measure(measure) for measure in head.measures.values()],
        "seed": study.seed,
        "design_hash": study.design_sha256,
        "models": {"mode": head.mode, "names": _model_names(study)},
        "created_at": counts.latest.astimezone(UTC).isoformat() if counts.latest else "",
        "participants": counts.as_dict(),
        "pairs": pairs_fidelity(study),
        **({"plan": study.plan} if study.plan else {}),
    }


def _measure(measure: Measure) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": measure.key, "kind": measure.kind.value}
    if measure.kind is MeasureKind.RATING:
        entry["scale"] = [1, len(measure.anchors)]
    return entry


def _kind_sentence(study: Study) -> str:
    if study.kind == StudyKind.DEMO:
        return DEMO_SENTENCE
    return TEST_SENTENCE if study.is_test else LIVE_SENTENCE


def _model_names(study: Study) -> list[str]:
    manifests = study.scenarios.filter(pair__isnull=False).values_list("pair__manifest", flat=True)
    return sorted({name for manifest in manifests for name in manifest["models"]["names"]})


def _readme(study: Study, head: StudyHead, *, with_test: bool) -> str:
    return _README.format(
        title=study.title,
        line="=" * len(study.title),
        slug=study.slug,
        kind=_kind_sentence(study),
        design_hash=study.design_sha256 or "(not opened yet)",
        models=f"{', '.join(_model_names(study))} ({head.mode})",
        difference=f"{study.treatment_arm} - {study.reference_arm}",
        test_note="Participants marked as test are in." if with_test else "",
    )

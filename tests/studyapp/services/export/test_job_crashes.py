"""An export is built once, whatever happens to its workers."""

from __future__ import annotations

import io
import json
import random
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_django

from studyapp import tasks
from studyapp.domain.export_options import ExportOptions
from studyapp.errors import LeaseLostError
from studyapp.models import ExportJob, Participant, Study
from studyapp.services.export.bundle import tables_write
from studyapp.services.export.jobs import (
    MAX_ATTEMPTS,
    export_build,
    exports_sweep,
)
from studyapp.services.export.leases import LeaseHold
from tests.parallel import at_once
from tests.studyapp.debates import START, Clock
from tests.studyapp.exporting import Expected, study_state
from tests.studyapp.services.export.asking import LATER, export_asked, export_built, export_taken
from tests.studyapp.services.export.packing import packed

pytestmark = pytest.mark.django_db

_OTHER = "another worker"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: pytest_django.Settings) -> Path:
    settings.EXPORT_DIR = tmp_path / "exports"
    return tmp_path / "exports"


@pytest.fixture
def expected() -> Expected:
    found = study_state(random.Random(21), people=12)
    Study.objects.filter(pk=found.study.pk).update(state="closed")
    return found


class TestCrashes:
    @pytest.fixture(autouse=True)
    def small_portions(self, settings: pytest_django.Settings) -> None:
        """Make a small study have several portions."""
        settings.EXPORT_PORTION = 2

    def test_another_worker_goes_on_where_the_first_stopped(
        self, expected: Expected, tmp_path: Path, folder: Path
    ) -> None:
        whole = packed(expected.study, tmp_path).read_bytes()
        job_id = export_asked(expected.study)
        first = folder / f"work-{job_id}" / "first"
        first.mkdir(parents=True)
        with pytest.raises(_KilledError):
            _write(expected.study, first, steps=9)

        export_build(job_id=job_id, now=Clock())

        job = ExportJob.objects.get(pk=job_id)
        assert export_taken(job).read_bytes() == whole
        assert not (folder / f"work-{job_id}").exists()

    def test_what_was_finished_is_not_read_again(self, expected: Expected, tmp_path: Path) -> None:
        with pytest.raises(_KilledError):
            _write(expected.study, tmp_path, steps=4)

        again = _write(expected.study, tmp_path, steps=10**6)

        whole = _write(expected.study, _new(tmp_path / "whole"), steps=10**6)
        assert again == whole[4:]

    def test_a_line_that_was_half_written_is_cut_off(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        with pytest.raises(_KilledError):
            _write(expected.study, tmp_path, steps=4)
        with (tmp_path / "long.csv").open("ab") as file:
            file.write(b"half a li")

        _write(expected.study, tmp_path, steps=10**6)

        _write(expected.study, _new(tmp_path / "whole"), steps=10**6)
        assert (tmp_path / "long.csv").read_bytes() == (tmp_path / "whole/long.csv").read_bytes()

    def test_a_table_that_is_shorter_than_its_mark_is_written_anew(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        with pytest.raises(_KilledError):
            _write(expected.study, tmp_path, steps=4)
        with (tmp_path / "long.csv").open("r+b") as file:
            file.truncate(100)

        _write(expected.study, tmp_path, steps=10**6)

        _write(expected.study, _new(tmp_path / "whole"), steps=10**6)
        assert (tmp_path / "long.csv").read_bytes() == (tmp_path / "whole/long.csv").read_bytes()

    def test_tables_of_another_state_are_written_anew(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        with pytest.raises(_KilledError):
            _write(expected.study, tmp_path, steps=4)
        gone = expected.study.participants.filter(assignments__responses__isnull=False).first()
        assert gone is not None
        Participant.objects.filter(pk=gone.pk).delete()

        _write(expected.study, tmp_path, steps=10**6)

        _write(expected.study, _new(tmp_path / "whole"), steps=10**6)
        assert (tmp_path / "long.csv").read_bytes() == (tmp_path / "whole/long.csv").read_bytes()
        assert gone.code not in (tmp_path / "long.csv").read_text()

    def test_a_worker_that_lost_its_hold_finds_out(self, expected: Expected) -> None:
        job_id = export_asked(expected.study)
        ExportJob.objects.filter(pk=job_id).update(state="running", lease_token=_OTHER)

        with pytest.raises(LeaseLostError), LeaseHold(job_id, "mine", now=Clock()) as hold:
            hold.progress("long.csv", 1)

    def test_the_sweep_frees_the_export_of_a_dead_worker_and_gives_up_in_the_end(
        self, expected: Expected
    ) -> None:
        job_id = export_asked(expected.study)
        jobs = ExportJob.objects.filter(pk=job_id)
        jobs.update(state="running", lease_token=_OTHER, lease_until=START, attempts=1)

        assert exports_sweep(now=LATER) == [job_id]
        assert jobs.get().state == "queued"

        jobs.update(state="running", lease_until=START, attempts=MAX_ATTEMPTS)
        assert exports_sweep(now=LATER) == []
        assert jobs.get().state == "failed"
        assert "stopped in the middle" in jobs.get().error


@pytest.mark.django_db(transaction=True)
class TestBesideOthers:
    """Without a transaction around the test, as in life: the snapshot is the export's own."""

    def test_an_export_is_one_moment_s_state_while_people_go_on(self, tmp_path: Path) -> None:
        study = study_state(random.Random(4), people=10).study
        before = packed(study, tmp_path).read_bytes()
        seen: list[str] = []

        def meanwhile(stage: str, rows: int) -> None:
            """Withdraw somebody on another connection as soon as the long table is written."""
            if not seen:
                _elsewhere(study.participants.all().delete)
            seen.append(stage)

        work = _new(tmp_path / "work")
        tables_write(
            study_id=study.pk, options=ExportOptions(data="both"), folder=work, progress=meanwhile
        )

        assert not study.participants.exists()
        assert (work / "participants.csv").read_bytes().count(b"\r\n") == 1 + _people_in(before)

    def test_the_lease_is_renewed_from_beside_the_snapshot(self, expected: Expected) -> None:
        job = export_built(expected.study)

        assert job.state == "finished"
        assert export_taken(job).exists()


def test_the_sweep_wakes_a_worker_for_a_lost_message(
    expected: Expected, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = export_asked(expected.study)
    ExportJob.objects.filter(pk=job_id).update(lease_until=START - timedelta(days=9999))
    woken: list[int] = []
    monkeypatch.setattr(
        tasks.export_build, "delay_on_commit", lambda *, job_id: woken.append(job_id)
    )

    tasks.runs_sweep()

    assert woken == [job_id]


class _KilledError(Exception):
    """Stands for the end of a worker, wherever it is."""


def _write(study: Study, folder: Path, *, steps: int) -> list[tuple[str, int]]:
    """Write the tables until `steps` portions are on disk; return what was told."""
    told: list[tuple[str, int]] = []

    def progress(stage: str, rows: int) -> None:
        told.append((stage, rows))
        if len(told) == steps:
            raise _KilledError

    tables_write(
        study_id=study.pk, options=ExportOptions(data="both"), folder=folder, progress=progress
    )
    return told


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _people_in(bundle: bytes) -> int:
    """Count the participants in a bundle."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    return int(manifest["files"]["participants.csv"]["rows"])


def _elsewhere(act: Any) -> None:
    """Do something on a connection of its own."""
    at_once([act])

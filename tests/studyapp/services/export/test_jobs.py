"""An export that a worker builds, and that is given out while it may be."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_django

from analysis.load import LoadOptions, load
from studyapp.errors import ArmKeySealedError, ExportError
from studyapp.models import Event, ExportJob, Study, Tombstone
from studyapp.selectors.export import export_file, exports_list
from studyapp.services.export.jobs import (
    export_build,
    export_take,
    exports_sweep,
)
from tests.parallel import at_once
from tests.studyapp.debates import START, Clock
from tests.studyapp.exporting import Expected, study_state
from tests.studyapp.services.export.asking import LATER, export_asked, export_built, export_taken
from tests.studyapp.services.export.packing import packed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: pytest_django.Settings) -> Path:
    settings.EXPORT_DIR = tmp_path / "exports"
    return tmp_path / "exports"


@pytest.fixture
def expected() -> Expected:
    found = study_state(random.Random(21), people=12)
    Study.objects.filter(pk=found.study.pk).update(state="closed")
    return found


class TestBuilding:
    def test_a_worker_builds_what_was_asked_for_and_the_log_says_who_asked(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        job = export_built(expected.study)

        path = export_taken(job)
        data = path.read_bytes()
        assert job.state == "finished"
        assert hashlib.sha256(data).hexdigest() == job.sha256
        assert (len(data), job.rows_done) == (job.size, job.rows_total)
        assert job.participants == expected.study.participants.count()
        assert load(path, LoadOptions(include_test=True, include_bots=True)).rows
        assert data == packed(expected.study, tmp_path).read_bytes()
        events = Event.objects.filter(kind__startswith="export.").order_by("pk")
        assert [(row.kind, row.payload["actor"]) for row in events] == [
            ("export.requested", "ada"), ("export.built", "ada"), ("export.downloaded", "shell"),
        ]  # fmt: skip

    def test_a_doubled_message_finds_nothing_to_do(self, expected: Expected) -> None:
        job = export_built(expected.study)

        export_build(job_id=job.pk, now=Clock())

        assert ExportJob.objects.get(pk=job.pk).built_at == job.built_at

    def test_asking_again_for_the_same_state_gives_the_same_bytes(self, expected: Expected) -> None:
        assert export_built(expected.study).sha256 == export_built(expected.study).sha256

    def test_a_disk_that_cannot_be_written_fails_the_export_with_the_reason(
        self, expected: Expected, folder: Path
    ) -> None:
        job_id = export_asked(expected.study)
        folder.mkdir()
        folder.joinpath(f"work-{job_id}").write_text("a file where a folder must be")

        export_build(job_id=job_id, now=Clock())

        job = ExportJob.objects.get(pk=job_id)
        assert (job.state, job.sha256) == ("failed", "")
        assert "could not be written" in job.error

    def test_an_unknown_cohort_is_refused_and_the_known_ones_are_named(
        self, expected: Expected
    ) -> None:
        with pytest.raises(ExportError, match="no cohort 'nope'; there are: open, experts, -crowd"):
            export_asked(expected.study, cohort="nope")

        assert not ExportJob.objects.exists()


class TestSeal:
    @pytest.fixture
    def running(self, expected: Expected) -> Study:
        Study.objects.filter(pk=expected.study.pk).update(state="open")
        return expected.study

    @pytest.mark.parametrize(
        "switches",
        [{}, {"form": "csv"}, {"form": "sav", "table": "wide"}, {"form": "csv", "data": "test"},
         {"form": "xlsx", "table": "assignments"}],
        ids=str,
    )  # fmt: skip
    def test_what_tells_arms_is_refused_while_they_are_sealed(
        self, running: Study, switches: dict[str, Any]
    ) -> None:
        with pytest.raises(ArmKeySealedError):
            export_asked(running, **switches)

    @pytest.mark.parametrize(
        "switches",
        [{"blind": True}, {"form": "csv", "blind": True}, {"form": "csv", "table": "participants"},
         {"form": "parquet", "table": "paradata"}],
        ids=str,
    )  # fmt: skip
    def test_what_does_not_is_built(self, running: Study, switches: dict[str, Any]) -> None:
        assert export_built(running, **switches).state == "finished"

    def test_a_seal_that_came_in_between_stops_the_worker(self, expected: Expected) -> None:
        job_id = export_asked(expected.study)
        Study.objects.filter(pk=expected.study.pk).update(state="open")

        export_build(job_id=job_id, now=Clock())

        job = ExportJob.objects.get(pk=job_id)
        assert job.state == "failed"
        assert "sealed" in job.error


class TestTakingAlong:
    def test_somebody_who_withdraws_is_not_given_out_in_an_earlier_file(
        self, expected: Expected
    ) -> None:
        job = export_built(expected.study)
        Tombstone.objects.create(
            study=expected.study, cohort=expected.study.cohorts.earliest("pk"), enrolment=99,
            trials=[], was_complete=False,
        )  # fmt: skip

        with pytest.raises(ExportError, match="withdrew after"):
            export_taken(job)

        assert exports_list(expected.study.pk)[0].is_outdated
        exports_sweep(now=LATER)
        assert not export_file(job.pk, job.sha256).exists()

    def test_a_file_past_its_time_is_deleted(self, expected: Expected) -> None:
        job = export_built(expected.study)
        exports_sweep(now=START + timedelta(hours=71))
        assert export_taken(job).exists()

        exports_sweep(now=START + timedelta(hours=73))

        with pytest.raises(ExportError, match="not there any more"):
            export_taken(job)

    def test_an_export_of_another_study_is_not_there(self, expected: Expected) -> None:
        job = export_built(expected.study)
        other = study_state(random.Random(1), slug="other", people=1).study

        with pytest.raises(ExportError, match="not there"):
            export_take(study_id=other.pk, job_id=job.pk, actor_id=None, now=LATER)


def _people_in(bundle: bytes) -> int:
    """Count the participants in a bundle."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    return int(manifest["files"]["participants.csv"]["rows"])


def _elsewhere(act: Any) -> None:
    """Do something on a connection of its own."""
    at_once([act])

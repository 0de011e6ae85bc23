"""A bundle is read back whole by analysis, by R and by Python."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from analysis.load import load
from studyapp.models import (
    Assignment,
    EvidenceLink,
    Participant,
    Study,
)
from tests.studyapp.exporting import Expected, study_state
from tests.studyapp.services.export.loading import (
    EVERYBODY,
    comments_stored,
    python_loader,
    r_answers,
    r_run,
)
from tests.studyapp.services.export.packing import packed

pytestmark = pytest.mark.django_db


@pytest.fixture
def expected() -> Expected:
    return study_state(random.Random(11), people=20)


class TestLoaders:
    def test_python_reads_every_text_as_it_was_given(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        path = packed(expected.study, tmp_path)
        tables = python_loader(path, tmp_path)(path)

        frame = tables["long"]
        why = frame[frame["measure"] == "why"]
        assert sorted(why["value"]) == comments_stored(expected.study)
        assert str(frame["trial_order"].dtype) == "Int64"
        assert str(frame["answered_at"].dtype).endswith("UTC]")
        assert len(tables["wide"]) == _answered_trials(expected.study)
        rated = tables["wide"]["trust_apg"].dropna()
        assert set(rated) <= set(range(1, 6))
        assert len(tables["evidence"]) == EvidenceLink.objects.count()

    def test_python_refuses_a_changed_file(self, expected: Expected, tmp_path: Path) -> None:
        path = packed(expected.study, tmp_path)
        folder = tmp_path / "open"
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        (folder / "wide.csv").write_bytes((folder / "wide.csv").read_bytes() + b"x")

        with pytest.raises(ValueError, match=r"wide\.csv is not the file"):
            python_loader(path, tmp_path)(folder)

    @pytest.mark.timeout(120)
    def test_r_reads_every_text_as_it_was_given(self, expected: Expected, tmp_path: Path) -> None:
        path = packed(expected.study, tmp_path)
        rows = r_answers(path, tmp_path, table="long", columns=("measure", "value"))

        assert sorted(value for measure, value in rows if measure == "why") == comments_stored(
            expected.study
        )

    @pytest.mark.timeout(120)
    def test_r_computes_the_same_difference_as_analysis(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        path = packed(expected.study, tmp_path)
        code = (
            "study <- apg_load(place); wide <- study$wide; stopifnot(is.integer(wide$trust_apg));"
            "cat(format(mean(wide$trust_apg - wide$trust_baseline, na.rm = TRUE), digits = 15))"
        )
        Participant.objects.filter(outcome="failed_attention").update(outcome="in_progress")
        rows = load(packed(expected.study, tmp_path), EVERYBODY).rows
        given = {
            (row.participant_id, row.scenario, row.arm): row.value
            for row in rows
            if row.measure == "trust"
        }
        pairs = {(person, scenario) for person, scenario, _ in given}
        differences = [int(given[*pair, "apg"]) - int(given[*pair, "baseline"]) for pair in pairs]

        assert float(r_run(path, tmp_path, code)) == pytest.approx(
            sum(differences) / len(differences)
        )


def _answered_trials(study: Study) -> int:
    return Assignment.objects.filter(participant__study=study, answered_at__isnull=False).count()

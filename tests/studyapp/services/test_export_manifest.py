"""What a bundle's manifest says about the pairs and about what was decided beforehand."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from analysis import schema
from studyapp.domain.digest import json_sha256
from studyapp.errors import StudyNotReadyError
from studyapp.models import GenerationRun, Study
from studyapp.seams.engine import config_preset
from studyapp.services.export import bundle_write
from studyapp.services.study import (
    UploadedFile,
    design_record,
    scenario_remove,
    study_build,
    study_generate,
    study_load,
    study_open,
    texts_generate,
)
from tests.sample_study import DEMO, sample_study
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock

pytestmark = pytest.mark.django_db


def _manifest(study: Study) -> dict[str, Any]:
    target = io.BytesIO()
    bundle_write(study_id=study.pk, target=target)
    with zipfile.ZipFile(target) as archive:
        return dict(json.loads(archive.read(schema.MANIFEST_FILE)))


@pytest.fixture
def generated() -> Study:
    """A study about two debates, one of which ends in a synthesis."""
    files = [UploadedFile(path.name, path.read_bytes()) for path in (AGREES, DEADLOCK)]
    study = study_build(title="Two debates", debates=files, seed=1, owner_id=None, now=START)
    offline = config_preset("offline")
    for run_id in study_generate(study_id=study.pk, config=offline, actor_id=None, now=START):
        texts_generate(run_id=run_id, now=Clock(), environment={})
    return study


class TestFidelity:
    def test_a_synthesis_has_the_difference_of_last_and_first_draft(self, generated: Study) -> None:
        scenario = generated.scenarios.get(run__outcome="synthesis")
        result = GenerationRun.objects.get(scenarios=scenario).result or {}
        counts = [pair["fidelity"] for pair in result["pairs"]]
        first, last = (counts[at]["supported"] / counts[at]["total"] for at in (0, -1))

        entry = _manifest(generated)["pairs"][scenario.key]

        assert entry["fidelity_difference"] == pytest.approx(last - first, abs=1e-6)
        assert entry["fidelity_reference"] == pytest.approx(first, abs=1e-6)
        assert entry["fidelity_treatment"] == pytest.approx(last, abs=1e-6)
        assert entry["fidelity_treatment"] >= 0.95 > entry["fidelity_reference"]
        assert entry["reason"] == ""

    def test_a_divergence_report_has_none_and_says_why(self, generated: Study) -> None:
        scenario = generated.scenarios.get(run__outcome="divergence")

        entry = _manifest(generated)["pairs"][scenario.key]

        assert entry["fidelity_difference"] is None
        assert entry["fidelity_treatment"] is None
        assert 0 <= entry["fidelity_reference"] < 0.95
        assert "Divergence Report" in entry["reason"]

    def test_texts_without_a_run_have_none_and_say_why(self) -> None:
        pairs = _manifest(sample_study().study)["pairs"]

        assert {entry["fidelity_difference"] for entry in pairs.values()} == {None}
        assert "without a run" in pairs["scenario-1"]["reason"]


class TestPlan:
    def test_the_plan_leaves_with_the_bundle_as_it_was_stated(self) -> None:
        study = study_load(path=DEMO, seed=5, owner_id=None, now=START)

        assert _manifest(study)["plan"] == json.loads(DEMO.read_text(encoding="utf-8"))["plan"]

    def test_a_study_without_a_plan_states_none(self) -> None:
        assert "plan" not in _manifest(sample_study().study)

    def test_the_plan_is_part_of_the_design_hash(self) -> None:
        study = study_load(path=DEMO, seed=5, owner_id=None, now=START)
        before = json_sha256(design_record(study))
        study.plan = {**study.plan, "equivalence_bound": 0.4}

        assert json_sha256(design_record(study)) != before

    def test_a_study_whose_plan_names_a_removed_scenario_does_not_open(self) -> None:
        study = study_load(path=DEMO, seed=5, owner_id=None, now=START)
        scenario_remove(study_id=study.pk, key="stalemate", actor_id=None, now=START)

        with pytest.raises(StudyNotReadyError, match=r"plan does not fit.*'stalemate\.trust'"):
            study_open(study_id=study.pk, actor_id=None, now=START)

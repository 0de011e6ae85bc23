"""A bundle of a study in any state: its counts are those of the database, blind or not."""

from __future__ import annotations

import itertools
import json
import random
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.load import LoadOptions, load
from studyapp.models import (
    Assignment,
    Change,
    Exposure,
    Participant,
    Response,
    Study,
    Tombstone,
)
from studyapp.seams.engine import config_preset
from studyapp.services.export.audit import completion_audit
from studyapp.services.export.stimuli import stimuli_files
from studyapp.services.study import UploadedFile, study_build, study_generate, texts_generate
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock
from tests.studyapp.exporting import Expected, study_state
from tests.studyapp.services.export.loading import (
    EVERYBODY,
    python_loader,
)
from tests.studyapp.services.export.packing import packed

pytestmark = pytest.mark.django_db

_NUMBERS = itertools.count(1)


@pytest.fixture
def expected() -> Expected:
    return study_state(random.Random(11), people=20)


@pytest.mark.timeout(240)
@given(seed=st.integers(0, 10**6), people=st.integers(0, 14))
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_an_export_that_is_loaded_comes_to_the_counts_of_the_database(
    tmp_path_factory: pytest.TempPathFactory, seed: int, people: int
) -> None:
    """Random studies with dropouts, withdrawals, test participants, cohorts and two versions."""
    dice = random.Random(seed)
    slug = f"state-{next(_NUMBERS)}"
    first = study_state(dice, slug=slug, people=people).study
    second = study_state(dice, slug=f"{slug}-v2", people=people).study
    Study.objects.filter(pk=second.pk).update(family=slug, version=2)
    for study, version in ((first, 1), (second, 2)):
        _loaded_and_compared(study, dice, tmp_path_factory.mktemp("bundle"), version=version)


def _loaded_and_compared(study: Study, dice: random.Random, folder: Path, *, version: int) -> None:
    switches: dict[str, Any] = {
        "data": dice.choice(("live", "test", "both")),
        "completion": dice.choice(("all", "completed", "partial")),
        "cohort": dice.choice(("", "", "open", "experts", "-crowd")),
    }
    path = packed(study, folder, **switches)

    tables = python_loader(path, folder)(path)

    _compare(tables, study, switches)
    assert packed(study, folder, **switches).read_bytes() == path.read_bytes()
    assert tables["manifest"]["study"]["version"] == version
    audit = completion_audit(study)
    assert audit.agrees
    assert tables["manifest"]["audit"] == audit.as_dict()


def _compare(tables: Mapping[str, Any], study: Study, switches: Mapping[str, Any]) -> None:
    people, stones = _selected(study, switches)
    answers = Response.objects.filter(assignment__participant__in=people)
    asked = sum(len(person.background or {}) for person in people)
    assert len(tables["long"]) == answers.count() + asked
    assert set(tables["participants"]["participant_id"]) == {person.code for person in people}
    trials = Assignment.objects.filter(participant__in=people)
    assert len(tables["assignments"]) == trials.count()
    assert len(tables["wide"]) == trials.filter(answered_at__isnull=False).count()
    opened = Exposure.objects.filter(assignment__participant__in=people)
    read = tables["paradata"]
    seen = read[read["item_kind"] != "measure"]
    assert len(seen) == opened.values("assignment", "item").distinct().count()
    assert round(seen["visible_seconds"].sum() * 1000) == sum(
        opened.values_list("visible_ms", flat=True)
    )
    replaced = Change.objects.filter(assignment__participant__in=people)
    assert read["changes"].sum() == len(tables["changes"]) == replaced.count()
    told = tables["manifest"]["participants"]
    assert told["consented"] == len(people) + len(stones)
    assert told["complete"] == sum(p.completed_at is not None for p in people) + sum(
        stone.was_complete for stone in stones
    )
    withdrawn = tables["withdrawn"]
    assert told["withdrawn"] == withdrawn["tombstone"].nunique() == len(stones)
    failed = {person.code for person in people if person.outcome == "failed_attention"}
    assert set(tables["exclusions"]["participant_id"]) == failed


def _selected(
    study: Study, switches: Mapping[str, Any]
) -> tuple[list[Participant], list[Tombstone]]:
    """Select by hand what the switches name."""
    wanted = {"live": (False,), "test": (True,), "both": (False, True)}[switches["data"]]
    ends = {"all": (False, True), "completed": (True,), "partial": (False,)}[switches["completion"]]
    cohort = switches["cohort"]
    people = [
        row
        for row in study.participants.select_related("cohort")
        if row.is_test in wanted
        and (row.completed_at is not None) in ends
        and cohort in ("", row.cohort.name)
    ]
    stones = [
        row
        for row in study.tombstones.select_related("cohort")
        if row.is_test in wanted and row.was_complete in ends and cohort in ("", row.cohort.name)
    ]
    return people, stones


class TestBlind:
    def test_no_file_tells_which_arm_stood_where(self, expected: Expected, tmp_path: Path) -> None:
        with zipfile.ZipFile(packed(expected.study, tmp_path, blind=True)) as archive:
            names = archive.namelist()
            texts = {name: archive.read(name).decode() for name in names}
        assert "wide.csv" not in names
        assert not [name for name in names if name.startswith("prov/")]
        manifest = json.loads(texts.pop("manifest.json"))
        assert manifest["blind"] is True
        assert manifest["seed"] is None
        for name, text in texts.items():
            for word in ("baseline", "apg,", "treatment_is_left", str(expected.study.seed)):
                assert word not in text, (name, word)

    def test_analysis_reads_it_for_a_design_check_and_for_nothing_else(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        path = packed(expected.study, tmp_path, blind=True)

        found = load(path, LoadOptions(allow_blind=True, include_test=True, include_bots=True))

        excluded = {row.participant_id for row in found.records.exclusions}
        kept = Response.objects.exclude(assignment__participant__code__in=excluded).count()
        asked = Participant.objects.exclude(code__in=excluded)
        assert found.blind
        assert len(found.rows) == kept + sum(len(row.background or {}) for row in asked)
        with pytest.raises(Exception, match="blind"):
            load(path, EVERYBODY)

    def test_positions_stay_so_that_the_key_can_be_added_later(
        self, expected: Expected, tmp_path: Path
    ) -> None:
        blind = packed(expected.study, tmp_path, blind=True)
        rows = load(blind, LoadOptions(allow_blind=True, include_test=True, include_bots=True)).rows

        assert {row.position for row in rows if row.measure == "trust"} == {"left", "right"}
        assert {row.value for row in rows if row.measure == "preferred"} <= {
            "left", "right", "neither", "both",
        }  # fmt: skip


class TestStimuli:
    @pytest.mark.timeout(60)
    def test_the_history_of_generated_texts_is_in_and_is_the_same_each_time(
        self, tmp_path: Path
    ) -> None:
        files = [UploadedFile(path.name, path.read_bytes()) for path in (AGREES, DEADLOCK)]
        study = study_build(title="Two debates", debates=files, seed=1, owner_id=None, now=START)
        offline = config_preset("offline")
        for run in study_generate(study_id=study.pk, config=offline, actor_id=None, now=START):
            texts_generate(run_id=run, now=Clock(), environment={})

        first, second = packed(study, tmp_path), packed(study, tmp_path)

        assert first.read_bytes() == second.read_bytes()
        with zipfile.ZipFile(first) as archive:
            listed = {name: archive.read(name) for name in archive.namelist() if "prov/" in name}
            manifest = json.loads(archive.read("manifest.json"))
        keys = study.scenarios.values_list("key", flat=True)
        assert set(listed) == {f"prov/{key}.{form}" for key in keys for form in ("json", "provn")}
        assert set(listed) <= set(manifest["files"])
        for scenario in study.scenarios.select_related("trace"):
            document = json.loads(listed[f"prov/{scenario.key}.json"])
            assert "wasGeneratedBy" in document
            assert scenario.trace.content["turns"][0]["text"] not in json.dumps(document)

    def test_texts_that_came_without_a_run_have_none(self, expected: Expected) -> None:
        assert list(stimuli_files(expected.study)) == []


def _answered_trials(study: Study) -> int:
    return Assignment.objects.filter(participant__study=study, answered_at__isnull=False).count()

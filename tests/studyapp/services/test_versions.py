"""New versions of a launched study, and what its launch wrote down."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, transaction
from django.utils import translation

from studyapp.errors import IllegalMoveError
from studyapp.models import Participant, Study
from studyapp.selectors.preregistration import preregistration_file, preregistration_get
from studyapp.services.export import bundle_export
from studyapp.services.study import study_close, study_open, study_share, version_create
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete

pytestmark = pytest.mark.django_db

_LATER = THEN + timedelta(days=1)
_PLAN = {
    "primary": ["scenario-1.trust"],
    "family": ["scenario-1.trust", "scenario-2.trust"],
    "exclusions": [{"rule": "too_fast", "value": 20}],
}
_SEED = 4611686018427387903


@pytest.fixture
def launched() -> SampleStudy:
    sample = sample_study(state="draft", quota=12)
    Study.objects.update(kind="study", is_test=False, seed=_SEED, plan=_PLAN)
    study_open(study_id=sample.study.pk, actor_id=None, now=THEN)
    sample.study.refresh_from_db()
    return sample


def _version(sample: SampleStudy, seed: int = 5) -> Study:
    return version_create(study_id=sample.study.pk, seed=seed, actor_id=None, now=_LATER)


def _bundle(study: Study) -> tuple[dict[str, Any], str]:
    target = io.BytesIO()
    bundle_export(study_id=study.pk, target=target, actor_id=None, now=_LATER)
    with zipfile.ZipFile(target) as bundle:
        return json.loads(bundle.read("manifest.json")), bundle.read("README.txt").decode()


def test_a_version_has_the_design_and_none_of_the_data(launched: SampleStudy) -> None:
    people_complete(launched, count=2)

    made = _version(launched)

    assert (made.slug, made.state, made.version) == ("sample-v2", "draft", 2)
    assert made.family_slug == "sample"
    assert (made.seed, made.design_sha256, made.preregistration) == (5, "", None)
    assert (made.measures, made.texts, made.plan) == (
        launched.study.measures,
        launched.study.texts,
        _PLAN,
    )
    pairs = [
        list(study.scenarios.order_by("position").values_list("key", "pair"))
        for study in (launched.study, made)
    ]
    assert pairs[0] == pairs[1]
    assert made.cohorts.get().token != launched.cohort.token
    assert Participant.objects.filter(study=made).count() == 0
    assert Participant.objects.filter(study=launched.study).count() == 2


def test_versions_are_numbered_on_whichever_is_asked(launched: SampleStudy) -> None:
    second = _version(launched)
    study_open(study_id=second.pk, actor_id=None, now=_LATER)
    third = version_create(study_id=second.pk, seed=6, actor_id=None, now=_LATER)

    assert (third.slug, third.version, third.family) == ("sample-v3", 3, "sample")
    second.refresh_from_db()
    assert second.design_sha256 != launched.study.design_sha256
    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=third.pk).update(version=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=third.pk).update(family="")


def test_a_draft_needs_no_version() -> None:
    draft = sample_study(state="draft")
    with pytest.raises(IllegalMoveError, match="can be edited itself"):
        _version(draft)
    with pytest.raises(CommandError, match="draft"):
        call_command("make_version", "sample")


def test_exports_name_their_version_and_hold_its_data_only(launched: SampleStudy) -> None:
    people_complete(launched, count=2)
    made = _version(launched)
    study_close(study_id=launched.study.pk, actor_id=None, now=_LATER)
    for study, number, people in ((launched.study, 1, 2), (made, 2, 0)):
        manifest, readme = _bundle(study)
        assert (manifest["study"]["family"], manifest["study"]["version"]) == ("sample", number)
        assert f'version {number} of "sample"' in readme
        assert manifest["participants"]["consented"] == people
        assert manifest["study"]["title"].endswith("(version 2)") == (study == made)


def test_a_launch_writes_down_everything_that_was_decided(launched: SampleStudy) -> None:
    found = preregistration_get(launched.study.pk)

    assert found is not None
    assert found["design_sha256"] == launched.study.design_sha256
    assert found["planned_n"] == 12
    assert found["primary"] == ["scenario-1.trust"]
    assert found["tests"] == _PLAN["family"]
    assert found["exclusions"] == _PLAN["exclusions"]
    assert found["measures"] == launched.study.measures
    assert found["texts"] == launched.study.texts
    assert [row["key"] for row in found["scenarios"]] == ["scenario-1", "scenario-2"]
    assert found["difference"] == "apg - baseline"


def test_the_markdown_speaks_the_language_that_is_asked_for_and_else_the_study_s(
    launched: SampleStudy,
) -> None:
    def told(language: str = "") -> str:
        return (preregistration_file(launched.study.pk, "md", language=language) or b"").decode()

    with translation.override("pl"):
        english = told()
        json_file = preregistration_file(launched.study.pk, "json", language="pl")
    assert "## What is compared" in english
    assert english == told("en") == told("xx"), "whoever reads it gets the same bytes"
    polish = told("pl")
    assert "## Co jest porównywane" in polish
    assert polish == told("pl")
    for frozen in (launched.study.title, "`scenario-1.trust`", "apg - baseline"):
        assert frozen in polish
    assert json_file == preregistration_file(launched.study.pk, "json")
    Study.objects.filter(pk=launched.study.pk).update(
        preregistration=_in_polish(launched.study.preregistration)
    )
    assert told() == polish.replace("**language**\n\n> en", "**language**\n\n> pl")


def _in_polish(record: Any) -> dict[str, Any]:
    return {**record, "texts": {**record["texts"], "language": "pl"}}


def test_the_seed_is_promised_at_launch_and_proved_after_the_end(launched: SampleStudy) -> None:
    sealed = preregistration_get(launched.study.pk)
    files = [preregistration_file(launched.study.pk, form) for form in ("json", "md")]
    study_close(study_id=launched.study.pk, actor_id=None, now=_LATER)
    told = preregistration_get(launched.study.pk)

    assert sealed
    assert told
    assert (sealed["seed"], sealed["seed_nonce"]) == (None, None)
    assert all(file and str(_SEED).encode() not in file for file in files)
    proof = f"{told['seed_nonce']}:{told['seed']}".encode()
    assert told["seed"] == _SEED
    assert hashlib.sha256(proof).hexdigest() == sealed["seed_sha256"] == told["seed_sha256"]


def test_the_markdown_can_be_read(launched: SampleStudy) -> None:
    file = preregistration_file(launched.study.pk, "md")
    assert file is not None
    text = file.decode()
    for words in (
        "# Preregistration: Secret working title",
        launched.study.design_sha256,
        "- Planned N: 12",
        "- Primary outcome: `scenario-1.trust`",
        "- Exclusion rules: `rule=too_fast value=20`",
        launched.study.measures[0]["question"],
        "Seed and nonce are told once the arm key is unsealed.",
    ):
        assert words in text, words


def test_the_shell_prints_it_and_makes_versions(
    launched: SampleStudy, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("preregistration", "sample", format="json")
    assert json.loads(capsys.readouterr().out)["study"]["version"] == 1
    call_command("make_version", "sample")
    assert "sample-v2: version 2 of sample, a draft" in capsys.readouterr().out
    with pytest.raises(CommandError, match="never launched"):
        call_command("preregistration", "sample-v2")


def test_a_shared_draft_keeps_the_seed_that_will_be_sealed(tmp_path: Path) -> None:
    sample = sample_study(state="draft")
    Study.objects.update(kind="study", is_test=False, seed=_SEED)
    with (tmp_path / "a.zip").open("wb") as target:
        study_share(study_id=sample.study.pk, target=target)
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert str(_SEED) not in archive.read("study.json").decode()

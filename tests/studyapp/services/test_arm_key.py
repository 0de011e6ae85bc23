"""The seal on which arm stood where: what it refuses, when it ends, and how it is broken."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest

from studyapp.domain.export_options import ExportOptions
from studyapp.errors import ArmKeySealedError, ExportError, FrozenError, IllegalMoveError
from studyapp.models import Event, Participant, Study, Tombstone, Unsealing
from studyapp.selectors.arm_key import arm_key
from studyapp.services.export import bundle_export
from studyapp.services.study import arm_key_unseal
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete
from tests.studyapp.lab import member_of

pytestmark = pytest.mark.django_db

_REASON = "A participant reported harm; we must know what they read."


def _live(**values: Any) -> SampleStudy:
    sample = sample_study()
    people_complete(sample, count=2)
    Study.objects.filter(pk=sample.study.pk).update(
        **{"kind": "study", "is_test": False, "state": "open", **values}
    )
    Participant.objects.update(is_test=False)
    sample.study.refresh_from_db()
    return sample


def _export(sample: SampleStudy, **switches: Any) -> zipfile.ZipFile:
    target = io.BytesIO()
    bundle_export(
        study_id=sample.study.pk,
        target=target,
        actor_id=None,
        now=THEN,
        options=ExportOptions(**switches),
    )
    return zipfile.ZipFile(target)


@pytest.mark.parametrize("state", ["open", "paused"])
def test_a_running_study_keeps_its_arms_to_itself(state: str) -> None:
    sample = _live(state=state)

    with pytest.raises(
        ArmKeySealedError, match=r"sealed until .* closed .* number .* blind export"
    ):
        _export(sample)

    assert not Event.objects.filter(kind="bundle.exported").exists()


def test_test_participants_of_a_running_study_are_sealed_as_their_draws_are_the_same() -> None:
    with pytest.raises(ArmKeySealedError):
        _export(_live(), data="test")


def test_a_blind_export_is_given_at_any_time() -> None:
    manifest = json.loads(_export(_live(), blind=True).read("manifest.json"))

    assert manifest["blind"] is True
    assert manifest["seed"] is None


@pytest.mark.parametrize(
    "values",
    [{"state": "closed"}, {"kind": "demo"}, {"is_test": True}, {"state": "draft"}, {"quota": 2}],
    ids=str,
)
def test_an_ended_demo_or_test_study_and_one_with_its_n_are_not_sealed(
    values: dict[str, Any],
) -> None:
    assert "wide.csv" in _export(_live(**values)).namelist()


def test_a_study_one_short_of_its_n_is_sealed_and_a_tombstone_counts() -> None:
    sample = _live(quota=3)
    assert arm_key(sample.study.pk).is_sealed

    Tombstone.objects.create(
        study=sample.study, cohort=sample.cohort, enrolment=3, trials=[], was_complete=True
    )

    found = arm_key(sample.study.pk)
    assert (found.is_sealed, found.planned, found.complete) == (False, 3, 3)


def test_n_may_stand_in_the_cohorts_but_then_in_all_of_them() -> None:
    sample = _live()
    sample.study.cohorts.update(quota=2)
    assert not arm_key(sample.study.pk).is_sealed

    sample.study.cohorts.create(name="experts")

    assert arm_key(sample.study.pk).planned is None
    assert arm_key(sample.study.pk).is_sealed


def test_unsealing_is_recorded_with_who_when_and_why_and_every_export_says_so() -> None:
    sample = _live()
    ada = member_of(sample.study)

    arm_key_unseal(
        study_id=sample.study.pk, actor_id=ada.pk, reason=f" {_REASON} ", now=THEN + timedelta(1)
    )

    assert Event.objects.get(kind="arm_key.unsealed").payload == {
        "actor": "ada",
        "before": "sealed",
        "after": "unsealed",
        "reason": _REASON,
    }
    archive = _export(sample)
    manifest = json.loads(archive.read("manifest.json"))
    at = (THEN + timedelta(1)).isoformat()
    assert manifest["unsealed"] == [{"actor": "ada", "reason": _REASON, "at": at}]
    assert _REASON in archive.read("README.txt").decode()


@pytest.mark.parametrize("reason", ["", "   ", "curious", "x" * 2001])
def test_unsealing_without_a_reason_changes_nothing(reason: str) -> None:
    sample = _live()
    ada = member_of(sample.study)

    with pytest.raises(ExportError, match="10 to 2000"):
        arm_key_unseal(study_id=sample.study.pk, actor_id=ada.pk, reason=reason, now=THEN)

    assert not Unsealing.objects.exists()
    assert arm_key(sample.study.pk).is_sealed


def test_what_is_not_sealed_cannot_be_unsealed() -> None:
    sample = _live(state="closed")
    ada = member_of(sample.study)

    with pytest.raises(IllegalMoveError, match="not sealed"):
        arm_key_unseal(study_id=sample.study.pk, actor_id=ada.pk, reason=_REASON, now=THEN)


def test_the_record_of_an_unsealing_cannot_be_changed() -> None:
    sample = _live()
    ada = member_of(sample.study)
    row = arm_key_unseal(study_id=sample.study.pk, actor_id=ada.pk, reason=_REASON, now=THEN)
    row.reason = "another"

    with pytest.raises(FrozenError):
        row.save()

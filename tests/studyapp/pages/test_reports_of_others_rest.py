"""The reports of set E that stand apart from the flow: editing, panels and deletion, by number.

78 (a panel's list of submissions cut at its first page of 20) cannot occur: nothing here reads a
panel's list. A panel learns of an outcome from the participant's own return.
"""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import pytest
from django.apps import apps

from studyapp.domain.panel import panel_load, redirect_url
from studyapp.errors import FrozenError
from studyapp.models import Study
from studyapp.services.export import bundle_write
from studyapp.services.rights import participant_withdraw
from studyapp.services.study import scenario_remove, study_open, version_create
from tests.sample_study import THEN, sample_study
from tests.studyapp.answering import people_complete, person_enrolled, trials_answered
from tests.studyapp.debates import START
from tests.studyapp.lab import Lab

_CODES = {
    "complete": "A B&c",
    "screened_out": "OUT",
    "failed_attention": "FAILED",
    "no_consent": "NONE",
}


@pytest.mark.django_db
def test_report_76_a_design_that_was_opened_is_not_edited(lab: Lab) -> None:
    lab.generate()
    study_open(study_id=lab.study.pk, actor_id=None, now=START)
    before = Study.objects.get(pk=lab.study.pk).design_sha256
    key = lab.study.scenarios.earliest("position").key
    with pytest.raises(FrozenError):
        scenario_remove(study_id=lab.study.pk, key=key, actor_id=None, now=START)
    assert Study.objects.get(pk=lab.study.pk).design_sha256 == before
    assert lab.study.scenarios.count() == 2


def test_report_79_the_panel_s_address_is_alive_and_its_code_is_encoded() -> None:
    link = panel_load({"provider": "prolific", "codes": _CODES})
    address = redirect_url(link, outcome="complete", external_id="p1", captured={})
    assert address == "https://app.prolific.com/submissions/complete?cc=A%20B%26c"


# The day of the export, and the log, which rightly says that a version was made.
_GOES_ON = {"README.txt", "manifest.json", "events.csv"}


@pytest.mark.django_db
def test_report_76_words_edited_in_a_new_version_leave_the_old_export_as_it_was() -> None:
    sample = sample_study(state="draft")
    Study.objects.update(kind="study")
    study_open(study_id=sample.study.pk, actor_id=None, now=START)
    people_complete(sample, count=2)
    before = _exported(sample.study)
    made = version_create(study_id=sample.study.pk, seed=5, actor_id=None, now=START)
    measures = [{**row, "question": "Other words?"} for row in made.measures]
    Study.objects.filter(pk=made.pk).update(measures=measures)
    after = _exported(sample.study)
    assert {name for name in after if after[name] != before[name]} <= _GOES_ON
    assert after.keys() == before.keys()
    assert "Other words?" in _exported(made)["codebook.csv"].decode()


@pytest.mark.django_db
def test_report_82_no_table_keeps_a_deleted_person_s_names_and_words() -> None:
    sample = sample_study()
    person = person_enrolled(sample, number=1)
    trials_answered(sample, person, trials=2, comment="Words of one person")
    traces = (person.code, person.token, person.completion_code, "Words of one person")
    assert [trace for trace in traces if trace not in _stored()] == []
    participant_withdraw(participant_id=person.pk, now=THEN + timedelta(hours=9))
    assert [trace for trace in traces if trace in _stored()] == []
    exported = b"".join(_exported(sample.study).values()).decode()
    assert [trace for trace in traces if trace in exported] == []


def _exported(study: Study) -> dict[str, bytes]:
    target = io.BytesIO()
    bundle_write(study_id=study.pk, target=target, include_test=True)
    with zipfile.ZipFile(target) as bundle:
        return {name: bundle.read(name) for name in bundle.namelist()}


def _stored() -> str:
    """Every value of every table."""
    return repr([list(model._base_manager.values()) for model in apps.get_models()])

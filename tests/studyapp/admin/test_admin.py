"""The operators' tables: everything can be looked at, nothing can be edited, arms are not told."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from studyapp import models
from studyapp.models import Assignment, Event, Participant, Study, Webhook
from studyapp.services.health import heartbeat_store
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import run_queued
from tests.studyapp.held import draft_new, trial_queued
from tests.studyapp.services.notices.telling import webhook_of

pytestmark = pytest.mark.django_db

_TABLES = [
    "debatetrace",
    "generationrun",
    "modelcall",
    "debaterun",
    "debatebranch",
    "evidencecorpus",
    "stimuluspair",
    "study",
    "scenario",
    "participant",
    "assignment",
    "response",
    "event",
    "studyreport",
    "notice",
    "noticedelivery",
    "noticereader",
    "noticerule",
    "webhook",
    "workerheartbeat",
]


@pytest.fixture
def root() -> Client:
    client = Client()
    user = User.objects.create_superuser("root")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def sample() -> SampleStudy:
    sample = sample_study()
    people_complete(sample, count=2)
    run_queued()
    trial_queued(draft_new())
    webhook_of(sample.study)
    heartbeat_store(worker="one", now=THEN)
    return sample


@pytest.mark.parametrize("table", _TABLES)
def test_every_table_is_shown_and_none_can_be_edited(
    root: Client, sample: SampleStudy, table: str
) -> None:
    base = f"admin:studyapp_{table}"
    model = next(row for row in admin.site._registry if row._meta.model_name == table)  # noqa: SLF001
    row = model._default_manager.first()  # noqa: SLF001

    assert root.get(reverse(f"{base}_changelist")).status_code == 200
    assert root.get(reverse(f"{base}_add")).status_code == 403
    if row is not None:
        assert root.get(reverse(f"{base}_change", args=[row.pk])).status_code == 200
        assert root.post(reverse(f"{base}_change", args=[row.pk]), {}).status_code == 403
        assert root.post(reverse(f"{base}_delete", args=[row.pk])).status_code == 403


def test_no_page_of_the_admin_tells_which_arm_stood_where(
    root: Client, sample: SampleStudy
) -> None:
    pages = [
        reverse("admin:studyapp_assignment_changelist"),
        reverse("admin:studyapp_assignment_change", args=[Assignment.objects.earliest("pk").pk]),
        reverse("admin:studyapp_response_changelist"),
        reverse(
            "admin:studyapp_event_change",
            args=[
                Event.objects.get(
                    participant=Participant.objects.earliest("pk").code, kind="participant.enrolled"
                ).pk
            ],
        ),
    ]

    for page in pages:
        text = root.get(page).content.decode()
        assert "treatment" not in text
        assert "baseline" not in text


def test_no_table_is_listed_by_what_it_does_not_name_as_a_filter(
    root: Client, sample: SampleStudy
) -> None:
    """Who may not see which arm stood where could ask for the rows where it stood left."""
    for model, table in admin.site._registry.items():  # noqa: SLF001 - Django's name for it
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        named = [str(name) for name in (*table.list_filter, table.date_hierarchy)]
        for field in model._meta.concrete_fields:
            for how in ("", "__startswith"):
                answer = root.get(f"{address}?{field.name}{how}=1")
                if field.name not in named:
                    assert answer.status_code == 400, (address, field.name, how)


def test_the_filters_that_a_table_names_are_there(root: Client, sample: SampleStudy) -> None:
    for query in ("study__id__exact=1", f"study={sample.study.pk}", "is_test__exact=1"):
        answer = root.get(f"{reverse('admin:studyapp_participant_changelist')}?{query}")
        assert answer.status_code == 200
    for query in ("kind__exact=study.open", "at__year=2026&at__month=3", "study=sample"):
        answer = root.get(f"{reverse('admin:studyapp_event_changelist')}?{query}")
        assert answer.status_code == 200


def test_personal_links_are_not_shown(root: Client, sample: SampleStudy) -> None:
    person = Participant.objects.earliest("pk")

    page = root.get(reverse("admin:studyapp_participant_change", args=[person.pk]))

    assert person.code in page.content.decode()
    assert person.token not in page.content.decode()


def test_of_a_webhook_its_host_is_shown_and_nothing_that_is_secret(
    root: Client, sample: SampleStudy
) -> None:
    webhook = Webhook.objects.get()
    pages = (
        reverse("admin:studyapp_webhook_changelist"),
        reverse("admin:studyapp_webhook_change", args=[webhook.pk]),
    )
    for page in pages:
        text = root.get(page).content.decode()
        assert "hooks.example.org" in text
        assert "secret-path" not in text
        assert webhook.salt not in text


def test_the_theme_s_policy_lets_in_its_own_scripts_and_holds_in_the_admin_alone(
    root: Client, sample: SampleStudy
) -> None:
    for page in ("admin:index", "admin:studyapp_study_changelist", "admin:auth_user_add"):
        answer = root.get(reverse(page))
        policy = dict(
            row.strip().partition(" ")[::2]
            for row in answer.headers["Content-Security-Policy"].split(";")
        )
        assert policy["script-src"] == "'self' 'unsafe-eval'"
        assert policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["default-src"] == "'none'"
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', answer.content.decode())
        assert not re.findall(r"<script(?![^>]*src=)(?![^>]*json)", answer.content.decode())
    login = Client().get(reverse("admin:login")).headers["Content-Security-Policy"]
    assert "'unsafe-eval'" in login
    for page in ("/", "/login/", reverse("study-detail", kwargs={"slug": sample.study.slug})):
        assert "unsafe" not in root.get(page).headers["Content-Security-Policy"]


def test_accounts_and_second_factors_are_kept_up_in_the_theme_s_forms(root: Client) -> None:
    added = root.post(
        reverse("admin:auth_user_add"),
        {
            "username": "new",
            "usable_password": "true",
            "password1": "correct horse battery",
            "password2": "correct horse battery",
        },
    )
    assert added.status_code == 302
    user = User.objects.get(username="new")
    for page in ("auth_user", "auth_group", "otp_totp_totpdevice", "otp_static_staticdevice"):
        assert root.get(reverse(f"admin:{page}_add")).status_code == 200
    assert root.get(reverse("admin:auth_user_change", args=[user.pk])).status_code == 200
    assert root.get(reverse("admin:auth_user_password_change", args=[user.pk])).status_code == 200
    assert root.get(reverse("admin:axes_accessattempt_changelist")).status_code == 200


def test_one_study_is_exported(root: Client, sample: SampleStudy) -> None:
    response = _action(root, [sample.study])

    data = response.getvalue()
    assert "manifest.json" in zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert Event.objects.get(kind="bundle.exported").payload["actor"] == "root"


def test_two_studies_at_once_are_refused(root: Client, sample: SampleStudy) -> None:
    other = sample_study(slug="other", debates=0)

    response = _action(root, [sample.study, other.study])

    assert response.status_code == 302
    assert not Event.objects.filter(kind="bundle.exported").exists()


def test_the_admin_is_shut_to_participants_and_researchers_without_rights() -> None:
    client = Client()
    client.force_login(
        User.objects.create_user("ada", is_staff=True),
        backend="django.contrib.auth.backends.ModelBackend",
    )

    assert Client().get(reverse("admin:index")).status_code == 302
    assert client.get(reverse("admin:studyapp_study_changelist")).status_code == 403


def test_every_table_of_participants_answers_is_registered() -> None:
    registered = {row.__name__ for row in admin.site._registry}  # noqa: SLF001

    # Cohorts stand inside their study; drafts are a participant's unsent words.
    assert set(models.__all__) - registered == {
        "BranchState",
        "Cohort",
        "CohortKind",
        "CohortState",
        "DebateSystem",
        "DeliveryState",
        "Draft",
        "ExportState",
        "LeasedWork",
        "MemberRole",
        "RetentionAction",
        "LinkKind",
        "Outcome",
        "Relation",
        "ReportKind",
        "ReportSide",
        "ReportState",
        "RunState",
        "StudyKind",
        "StudyState",
    }


def _action(client: Client, studies: list[Study]) -> Any:
    return client.post(
        reverse("admin:studyapp_study_changelist"),
        {"action": "export_bundle", "_selected_action": [study.pk for study in studies]},
    )

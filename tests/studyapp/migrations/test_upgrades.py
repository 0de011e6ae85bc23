"""Upgrading a site that holds something: nothing is lost, and what is new is filled in."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations import RunPython
from django.db.migrations.executor import MigrationExecutor

from studyapp.models import Event
from tests.studyapp.debates import START

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.timeout(180),
]

Apps = Any
Migrate = Callable[[str], Apps]
# Each has its test below.
FILLING: Final = {"0005_places", "0007_members", "0008_versions_and_pilots"}


@pytest.fixture
def migrate() -> Iterator[Migrate]:
    """Take the database to a migration of the site, and back to the newest at the end."""

    def to(name: str) -> Apps:
        targets = [("studyapp", name)]
        MigrationExecutor(connection).migrate(targets)
        return MigrationExecutor(connection).loader.project_state(targets).apps

    yield to
    executor = MigrationExecutor(connection)
    executor.migrate(list(executor.loader.graph.leaf_nodes()))


def _names() -> list[str]:
    """Return the site's migrations in their order."""
    graph = MigrationExecutor(connection).loader.graph
    (leaf,) = graph.leaf_nodes("studyapp")
    return [name for app, name in graph.forwards_plan(leaf) if app == "studyapp"]


def _study(apps: Apps, **values: Any) -> Any:
    known = {"slug": "old", "title": "Old", "seed": 1, "measures": [], "created_at": START}
    return apps.get_model("studyapp", "Study").objects.create(**{**known, **values})


def _person(apps: Apps, study: Any, *, number: int, **values: Any) -> Any:
    cohort, _ = apps.get_model("studyapp", "Cohort").objects.get_or_create(
        study=study, name="open", defaults={"token": f"cohort-{study.pk}"}
    )
    known = {"code": f"P{study.pk}-{number}", "token": f"t{study.pk}-{number}"}
    return apps.get_model("studyapp", "Participant").objects.create(
        study=study, cohort=cohort, enrolment=number, consented_at=START, **known, **values
    )


def test_every_migration_that_fills_something_in_is_tested() -> None:
    loader = MigrationExecutor(connection).loader
    filling = {
        name
        for name in _names()
        if any(
            isinstance(row, RunPython) for row in loader.get_migration("studyapp", name).operations
        )
    }
    assert filling == FILLING


def test_what_is_stored_survives_every_step_from_the_first_to_the_newest(
    migrate: Migrate,
) -> None:
    first, *later = _names()
    old = migrate(first)
    study = _study(old, state="open", design_sha256="d" * 64, opened_at=START)
    _person(old, study, number=1, completed_at=START)
    for name in later:
        people = migrate(name).get_model("studyapp", "Participant").objects
        row = people.values("code", "study__slug", "cohort__name", "completed_at").get()
        assert row == {
            "code": f"P{study.pk}-1",
            "study__slug": "old",
            "cohort__name": "open",
            "completed_at": START,
        }
    out = io.StringIO()
    call_command("makemigrations", "--check", "--dry-run", stdout=out)
    assert "No changes" in out.getvalue()


def test_participants_get_their_places_and_events_their_digests(migrate: Migrate) -> None:
    old = migrate("0004_participants_side")
    told = {"study": "old", "kind": "study.open", "payload": {"actor": "ada"}, "at": START}
    old.get_model("studyapp", "Event").objects.create(**told)
    study = _study(old)
    _person(old, study, number=1, completed_at=START)
    _person(old, study, number=2)
    new = migrate("0005_places")
    places = new.get_model("studyapp", "Place").objects.order_by("number")
    assert list(places.values_list("number", "is_complete", "participant__code")) == [
        (1, True, f"P{study.pk}-1"),
        (2, False, f"P{study.pk}-2"),
    ]
    assert new.get_model("studyapp", "Event").objects.get().sha256 == Event(**told).digest()


def test_owners_become_members(migrate: Migrate) -> None:
    old = migrate("0006_exports")
    ada = old.get_model("auth", "User").objects.create(username="ada")
    _study(old, slug="hers", owner=ada)
    _study(old, slug="nobodys")
    members = migrate("0007_members").get_model("studyapp", "StudyMember").objects
    rows = list(members.values_list("study__slug", "user__username", "role"))
    assert rows == [("hers", "ada", "owner")]


def test_participants_get_the_hash_of_the_design_that_they_met(migrate: Migrate) -> None:
    old = migrate("0007_members")
    launched = _study(old, slug="launched", state="open", design_sha256="d" * 64, opened_at=START)
    draft = _study(old, slug="draft")
    for study in (launched, draft):
        _person(old, study, number=1)
    new = migrate("0008_versions_and_pilots")
    people = new.get_model("studyapp", "Participant").objects.order_by("pk")
    assert list(people.values_list("study__slug", "design_sha256")) == [
        ("launched", "d" * 64),
        ("draft", ""),
    ]
    studies = new.get_model("studyapp", "Study").objects
    assert set(studies.values_list("family", "version", "preregistration")) == {("", 1, None)}

"""Upgrading a site from before roles: who owned a study is its first member."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.studyapp.debates import START

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

_BEFORE = [("studyapp", "0006_exports")]
_MEMBERS = [("studyapp", "0007_members")]


def _migrate(targets: list[tuple[str, str]]) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


def test_owners_become_members() -> None:
    latest = list(MigrationExecutor(connection).loader.graph.leaf_nodes("studyapp"))
    old = _migrate(_BEFORE)
    try:
        ada = old.get_model("auth", "User").objects.create(username="ada")
        study = old.get_model("studyapp", "Study")
        for slug, owner in (("hers", ada), ("nobodys", None)):
            study.objects.create(
                slug=slug, title=slug, owner=owner, seed=1, measures=[], created_at=START
            )

        member = _migrate(_MEMBERS).get_model("studyapp", "StudyMember")

        rows = list(member.objects.values_list("study__slug", "user__username", "role"))
        assert rows == [("hers", "ada", "owner")]
    finally:
        _migrate(latest)

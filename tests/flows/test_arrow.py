"""The whole arrow from outside: debates in, texts written, people asked, answers analysed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.house import House
from tests.flows.taking_part import bundle_export, take_part, ttest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def test_from_two_debates_to_a_t_test(house: House, tmp_path: Path) -> None:
    house.worker_start()
    house.study_generate()
    outcomes = house.rows(
        "SELECT key, outcome FROM studyapp_scenario s "
        "JOIN studyapp_generationrun r ON r.id = s.run_id"
    )
    assert dict(outcomes) == {"energy": "synthesis", "stalemate": "divergence"}
    link = house.study_open()
    house.web_start()

    codes = {take_part(house, link, pick=number).address for number in range(4)}
    assert len(codes) == 4
    assert all(address.endswith("/thanks/") for address in codes)

    tables = bundle_export(house, tmp_path / "demo.zip")
    people = {row["participant_id"] for row in tables["long.csv"]}
    assert len(people) == 4
    assert {row["status"] for row in tables["long.csv"]} == {"complete"}
    assert len(tables["wide.csv"]) == 4 * 2

    done = ttest(str(tmp_path / "demo.zip"), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)

    assert "no outcome by arm" in _design_check(house)


def _design_check(house: House) -> str:
    """Ask for the study's design check; return what a worker stored."""
    code = (
        "from django.contrib.auth.models import User; from django.utils import timezone; "
        "from studyapp import tasks; from studyapp.models import Study, StudyMember; "
        "from studyapp.services.report import report_request; "
        "asker, study = User.objects.create_user('asker'), Study.objects.get(); "
        "StudyMember.objects.create(study=study, user=asker, role='analyst', "
        "added_at=timezone.now()); "
        "tasks.report_build.delay_on_commit(report_id=report_request("
        "study_id=study.pk, language='en', actor_id=asker.pk, now=timezone.now()))"
    )
    house.manage("shell", "--no-imports", "-v", "0", "-c", code)
    ended = "SELECT html, error FROM studyapp_studyreport WHERE state IN ('finished', 'failed')"
    house.wait(lambda: house.rows(ended) != [])
    ((html, error),) = house.rows(ended)
    assert error == ""
    return str(html)

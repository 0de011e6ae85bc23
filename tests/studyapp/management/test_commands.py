"""What can be done from the shell, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from studyapp.models import DebateTrace, GenerationRun, RunState, StimulusPair, Study
from tests.sample_study import DEMO

pytestmark = pytest.mark.django_db


def test_the_demo_study_is_loaded_for_an_owner_and_its_texts_are_written_here() -> None:
    User.objects.create_user("ada", is_staff=True)

    call_command("load_study", str(DEMO), "--owner", "ada")
    call_command("load_study", str(DEMO), "--owner", "ada")
    call_command("generate_texts", "demo", "--here")
    call_command("generate_texts", "demo", "--here")

    study = Study.objects.get()
    assert study.owner is not None
    assert study.owner.get_username() == "ada"
    outcomes = {row.run.outcome for row in study.scenarios.select_related("run") if row.run}
    assert outcomes == {"synthesis", "divergence"}
    assert StimulusPair.objects.filter(has_contrast=True).count() == 2


def test_a_configuration_comes_from_a_file(tmp_path: Path) -> None:
    call_command("load_study", str(DEMO))
    config = tmp_path / "gate.json"
    config.write_text(json.dumps({"pairs": 1}), encoding="utf-8")

    call_command("generate_texts", "demo", "--config", str(config), "--here")

    runs = GenerationRun.objects.all()
    assert {run.config["pairs"] for run in runs} == {1}
    assert {run.state for run in runs} == {RunState.FINISHED}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["load_study", "nowhere.json"], r"nowhere\.json"),
        (["load_study", str(DEMO), "--owner", "nobody"], "no user 'nobody'"),
        (["generate_texts", "nope"], "no study 'nope'"),
        (["export_study", "nope", "--out", "x.zip"], "no study 'nope'"),
    ],
)
def test_a_refusal_names_what_was_found_and_exits_with_status_2(
    arguments: list[str], said: str
) -> None:
    with pytest.raises(CommandError, match=said) as refusal:
        call_command(*arguments)

    assert refusal.value.returncode == 2
    assert not DebateTrace.objects.exists()


@pytest.mark.parametrize("content", ["{", "[]", '{"pairs": 0}', '{"pears": 3}'])
def test_a_bad_configuration_creates_no_run(tmp_path: Path, content: str) -> None:
    call_command("load_study", str(DEMO))
    (tmp_path / "gate.json").write_text(content, encoding="utf-8")

    with pytest.raises(CommandError) as refusal:
        call_command("generate_texts", "demo", "--config", str(tmp_path / "gate.json"))

    assert refusal.value.returncode == 2
    assert not GenerationRun.objects.exists()


def test_an_unknown_preset_is_refused() -> None:
    call_command("load_study", str(DEMO))

    with pytest.raises(CommandError, match="offline or paper"):
        call_command("generate_texts", "demo", "--preset", "free")


def test_an_export_to_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    call_command("load_study", str(DEMO))

    with pytest.raises(CommandError, match="No such file"):
        call_command("export_study", "demo", "--out", str(tmp_path / "no" / "x.zip"))

"""A debate held for a study from the shell, and how the command refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from studyapp.models import DebateRun, RunState, Study
from tests.apg_engine.debates.courtroom.trials import CLAIM
from tests.studyapp.held import corpus, draft_new

pytestmark = pytest.mark.django_db


@pytest.fixture
def slug(settings: Any, tmp_path: Path) -> str:
    settings.VAR_DIR = tmp_path
    return Study.objects.get(pk=draft_new()).slug


def test_a_committees_debate_held_here_becomes_a_scenario(
    slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("hold_debate", slug, "committee", "--turns", "6", "--seed", "126", "--here")

    debate = DebateRun.objects.get()
    assert (debate.state, debate.scenario is not None) == (RunState.FINISHED, True)
    assert f"debate {debate.pk} finished, max_rounds" in capsys.readouterr().out


def test_a_trial_held_here_has_both_its_runs(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(corpus().data)
    asked = ["--claim", CLAIM, "--corpus", str(file), "--rounds", "1", "--here"]

    call_command("hold_debate", slug, "courtroom", *asked)

    debate = DebateRun.objects.get()
    assert debate.record is not None
    assert debate.state == RunState.FINISHED
    assert debate.record["switched_run"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "committee"], "no study 'nowhere'"),
        (["SLUG", "committee", "--turns", "7"], "turns"),
        (["SLUG", "courtroom", "--claim", CLAIM], "needs --corpus FILE"),
        (["SLUG", "courtroom", "--claim", CLAIM, "--corpus", "gone.jsonl"], r"gone\.jsonl"),
        (["SLUG", "committee", "--config", "gone.yaml"], r"gone\.yaml"),
    ],
)
def test_what_cannot_be_held_is_refused_and_nothing_is_queued(
    slug: str, arguments: list[str], said: str
) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        call_command("hold_debate", *[slug if one == "SLUG" else one for one in arguments])

    assert refused.value.returncode == 2
    assert not DebateRun.objects.exists()

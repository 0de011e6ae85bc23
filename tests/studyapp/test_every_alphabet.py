"""Debates in any alphabet come in by every way, whatever the system's own encoding is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from studyapp.models import DebateTrace
from studyapp.services.study import study_build
from tests.studyapp.api.calling import caller_of
from tests.studyapp.api.operations import definition
from tests.studyapp.debates import POLISH, START
from tests.studyapp.lab import browser_of, user_new

LETTERS: Final = "Zażółć gęślą jaźń · Nəxʷsƛ̕ay̓ · 你好 · 😀 · العربية"
ROOT: Final = Path(__file__).resolve().parents[2]


@pytest.fixture
def debate(tmp_path: Path) -> Path:
    """A debate in many alphabets, in a file that is named in one."""
    trace = json.loads(POLISH.read_text(encoding="utf-8"))
    trace["turns"][0]["text"] = LETTERS
    path = tmp_path / "zażółć.json"
    path.write_text(json.dumps(trace, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_report_68_a_program_reads_and_writes_it_in_any_locale(
    debate: Path, tmp_path: Path, locale: str
) -> None:
    """davidjurgens/potato#112: text outside ASCII crashed where the system's encoding was old."""
    out = tmp_path / "jaźń.json"
    done = subprocess.run(
        [sys.executable, "-m", "apg_engine", "import", str(debate), "--out", str(out)],
        cwd=ROOT,
        env={
            **os.environ,
            "LC_ALL": locale,
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
        },
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(out.read_text(encoding="utf-8"))["turns"][0]["text"] == LETTERS


@pytest.mark.django_db
def test_report_68_a_page_the_api_and_a_command_take_it(debate: Path, tmp_path: Path) -> None:
    ada = user_new("ada")
    study = study_build(title="Ą", debates=[], seed=1, owner_id=ada.pk, now=START)
    file = SimpleUploadedFile(debate.name, debate.read_bytes())
    browser_of(ada).post(f"/studies/{study.slug}/debates/", {"debates": file})
    assert _stored() == {LETTERS}

    DebateTrace.objects.all().update(sha256="0" * 64)
    sent = {"file_name": debate.name, "content": debate.read_text(encoding="utf-8")}
    assert caller_of(ada.pk).post(f"/studies/{study.slug}/traces", sent).status_code == 201

    named = definition(
        slug="by-command", scenarios=[{"key": "one", "title": LETTERS[:15], "trace": debate.name}]
    )
    path = tmp_path / "definition.json"
    path.write_text(json.dumps(named, ensure_ascii=False), encoding="utf-8")
    call_command("load_study", str(path))
    assert _stored() == {LETTERS}
    assert DebateTrace.objects.count() == 2


def _stored() -> set[str]:
    contents: list[Any] = list(DebateTrace.objects.values_list("content", flat=True))
    return {content["turns"][0]["text"] for content in contents}

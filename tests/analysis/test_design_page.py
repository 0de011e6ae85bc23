"""The check of a running study, which shows no outcome by arm."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.commands import run
from analysis.report.pages import design_page
from tests.analysis.reports import crossed
from tests.analysis.studies import bundle

# A whole report takes seconds, and many of them on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_a_running_study_shows_its_design_and_no_outcome_by_arm(tmp_path: Path) -> None:
    path = bundle(tmp_path, crossed())
    page = design_page(path)
    assert "Balance of positions and orders" in page
    assert "This page shows no outcome by arm" in page
    # Other ratings under the same design give the same page, but for the file's hash.
    turned = [
        replace(row, value=6 - int(row.value)) if row.kind == "rating" else row for row in crossed()
    ]
    (tmp_path / "other").mkdir()
    other = design_page(bundle(tmp_path / "other", turned))
    hashes = re.compile(r"[0-9a-f]{64}")
    assert hashes.sub("", page) == hashes.sub("", other)


def test_the_check_of_a_running_study_is_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bundle(tmp_path, crossed())

    assert run(["design", str(path), "--out", str(tmp_path / "check"), "--lang", "pl"]) == 0

    page = tmp_path / "check" / "design.html"
    assert capsys.readouterr().out == f"{page}\n"
    assert page.read_text(encoding="utf-8") == design_page(path, language="pl")

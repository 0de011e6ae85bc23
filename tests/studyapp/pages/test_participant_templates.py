"""The linter refuses participant templates that name what tells one report from the other."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RULES = str(ROOT / ".djlint_rules.yaml")
WORDS = (
    *("arm", "condition", "source", "model_name", "treatment", "reference", "run_id"),
    *("treatment_is_left", "reference_text", "left_arm", "baseline", "apg"),
)


def lint(path: Path) -> str:
    """Lint with the project's rules; return what is printed."""
    done = subprocess.run(
        [sys.executable, "-m", "djlint", "--lint", "--quiet", "--rules", RULES, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.slow
def test_each_telling_name_is_refused_and_ordinary_words_are_not(tmp_path: Path) -> None:
    page = tmp_path / "participant.html"
    places = ("{{{{ trial.{} }}}}", "{{% if {} %}}x{{% endif %}}", '<b class="{}">x</b>', "{}")
    lines = [place.format(word) for word in WORDS for place in places]
    page.write_text("".join(f"<p>{line}</p>\n" for line in lines))
    found = lint(page)
    assert found.count("B001") == len(lines), found
    page.write_text("<p>{{ trial.title }} harmless alarm resources unconditional</p>\n")
    assert "B001" not in lint(page)


FORMS = [
    (path.name, form)
    for path in sorted((ROOT / "templates" / "participant").glob("*.html"))
    for form in re.findall(r"<form\b.*?</form>", path.read_text(), re.DOTALL)
]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_every_form_waits_for_a_server_that_cannot_be_reached(name: str, form: str) -> None:
    """Sent into nothing, a form would be lost with its page."""
    page = (ROOT / "templates" / "participant" / name).read_text()
    if "data-draft=" in form:
        assert "draft.js" in page
        return
    assert "data-waits=" in form
    assert "participant/_waiting.html" in form
    assert "waiting.js" in page

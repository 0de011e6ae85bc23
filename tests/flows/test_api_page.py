"""The API's page in docs/: its examples, run as they stand there, take a study to its answers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.flows.house import ROOT, House
from tests.flows.taking_part import Person, tables_read

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

_PAGE: Final = ROOT / "docs" / "api.md"
_SITE: Final = "https://study.example"
_PROGRAMS: Final = {
    "python": [sys.executable, "-c"],
    "sh": ["bash", "-euo", "pipefail", "-c"],
}
_ADA: Final = (
    "from django.contrib.auth.models import User; from django.utils import timezone; "
    "from studyapp.domain.api_scopes import SCOPES; "
    "from studyapp.services.api_access import api_token_create; "
    "ada = User.objects.create_user('ada', is_staff=True); "
    "print(api_token_create(user_id=ada.pk, name='page', scopes=SCOPES, days=7, "
    "now=timezone.now()).secret)"
)


@dataclass(frozen=True)
class Reader:
    """Somebody who types in what the page says."""

    house: House
    folder: Path
    token: str

    def run(self, language: str, block: str) -> str:
        """Run a block; return what it printed."""
        done = subprocess.run(
            [*_PROGRAMS[language], block.replace(_SITE, self.house.url)],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "TOKEN": self.token},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def get(self, path: str) -> Any:
        """Ask beside the page."""
        asked = urllib.request.Request(  # noqa: S310 - loopback
            f"{self.house.url}/api/v1/studies/my-study{path}",
            headers={"Authorization": f"Bearer {self.token}"},
        )
        with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310 - loopback
            return json.load(answer)


def blocks() -> list[tuple[str, str]]:
    """Return the examples that take a study from beginning to end, with their language."""
    way = _PAGE.read_text().partition("## From the shell")[2]
    return re.findall(r"```(sh|python)\n(.*?)```", way, flags=re.DOTALL)


@pytest.fixture
def reader(house: House, tmp_path: Path) -> Reader:
    if shutil.which("curl") is None or shutil.which("jq") is None:
        pytest.skip("needs curl and jq")
    house.worker_start()
    house.web_start()
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    token = house.manage("shell", "--no-imports", "-v", "0", "-c", _ADA).strip()
    return Reader(house, folder, token)


def test_a_study_goes_from_its_definition_to_its_answers_by_the_page(reader: Reader) -> None:
    (_, begin), *examples = blocks()
    said = []
    for language, block in examples:
        said.append(reader.run(language, block if language == "python" else begin + block))
        if "/links" in block and "revoke" in block:
            _take_part(reader)

    assert reader.get("")["state"] == "closed"
    assert said[-1].strip() == "1"
    rows = tables_read(reader.folder / "answers.zip")["long.csv"]
    assert {row["status"] for row in rows} == {"complete"}
    assert {row["arm"] for row in rows if row["arm"]} == {"baseline", "apg"}
    assert "my-study-v2" in "".join(said)
    assert [text for text in said if "\nprotection: " in text and ": null" not in text]
    assert '"slug":"my-fork"' in "".join(said)


def _take_part(reader: Reader) -> None:
    """Be Ann, who got her link."""
    links = reader.get("/cohorts/experts/links?order=name")["results"]
    assert [row["state"] for row in links] == ["sent", "revoked"]
    Person(reader.house, 1).take_part(links[0]["url"].removeprefix(reader.house.url))

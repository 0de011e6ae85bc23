"""Participants over HTTP, and what a researcher does with their answers."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from tests.flows.house import ROOT, House
from tests.flows.http_client import HttpClient
from tests.walking import Walker


@dataclass
class Person:
    """A participant who remembers what they chose: `sent` by page address and field."""

    house: House
    number: int
    sent: dict[str, dict[str, str]] = field(default_factory=dict)
    walker: Walker = field(init=False)

    def __post_init__(self) -> None:
        self.walker = Walker(client=HttpClient(self.house.url))  # type: ignore[arg-type] # alike

    @property
    def token(self) -> str:
        """The token of the personal link this person stands at."""
        return self.walker.address.split("/")[2]

    def take_part(self, link: str) -> Person:
        """Go from the link to the thanks page."""
        self.walker.walk(link, self._choose)
        assert self.walker.address.endswith("/thanks/"), self.walker.address
        return self

    def _choose(self, name: str, offered: list[str]) -> str:
        # Different people and different fields differ, and each choice can be told again.
        chosen = offered[(self.number + len(name)) % len(offered)]
        self.sent.setdefault(self.walker.address, {})[name] = chosen
        return chosen


def take_part(house: House, link: str, *, pick: int) -> Walker:
    """Take part as person number `pick`; return the walker at the last page."""
    return Person(house, pick).take_part(link).walker


def bundle_export(house: House, path: Path) -> dict[str, list[dict[str, str]]]:
    """Export the demo study by command; return the rows of each of its CSV files."""
    house.manage("export_study", "demo", "--out", str(path))
    return tables_read(path)


def tables_read(path: Path) -> dict[str, list[dict[str, str]]]:
    """Return the rows of each CSV file of a bundle."""
    tables = {}
    with zipfile.ZipFile(path) as bundle:
        for name in bundle.namelist():
            if name.endswith(".csv"):
                text = io.TextIOWrapper(bundle.open(name), encoding="utf-8", newline="")
                tables[Path(name).name] = list(csv.DictReader(text))
    return tables


def ttest(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the analysis as a researcher does."""
    return subprocess.run(
        [sys.executable, str(ROOT / "analysis" / "ttest.py"), *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )

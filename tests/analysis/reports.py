"""Reports as the command writes them, and a study large enough for every section."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from analysis.commands import run
from analysis.schema import LongRow
from tests.analysis.studies import choice, rating


def report(folder: Path, path: Path, *arguments: str) -> Path:
    """The folder of a report that the command wrote."""
    out = folder / "out"
    assert run(["report", str(path), "--out", str(out), *arguments]) == 0
    return out


def crossed(people: int = 24) -> list[LongRow]:
    """Two scenarios, two cohorts, both positions and orders, times: a whole study."""
    dice = random.Random(3)
    rows: list[LongRow] = []
    for number in range(1, people + 1):
        for place, scenario in enumerate(("energy", "stalemate"), start=1):
            left = "baseline" if (number + place) % 2 else "apg"
            first, second = dice.randint(1, 4), dice.randint(2, 5)
            order = place if number % 3 else 3 - place
            trial = [
                rating(f"p{number}", "baseline", first, scenario=scenario, left=left),
                rating(f"p{number}", "apg", second, scenario=scenario, left=left),
                replace(
                    choice(f"p{number}", dice.choice(["apg", "apg", "baseline", "neither"])),
                    scenario=scenario, left_arm=left,
                ),
            ]  # fmt: skip
            minutes = 1 + dice.randint(0, 8)
            rows += [
                replace(
                    row, trial_order=order, cohort="expert" if number % 2 else "crowd",
                    answered_at=f"2026-11-30T10:{minutes:02d}:00Z",
                )
                for row in trial
            ]  # fmt: skip
    return rows


def plain_signs(folder: Path) -> str:
    """The page with its hard blanks and minus signs as they are typed."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    return page.replace("\u00a0", " ").replace("\u2212", "-")

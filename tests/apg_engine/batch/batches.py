"""Batches of the shell and what they wrote."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from apg_engine.cli.parser import main
from tests.fakes.openai_server import FakeOpenAI

ROOT = Path(__file__).resolve().parents[3]


def batch(*arguments: object) -> int:
    return main(["batch", *map(str, arguments)], environment={})


def live(server: FakeOpenAI) -> list[str]:
    return [
        "--proposer", "m", "--proposer-base-url", server.base_url,
        "--auditor", "n", "--auditor-base-url", server.base_url,
    ]  # fmt: skip


def rows(out: Path) -> dict[str, dict[str, str]]:
    with (out / "runs.csv").open(encoding="utf-8", newline="") as file:
        return {row["run"].rpartition("-")[0]: row for row in csv.DictReader(file)}


def lines(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "sentences.jsonl").read_text("utf-8").splitlines()]

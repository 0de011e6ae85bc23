"""Debates of the shell and what they wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from apg_engine.cli.parser import main


def run(*arguments: object) -> int:
    return main(["debate", *map(str, arguments)], environment={})


def record(out: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((out / "debate.json").read_text("utf-8"))
    return data


def files(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }

"""Building the environment: what is refused, and with which words."""

from __future__ import annotations

import importlib.util
import io
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from tools.environment import EnvironmentRefusedError, environment_build
from tools.progress import Progress


@pytest.mark.parametrize("part", ["venv", "ensurepip"])
def test_a_python_without_a_part_is_refused_with_the_line_that_mends_it(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> ModuleSpec | None:
        return None if name == part else ModuleSpec(name, None)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    with pytest.raises(EnvironmentRefusedError, match=rf"no {part} module") as caught:
        environment_build(task="demo", folder=tmp_path / "venv", progress=Progress(io.StringIO()))
    assert "then: make demo" in str(caught.value)
    assert not (tmp_path / "venv").exists()


def test_every_requirement_is_pinned_and_so_is_all_it_pulls_in() -> None:
    root = Path(__file__).resolve().parents[2]
    pins = {_name(line) for line in _lines(root / "constraints.txt")}
    for file in ("requirements.txt", "requirements-dev.txt"):
        for line in _lines(root / file):
            assert "==" in line, f"{file}: {line}"
            assert _name(line) in pins, f"{file}: {line} is not in constraints.txt"


def _lines(path: Path) -> list[str]:
    lines = (line.split(";")[0].strip() for line in path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


def _name(line: str) -> str:
    return line.split("==")[0].split("[")[0].lower().replace("_", "-").replace(".", "-")

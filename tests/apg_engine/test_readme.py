"""What the README shows of the engine is what the engine does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apg_engine.cli.parser import main

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_lines_of_the_readme_run_as_they_stand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

    exec(compile(block, "README.md", "exec"), {})  # noqa: S102 (our own lines)

    assert capsys.readouterr().out == "Fidelity(supported=0, total=1)\ndivergence\n"


def test_the_readme_names_every_command_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    named = set(re.findall(r"^\| `([a-z]+) ", README, re.MULTILINE))
    with pytest.raises(SystemExit):
        main(["--help"], environment={})
    listed = set(re.findall(r"^    ([a-z]+) ", capsys.readouterr().out, re.MULTILINE))

    assert named == listed


def test_every_option_the_readme_names_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    commands = set(re.findall(r"^\| `([a-z]+) ", README, re.MULTILINE))
    section = README.partition("## The engine alone")[2].partition("\n## ")[0]
    helps = []
    for command in commands:
        with pytest.raises(SystemExit):
            main([command, "--help"], environment={})
        helps.append(capsys.readouterr().out)

    for option in set(re.findall(r"(--[a-z][a-z-]+)", section)) - {"--help"}:
        assert any(re.search(rf"{option}\b", text) for text in helps), option

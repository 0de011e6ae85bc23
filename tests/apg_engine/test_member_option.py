"""An ensemble from the shell: each judge with options of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apg_engine import trace_to_dict
from apg_engine.cli.parser import main
from tests.apg_engine.traces_for_tests import two_sided
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "trace.json").write_text(json.dumps(trace_to_dict(two_sided())))
    (tmp_path / "draft.txt").write_text("The clinic must receive at least 22 MW.")
    return tmp_path


def command(files: Path, *options: str) -> list[str]:
    return [
        "audit", str(files / "draft.txt"), "--corpus", str(files / "trace.json"), "--json", *options
    ]  # fmt: skip


def test_each_judge_is_asked_where_and_as_its_own_options_say(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeOpenAI(plausible) as one, FakeOpenAI(plausible) as other:
        main(
            command(
                files, "--auditor", "ensemble:majority", "--auditor-member", "offline",
                "--auditor-member", f"first base-url={one.base_url} key-env=KEY temperature=0.25",
                "--auditor-member", f"second base-url={other.base_url} max-tokens=77",
            ),
            environment={"KEY": "secret-of-the-first"},
        )  # fmt: skip

    (first,), (second,) = one.requests, other.requests
    opinions = json.loads(capsys.readouterr().out)["verdicts"][0]["opinions"]
    assert (first["model"], first["temperature"]) == ("first", 0.25)
    assert (second["model"], second["temperature"], second["max_tokens"]) == ("second", 0.0, 77)
    assert [opinion["auditor"] for opinion in opinions][1:] == ["first", "second"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("ensemble:best", "--auditor-member", "offline"), "'best'; allowed: unanimous, majority"),
        (("ensemble:veto",), "0 members of a model of kind ensemble"),
        (("offline", "--auditor-member", "offline"), "1 members of a model of kind offline"),
        (("ensemble:veto", "--auditor-member", "m color=red"), "'color=red'; allowed: base-url="),
        (("ensemble:veto", "--auditor-member", "m attempts=many"), "attempts: found 'many'"),
        (("ensemble:veto", "--auditor-member", "m attempts=99"), "auditor.members[0].attempts"),
        (("ensemble:veto", "--auditor-member", "m 'base-url"), "with quotes closed"),
        (("ensemble:veto", "--auditor-member", "ensemble:veto"), "auditor.members[0].kind"),
    ],
)
def test_what_a_judge_cannot_be_is_named(
    files: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], told: str
) -> None:
    assert main(command(files, "--auditor", *options), environment={}) == 2
    assert told in " ".join(capsys.readouterr().err.split()).replace("kind: found", "kind found")

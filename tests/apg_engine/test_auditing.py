from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from apg_engine import Fidelity, Label, MemoryJournal, ModelSpec, audit, audit_to_dict
from apg_engine.cli.parser import main
from apg_engine.models import auditor_build
from tests.apg_engine.provenance.runs import trace_file
from tests.apg_engine.traces_for_tests import trace_of, two_sided
from tests.fakes.openai_answers import text
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible

STATED = "The pumping station must receive at least 26 MW."


@pytest.fixture
def debate(tmp_path: Path) -> Path:
    return trace_file(tmp_path / "debate.json", two_sided())


def command(*arguments: object, environment: dict[str, str] | None = None) -> int:
    return main(["audit", *map(str, arguments)], environment=environment or {})


def test_a_text_is_judged_sentence_by_sentence_and_counted_by_code() -> None:
    found = audit(f"# Plan\n\n{STATED} All parties agree on it.", two_sided())

    assert [verdict.label for verdict in found.verdicts] == [Label.SUPPORTED, Label.UNDETERMINED]
    assert found.fidelity == Fidelity(1, 2)
    assert found.offline
    quote = found.verdicts[0].supporting[0]
    assert (quote.address, quote.text) == ("T1.1", STATED)


def test_without_claims_or_without_a_corpus_nothing_is_judged() -> None:
    assert audit("Thank you.", two_sided()).failure == "no_claims"
    assert audit("Thank you.", two_sided()).fidelity is None
    assert audit(STATED, trace_of(context="")).failure == "empty_corpus"


def test_a_models_calls_are_kept_and_not_repeated() -> None:
    with FakeOpenAI(plausible) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url)
        judge, journal = auditor_build(spec, environment={}), MemoryJournal()
        first = audit(STATED, two_sided(), auditor=judge, journal=journal)
        again = audit(STATED, two_sided(), auditor=judge, journal=journal)

        assert first == again
        assert server.calls == 1
    assert not first.offline
    assert first.calibrated is not None
    assert first.calibrated.domain == "no card"


def test_an_audit_is_plain_json() -> None:
    found = audit(STATED, two_sided())

    data = audit_to_dict(found)

    assert json.loads(json.dumps(data)) == data
    assert data["schema"] == "apg-audit"
    assert data["verdicts"][0]["label"] == "supported"


def test_the_command_shows_verdict_and_evidence(
    debate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "text.md"
    file.write_text(f"{STATED}\n\nThe clinic must receive at least 23 MW.\n", "utf-8")

    assert command(file, "--corpus", debate) == 3

    told = capsys.readouterr().out
    assert '+ T1.1[0:48] "The pumping station must receive at least 26 MW."' in told
    assert "PF 1/2 (0.500)" in told
    assert "not what is true" in told


def test_the_status_says_whether_the_text_would_pass(
    debate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for said, threshold, status in (
        (STATED, 95, 0),
        (f"{STATED} It rains.", 95, 3),
        (f"{STATED} It rains.", 50, 0),
        ("Thank you.", 95, 4),
        ("", 95, 4),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said.encode())))
        assert command("-", "--corpus", debate, "--threshold", threshold) == status


def test_the_command_gives_the_whole_audit_as_json(
    debate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes(b"\xef\xbb\xbf" + STATED.encode())

    assert command(file, "--corpus", debate, "--json") == 0

    assert json.loads(capsys.readouterr().out) == audit_to_dict(audit(STATED, two_sided()))


def test_a_model_can_judge_from_the_shell_and_its_calls_are_kept(
    debate: Path, tmp_path: Path
) -> None:
    file, journal = tmp_path / "text.txt", tmp_path / "calls.jsonl"
    file.write_text(STATED)
    with FakeOpenAI([text("I cannot.")]) as server:
        model = ["--auditor", "m", "--auditor-base-url", server.base_url, "--journal", journal]
        assert command(file, "--corpus", debate, *model) == 4
        assert command(file, "--corpus", debate, *model) == 4
        assert server.calls == 2


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["none.txt"], "none.txt"),
        (["bad.txt"], "byte 2"),
        (["text.txt", "--max-bytes", "3"], "at most 3 bytes"),
        (["text.txt", "--auditor", "scripted:none.json"], "none.json"),
        (["text.txt", "--auditor", "m"], "api_key_env"),
        (["text.txt", "--auditor", "nli:nowhere"], "nowhere"),
        (["text.txt", "--auditor-card", "none.json"], "none.json"),
        (["text.txt", "--config", "none.json"], "none.json"),
        (["text.txt", "--config", "text.txt"], "no JSON"),
        (["text.txt", "--config", "list.json"], "a JSON object"),
        (["text.txt", "--config", "list.json", "--preset", "offline"], "one of the two"),
        (["text.txt", "--threshold", "101"], "1 to 100"),
    ],
)
def test_bad_input_gets_one_clear_line(
    arguments: list[str],
    word: str,
    debate: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bad.txt").write_bytes(b"ab\xff")
    (tmp_path / "text.txt").write_text(STATED)
    (tmp_path / "list.json").write_text("[]")
    monkeypatch.chdir(tmp_path)

    limits = [] if "--max-bytes" in arguments else ["--max-bytes", "99999"]
    corpus = ["--corpus", str(debate), *limits]
    status = command(*arguments, *corpus)

    told = capsys.readouterr()
    assert status == 2
    assert told.err.count("\n") == 1
    assert word in told.err or (word == "at most 3 bytes" and "3 bytes" in told.err)
    assert told.out == ""


def test_a_configuration_file_names_the_auditor(debate: Path, tmp_path: Path) -> None:
    config, file = tmp_path / "gate.json", tmp_path / "text.txt"
    config.write_text(json.dumps({"threshold_percent": 50, "auditor": {"kind": "offline"}}))
    file.write_text(f"{STATED} It rains.")

    assert command(file, "--corpus", debate, "--config", config) == 0
    assert command(file, "--corpus", debate, "--config", config, "--threshold", 95) == 3

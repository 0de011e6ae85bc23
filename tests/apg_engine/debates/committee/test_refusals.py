"""Settings and folders that `debate committee` refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apg_engine.debates.committee.commands import files, record, run


@pytest.mark.parametrize("turns", [0, 1, 10, 13, 93])
def test_turns_that_are_not_equal_for_all_are_an_error_and_write_nothing(
    turns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("committee", "--turns", turns, "--out", tmp_path / "d") == 2

    told = capsys.readouterr().err
    assert f"turns: found {turns}; allowed: " in told
    assert not (tmp_path / "d").exists()


def test_a_folder_of_another_debate_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "d"
    run("committee", "--seed", 1, "--turns", 3, "--out", out, "--json")
    before = files(out)

    assert run("committee", "--seed", 2, "--turns", 3, "--out", out, "--json") == 2
    assert "a debate with another setup" in capsys.readouterr().err
    assert files(out) == before


def test_a_yaml_file_sets_a_debate_and_options_go_before_it(tmp_path: Path) -> None:
    settings = tmp_path / "c.yaml"
    settings.write_text(
        "scenario: orbital\nseed: 7\nturns: 9\nenforcement: off\n"
        "shocks: {turns: [2], kinds: [zero_sum]}\nconflict_rule: paper\n"
    )
    out = tmp_path / "d"

    run("committee", "--config", settings, "--turns", 6, "--out", out, "--json")

    held = record(out)
    assert (held["scenario"], held["setup"]["seed"], len(held["turns"])) == ("orbital", 7, 6)
    assert [(one["turn"], one["kind"]) for one in held["shocks"]] == [(2, "zero_sum")]
    assert held["conflict"] == {"level": "high", "rule": "paper"}
    assert held["enforcement"]["mode"] == "off"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("turns: 12\nturn: 3\n", "fields: found turn; allowed: scenario, seed, turns"),
        ("scenario: volcano\n", "scenario: found 'volcano'; allowed: energy"),
        ("turns: twelve\n", "turns: found 'twelve'"),
        ("seed: true\n", "seed: found True"),
        ("shocks: {turns: [8, 4]}\n", "shocks.turns: found [8, 4]; allowed: each turn once"),
        ("shocks: {kinds: []}\n", "shocks.kinds: found []"),
        ("shocks: {kinds: [flood]}\n", "shocks.kinds: found 'flood'"),
        ("enforcement: strict\n", "enforcement: found 'strict'; allowed: off, flag, repair"),
        ("limits: {run: {calls: -1}}\n", "limits.run.calls: found -1"),
        ("limits: {run: {hours: 1}}\n", "limits.run: found hours"),
        ("debaters: {chair: {kind: offline}}\n", "debaters: found chair"),
        ("- a list\n", "content: found list; allowed: a mapping"),
        ("turns: [\n", "content: found no YAML"),
        ("gate: {pairs: 99}\n", "pairs: found 99"),
        (
            "gate: {proposer: {kind: openai, name: m, api_key_env: NOT_SET}}\n",
            "proposer: the environment variable NOT_SET is not set",
        ),
        (
            "debaters: {structure: {kind: openai, name: m, api_key_env: NOT_SET}}\n",
            "structure: the environment variable NOT_SET is not set",
        ),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_by_its_place(
    text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "c.yaml"
    settings.write_text(text)

    assert run("committee", "--config", settings, "--out", tmp_path / "d") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"scenario: \xff\n", "allowed: a file in UTF-8"),
        (b"gate: 3\n", "configuration: content: found int; allowed: an object"),
        (b'debaters: {default: {name: "\\uD800"}}\n', "no text in UTF-8"),
    ],
)
def test_a_configuration_that_cannot_be_kept_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, complaint: str
) -> None:
    (tmp_path / "committee.yaml").write_bytes(content)

    assert run("committee", "--config", tmp_path / "committee.yaml", "--out", tmp_path / "d") == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "d").exists()

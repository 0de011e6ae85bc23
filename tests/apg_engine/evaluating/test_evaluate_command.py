"""`evaluate` from the shell's side: exit status, what is printed, what is in the folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from apg_engine.cli.parser import main
from apg_engine.evaluating.rows import rows_load
from tests.fakes.evaluating import evaluated
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.trying import trying

NAMES = ("arnica", "borage", "camomile", "dill")
HERBS = ("cures cough", "does not cure cough", "cures fever", "does not cure fever")


@pytest.fixture
def data(tmp_path: Path) -> tuple[list[str], list[str]]:
    """Write claims and an index; give the options that name them."""
    labels = ("SUPPORT", "REFUTE")
    claims = [
        {
            "id": f"c{n}",
            "claim": f"Herb {NAMES[n]} {HERBS[n].replace('does not cure', 'cures')}.",
            "label": labels[n % 2],
            "rationale": [f"Herb {NAMES[n]} {HERBS[n]}."],
        }
        for n in range(4)
    ]
    texts = [{"id": f"d{n}", "text": f"Herb {NAMES[n]} {HERBS[n]}."} for n in range(4)]
    for name, rows in (("claims", claims), ("corpus", texts)):
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, "utf-8")
    corpus, index = str(tmp_path / "corpus.jsonl"), str(tmp_path / "index")
    build = ["index", "build", corpus, "--embedder", "hashed-words", "--out", index]
    assert main(build, environment={}) == 0
    own = str(tmp_path / "claims.jsonl")
    return ["--data", own, "--training", own, "--out", str(tmp_path / "out")], ["--index", index]


@pytest.fixture
def endpoint() -> Iterator[list[str]]:
    with FakeOpenAI(evaluated) as server:
        yield ["--model", "m", "--model-base-url", server.base_url]


def evaluate(*options: str, systems: tuple[str, ...]) -> int:
    named = [part for name in systems for part in ("--system", name)]
    return main(["evaluate", "claims", *options, *named], environment={})


def test_systems_without_a_model_are_compared_in_one_report(
    data: tuple[list[str], list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    systems = ("courtroom", "no_rag", "mad", "single", "majority", "claim_only", "vote")
    capsys.readouterr()
    assert evaluate(*data[0], *data[1], "--json", systems=systems) == 0

    told = json.loads(capsys.readouterr().out)
    assert [run["system"] for run in told["runs"]] == list(systems)
    assert len(told["paired_tests"]) == 21
    assert all(run["taken"]["tokens"] == 0 for run in told["runs"])
    assert len(rows_load(tmp_path / "out")) == 28
    assert json.loads((tmp_path / "out/report.json").read_text("utf-8")) == told
    assert (tmp_path / "out/report.md").read_text("utf-8").startswith("# Evaluation")


def test_a_model_at_an_endpoint_is_evaluated_with_votes_at_equal_budget(
    data: tuple[list[str], list[str]], endpoint: list[str], tmp_path: Path
) -> None:
    systems = ("mad", "single", "self_consistency", "vote")
    options = ("--rounds", "2", "--chunks", "1", "--seeds", "2", "--concurrency", "4", "--json")
    assert evaluate(*data[0], *data[1], *endpoint, *options, systems=systems) == 0

    rows = {row.key: row for row in rows_load(tmp_path / "out")}
    assert len(rows) == 4 * 4 * 2
    assert all(row.is_correct for row in rows.values() if row.system == "single")
    for item in ("c0", "c1"):
        most = rows[item, "mad", 0].tokens
        assert most is not None
        assert 0 < (rows[item, "vote", 0].tokens or 0) <= most
        assert rows[item, "mad", 0].spent.calls == 5
    assert all(row.spent.cost is None for row in rows.values()), "no price is known"


def test_the_report_is_written_again_from_the_rows(
    data: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    evaluate(*data[0], *data[1], systems=("single",))
    before = (tmp_path / "out/report.md").read_bytes()
    (tmp_path / "out/report.md").unlink()
    assert main(["evaluate", "report", "--out", str(tmp_path / "out")], environment={}) == 0
    assert (tmp_path / "out/report.md").read_bytes() == before


def test_three_labels_are_judged_without_an_index(data: tuple[list[str], list[str]]) -> None:
    assert evaluate(*data[0], "--task", "three-way", systems=("single", "vote", "mad")) == 0


def test_a_spent_budget_is_told_and_is_no_success(
    data: tuple[list[str], list[str]], endpoint: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = (*data[0], *data[1], *endpoint, "--max-calls", "2")
    assert evaluate(*options, systems=("single",)) == 4
    assert "budget of 2 calls is spent" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "systems", "told"),
    [
        (["--n", "9"], ("single",), "1 to 4"),
        ([], ("self_consistency",), "always answers the same"),
        (["--task", "three-way"], ("single",), "no index"),
        (["--role", "judge_a"], ("single",), "ROLE=NAME"),
        (["--role", "jugde_a=m"], ("single",), "'jugde_a'; allowed: single, affirmative"),
        (["--max-cost", "-1"], ("single",), "0 or more"),
        (["--model", "m", "--max-cost", "1"], ("single",), "a row in --prices"),
        (["--model", "m"], ("courtroom",), "judges of different model families"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    data: tuple[list[str], list[str]],
    options: list[str],
    systems: tuple[str, ...],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    status = evaluate(*data[0], *data[1], *options, systems=systems)
    err = capsys.readouterr().err
    assert status == 2
    assert told in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


JUDGES = ("judge_a=qwen3", "judge_b=deepseek-r1", "judge_c=hermes-3")


def test_a_court_of_models_is_evaluated_with_and_without_a_part(
    data: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    with FakeOpenAI(trying) as server:
        options = ["--model", "gpt-5-mini", "--model-base-url", server.base_url, "--n", "1"]
        options += [part for judge in JUDGES for part in ("--role", judge)]
        systems = ("courtroom", "no_switch")
        assert evaluate(*data[0], *data[1], *options, systems=systems) == 0
        asked = server.calls
        assert evaluate(*data[0], *data[1], *options, systems=systems) == 0
        assert server.calls == asked, "what has a row is not asked again"

    whole, ablated = rows_load(tmp_path / "out")
    assert whole.opinion.ending == "decided"
    assert [vote.judge for vote in whole.opinion.votes] == ["judge_a", "judge_b", "judge_c"]
    assert whole.opinion.parts is not None
    assert whole.spent.calls > ablated.spent.calls > 0
    assert whole.spent.calls + ablated.spent.calls == asked
    assert (whole.tokens or 0) > (ablated.tokens or 0)


def test_a_court_that_the_budget_stops_has_no_row_and_goes_on_with_a_larger_one(
    data: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    with FakeOpenAI(trying) as server:
        options = ["--model", "gpt-5-mini", "--model-base-url", server.base_url, "--n", "1"]
        options += [part for judge in JUDGES for part in ("--role", judge)]
        stopped = evaluate(*data[0], *data[1], *options, "--max-calls", "9", systems=("courtroom",))
        assert (stopped, server.calls) == (4, 9)
        assert evaluate(*data[0], *data[1], *options, systems=("courtroom",)) == 0
        (row,) = rows_load(tmp_path / "out")
        assert row.spent.calls == server.calls


def test_a_trials_own_limit_is_an_ending_of_its_claim(
    data: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    config = tmp_path / "court.yaml"
    config.write_text("limits: {run: {calls: 9}}", "utf-8")
    with FakeOpenAI(trying) as server:
        options = ["--model", "gpt-5-mini", "--model-base-url", server.base_url, "--n", "2"]
        options += [part for judge in JUDGES for part in ("--role", judge)]
        options += ["--config", str(config), "--max-calls", "99"]
        assert evaluate(*data[0], *data[1], *options, systems=("courtroom",)) == 0

    rows = rows_load(tmp_path / "out")
    assert [(row.opinion.label, row.opinion.ending) for row in rows] == [(None, "budget")] * 2
    assert all(0 < row.spent.calls <= 9 for row in rows)


@pytest.mark.parametrize(
    "content", ["null", "[[", "[" * 100_000, '{"data": 1, "systems": {"single": 3}}']
)
def test_settings_that_were_edited_are_named(
    data: tuple[list[str], list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
) -> None:
    options = (*data[0], *data[1])
    assert evaluate(*options, systems=("single",)) == 0
    (tmp_path / "out" / "settings.json").write_text(content, "utf-8")

    assert evaluate(*options, systems=("single",)) == 2
    assert main(["evaluate", "report", "--out", str(tmp_path / "out")], environment={}) == 2
    assert capsys.readouterr().err.count("allowed: settings of an evaluation") == 2


def test_commands_that_the_budget_stops_never_take_more_than_it_together(
    data: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    with FakeOpenAI(trying) as server:
        options = ["--model", "gpt-5-mini", "--model-base-url", server.base_url]
        options += [part for judge in JUDGES for part in ("--role", judge)]
        options += ["--max-calls", "30", "--concurrency", "4"]
        for _ in range(3):
            assert evaluate(*data[0], *data[1], *options, systems=("courtroom",)) == 4

        assert 28 <= server.calls <= 30

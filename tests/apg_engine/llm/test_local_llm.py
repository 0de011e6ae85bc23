"""The path to a language model, through a small real one: no fake, no internet.

The model judges at chance level. What is tested is that whatever it says ends in the record's own
quotes or in a typed failure; that it says anything sensible is not.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apg_engine import (
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    ModelSpec,
    Outcome,
    Trace,
    gate,
    models_from_config,
    trace_to_dict,
)
from tests.apg_engine.traces_for_tests import trace_of
from tools.health import healthy
from tools.local_llm import MODEL_NAME, packages_folder, packages_installed

ROOT = Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "local_llm.py"
PUMP = "The pump draws 6 MW of power."
FILLER = tuple(f"Barge {n} carries {n} crates of apples upstream." for n in range(1, 400))

pytestmark = [pytest.mark.local_llm, pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def local_model() -> Iterator[str]:
    """Serve the model in a process of its own and give its base URL."""
    if not packages_installed(packages_folder()):
        pytest.skip("needs the local model: make local-llm-packages")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(TOOL), "serve", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        try:
            while child.poll() is None and not healthy(f"http://127.0.0.1:{port}/health"):
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            child.terminate()


def spec(url: str, **settings: Any) -> ModelSpec:
    return ModelSpec(
        kind="openai", name=MODEL_NAME, base_url=url, attempts=1, timeout_seconds=120,
        deadline_seconds=240, **{"max_tokens": 60, "context_tokens": 4096, **settings},
    )  # fmt: skip


def gated(trace: Trace, **settings: Any) -> GateResult:
    config = GateConfig(pairs=1, **settings)
    models = models_from_config(config, environment={})
    return gate(trace, config=config, models=models, journal=MemoryJournal())


def test_the_gate_runs_through_it_and_proves_the_run(local_model: str, tmp_path: Path) -> None:
    trace, out = tmp_path / "trace.json", tmp_path / "run"
    trace.write_text(json.dumps(trace_to_dict(trace_of(PUMP, "It may run at night."))))
    engine = [sys.executable, "-m", "apg_engine"]
    environment = {**os.environ, "LOCAL_KEY": "none"}

    done = subprocess.run(
        [*engine, "gate", str(trace), "--out", str(out), "--pairs", "1", "--json",
         "--proposer", MODEL_NAME, "--proposer-base-url", local_model,
         "--proposer-key-env", "LOCAL_KEY", "--proposer-context", "4096",
         "--proposer-max-tokens", "60"],
        check=False, capture_output=True, text=True, env=environment, cwd=ROOT,
    )  # fmt: skip
    summary = json.loads(done.stdout)
    verified = subprocess.run(
        [*engine, "verify", str(out), "--replay"], check=False, capture_output=True, cwd=ROOT
    )

    assert done.returncode in {0, 3, 4}
    assert summary["proposer"] == MODEL_NAME
    assert summary["auditor"] != MODEL_NAME
    assert summary["spent"]["completion_tokens"] > 0
    assert summary["spent"]["cost"] is None
    assert verified.returncode == 0, verified.stdout


def test_what_it_says_of_a_sentence_counts_only_with_a_true_quote(local_model: str) -> None:
    trace = trace_of(PUMP, "It may run at night.")
    draft = ModelSpec(kind="scripted", name="draft", script=(f"{PUMP} The dam has failed.",))

    result = gated(trace, proposer=draft, auditor=spec(local_model, max_tokens=200))

    if result.outcome is Outcome.NOT_JUDGED:
        assert result.reason.startswith(("auditor_", "not_audited"))
    for verdict in (verdict for pair in result.pairs for verdict in pair.verdicts):
        texts = [turn.text for turn in trace.turns]
        assert all(any(q.text in text for text in texts) for q in verdict.supporting)
        assert verdict.label is not Label.SUPPORTED or verdict.supporting


def test_a_record_larger_than_its_context_is_cut_by_the_written_rule(local_model: str) -> None:
    result = gated(trace_of(*FILLER), proposer=spec(local_model, context_tokens=1200))

    assert {left.role for left in result.left_out} == {"proposer"}
    assert any("was not shown" in warning for warning in result.warnings)


def test_a_context_it_does_not_have_ends_in_a_typed_failure(local_model: str) -> None:
    result = gated(trace_of(*FILLER), proposer=spec(local_model, context_tokens=0))

    assert result.outcome is Outcome.NOT_JUDGED
    assert result.reason == "proposer_context_overflow"


def test_a_context_without_room_ends_before_any_call(local_model: str) -> None:
    result = gated(trace_of(PUMP), proposer=spec(local_model, context_tokens=100))

    assert (result.outcome, result.reason) == (Outcome.NOT_JUDGED, "proposer_context_overflow")


def test_it_enforces_schemas_and_the_probe_sees_it(local_model: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "apg_engine", "probe", "--auditor", MODEL_NAME, "--json",
         "--auditor-base-url", local_model, "--auditor-key-env", "LOCAL_KEY"],
        check=False, capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "LOCAL_KEY": "none"},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["schema"] == "enforced"


def test_its_name_says_in_every_result_that_it_is_no_auditor(local_model: str) -> None:
    draft = ModelSpec(kind="scripted", name="draft", script=(PUMP,))

    result = gated(trace_of(PUMP), proposer=draft, auditor=spec(local_model))

    assert "plumbing-only" in result.models.auditor
    assert "the auditor has no calibration card" in result.warnings
    assert result.pairs[0].calibrated is None or result.pairs[0].calibrated.domain == "no card"

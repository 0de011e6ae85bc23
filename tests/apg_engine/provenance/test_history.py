from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from prov.model import (
    ProvActivity,
    ProvAgent,
    ProvAssociation,
    ProvDerivation,
    ProvDocument,
    ProvEntity,
    ProvGeneration,
    ProvRecord,
)

from apg_engine import ModelSpec
from apg_engine.cli.parser import main
from apg_engine.provenance.history import prov_document
from apg_engine.provenance.verification import run_load, run_verify
from tests.apg_engine.provenance.runs import model_run, offline_run, reseal, trace_file
from tests.apg_engine.traces_for_tests import agreeing, two_sided


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return model_run(tmp_path_factory.mktemp("runs") / "model", two_sided())


@pytest.fixture(scope="module")
def document(run: Path) -> ProvDocument:
    stored = run_load(run)
    return prov_document(stored.trace, stored.result, stored.records, engine="0" * 64)


def names(document: ProvDocument, kind: type[ProvRecord], of_type: str) -> list[str]:
    return [
        str(record.identifier.localpart)
        for record in document.get_records(kind)
        if record.identifier and of_type in {str(t) for t in record.get_asserted_types()}
    ]


def test_both_formats_read_back_as_the_same_document(run: Path, document: ProvDocument) -> None:
    for form in ("json", "provn"):
        text = document.serialize(format=form)
        assert ProvDocument.deserialize(content=text, format=form) == document
    assert ProvDocument.deserialize(
        content=document.get_provn(strict=True), format="provn", profile="strict"
    ) == (document)


def test_it_holds_every_turn_draft_verdict_and_report_with_its_hash(
    run: Path, document: ProvDocument
) -> None:
    stored = run_load(run)

    assert names(document, ProvEntity, "apg:Turn") == ["T1", "T2", "T3", "T4"]
    assert names(document, ProvEntity, "apg:Shock") == ["S1"]
    assert names(document, ProvEntity, "apg:Draft") == ["draft1", "draft2", "draft3"]
    assert names(document, ProvEntity, "apg:Verdict") == [
        f"verdict{pair.number}-{verdict.sentence_id}"
        for pair in stored.result.pairs
        for verdict in pair.verdicts
    ]
    assert names(document, ProvEntity, "apg:DivergenceReport") == ["report"]
    for entity in document.get_records(ProvEntity):
        assert len(str(next(iter(entity.get_attribute("apg:sha256"))))) == 64


def hash_of(document: ProvDocument, name: str) -> str:
    record = document.get_record(f"run:{name}")[0]
    return str(next(iter(record.get_attribute("apg:sha256"))))


def test_hashes_are_those_of_the_contents(run: Path, document: ProvDocument) -> None:
    stored = run_load(run)
    expected = {
        "T1": stored.trace.turns[0].text,
        "draft1": stored.result.baseline_text,
        "call1-reply": stored.records[0].reply,
        "report": (run / "report.md").read_text("utf-8"),
    }
    for name, text in expected.items():
        assert hash_of(document, name) == hashlib.sha256(text.encode()).hexdigest()
    assert hash_of(document, "call1-request") == stored.records[0].request_sha256
    assert hash_of(document, "trace") == stored.result.trace_sha256


def test_every_activity_has_somebody_who_answers_for_it(document: ProvDocument) -> None:
    activities = {str(one.identifier) for one in document.get_records(ProvActivity)}
    associated = {
        str(one.args[0]): str(one.args[1]) for one in document.get_records(ProvAssociation)
    }

    assert set(associated) == activities
    assert associated["run:propose1"] == "run:proposer"
    assert associated["run:audit1"] == "run:auditor"
    assert associated["run:repair1"] == associated["run:publish"] == "run:gate"


def test_every_relation_names_records_of_the_document(document: ProvDocument) -> None:
    known = {str(record.identifier) for record in document.records if record.is_element()}
    for record in document.records:
        if record.is_relation():
            for name in record.args[:2]:
                assert str(name) in known, record


def test_models_are_agents_with_prompts_and_calls_of_prov_agent(document: ProvDocument) -> None:
    assert names(document, ProvAgent, "provagent:AIAgent") == ["proposer", "auditor"]
    calls = names(document, ProvActivity, "provagent:AIModelInvocation")
    assert calls == [f"call{number}" for number in range(1, 7)]
    assert {"prompt-propose", "prompt-audit"} <= set(names(document, ProvEntity, "prov:Plan"))
    assert len(names(document, ProvEntity, "provagent:Prompt")) == 6


def test_a_repair_is_a_revision_of_the_draft_before_it(document: ProvDocument) -> None:
    revisions = [
        (str(one.args[0]), str(one.args[1]))
        for one in document.get_records(ProvDerivation)
        if "prov:Revision" in {str(t) for t in one.get_asserted_types()}
    ]
    assert revisions == [("run:draft2", "run:draft1"), ("run:draft3", "run:draft2")]


def test_a_verdict_is_traced_back_to_the_turn_it_quotes(document: ProvDocument) -> None:
    derived = {(str(one.args[0]), str(one.args[1])) for one in document.get_records(ProvDerivation)}
    assert ("run:verdict1-s1", "run:C1") in derived
    assert ("run:verdict1-s1", "run:draft1") in derived


def test_rules_are_software_and_no_ai(tmp_path: Path) -> None:
    stored = run_load(offline_run(tmp_path / "r", agreeing()))
    document = prov_document(stored.trace, stored.result, stored.records, engine="0" * 64)

    assert not names(document, ProvAgent, "provagent:AIAgent")
    assert not names(document, ProvActivity, "provagent:AIModelInvocation")
    assert names(document, ProvEntity, "apg:Synthesis") == ["report"]
    generated = [one for one in document.get_records(ProvGeneration) if "report" in str(one)]
    assert len(generated) == 1


def test_a_second_audit_and_a_measurer_stand_in_it(tmp_path: Path) -> None:
    quoted = {"address": "T1.1", "quote": "The pumping station needs 26 MW in the first night."}
    verdict = {
        "id": "s1", "verdict": "supported", "evidence_for": [quoted], "evidence_against": [],
        "reason": "so",
    }  # fmt: skip
    judge = ModelSpec(
        kind="scripted", name="judge", script=(json.dumps({"verdicts": [verdict]}),) * 2
    )
    writer = ModelSpec(kind="scripted", name="writer", script=(quoted["quote"],))
    run = offline_run(
        tmp_path / "r", agreeing(), proposer=writer, auditor=judge, measured_by=ModelSpec()
    )
    stored = run_load(run)
    document = prov_document(stored.trace, stored.result, stored.records, engine="0" * 64)

    expected = [f"confirmation1-{v.sentence_id}" for v in stored.result.pairs[0].confirmation]
    told = names(document, ProvEntity, "apg:Verdict")
    assert expected
    assert [name for name in told if name.startswith("confirmation")] == expected
    assert "measurer" in names(document, ProvAgent, "prov:SoftwareAgent")
    assert run_verify(run, replay=True).holds


def test_no_word_of_the_debate_stands_in_it(tmp_path: Path) -> None:
    trace = two_sided()
    turns = tuple(replace(turn, private_trace=f"My secret {turn.number}.") for turn in trace.turns)
    stored = run_load(offline_run(tmp_path / "r", replace(trace, turns=turns)))
    text = prov_document(stored.trace, stored.result, stored.records, engine="0" * 64).get_provn()

    assert "secret" not in text
    assert "pumping station" not in text


def test_the_gate_writes_it_and_verify_derives_it_again(tmp_path: Path) -> None:
    debate = trace_file(tmp_path / "debate.json", two_sided())
    run = tmp_path / "run"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["gate", str(debate), "--out", str(run), "--prov"], environment={}) == 3

    assert run_verify(run, replay=True).holds
    ProvDocument.deserialize(content=(run / "prov.provn").read_text("utf-8"), format="provn")
    data = json.loads((run / "prov.json").read_text("utf-8"))
    data["entity"]["run:T1"]["apg:characters"]["$"] = "7"
    (run / "prov.json").write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    reseal(run)
    assert [fault.file for fault in run_verify(run).faults] == ["prov.json"]


def test_the_command_exports_a_run_that_holds(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name for path in run.iterdir()}
    assert main(["prov", str(run)], environment={}) == 0
    ProvDocument.deserialize(content=capsys.readouterr().out, format="json")
    out = tmp_path / "h.provn"
    assert main(["prov", str(run), "--format", "provn", "--out", str(out)], environment={}) == 0
    assert out.read_text("utf-8").startswith("document")
    assert {path.name for path in run.iterdir()} == before
    assert main(["prov", str(tmp_path)], environment={}) == 2

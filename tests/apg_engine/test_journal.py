from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from apg_engine import (
    CallRecord,
    FileJournal,
    GateConfig,
    JournalError,
    JournalMismatchError,
    MemoryJournal,
    ModelSpec,
    gate,
    models_from_config,
)
from apg_engine.calls import CallStatus, ChatReply, Usage
from apg_engine.journal import CallLedger
from apg_engine.llm.replay import ReplayModel
from apg_engine.proposers.model import ModelProposer
from apg_engine.proposers.protocol import Proposal
from apg_engine.segmentation.segments import SEGMENTER, segments_find
from apg_engine.stages.corpus import corpus_build
from tests.apg_engine.traces_for_tests import trace_of, two_sided
from tests.fakes.openai_server import FakeOpenAI
from tests.fakes.plausible import plausible


class Calls:
    """Counts how often a call was really made."""

    def __init__(self) -> None:
        self.made = 0

    def perform(self, ordinal: int) -> ChatReply:
        self.made += 1
        return ChatReply(CallStatus.OK, text=f"answer {ordinal}", usage=Usage(3, 4))


def test_a_recorded_call_is_found_again_and_not_repeated(tmp_path: Path) -> None:
    path, calls = tmp_path / "journal.jsonl", Calls()
    first = CallLedger(FileJournal(path)).call(role="r", request={"a": 1}, perform=calls.perform)
    again = CallLedger(FileJournal(path)).call(role="r", request={"a": 1}, perform=calls.perform)

    assert again == first
    assert calls.made == 1


def test_another_request_at_the_same_place_is_refused(tmp_path: Path) -> None:
    journal, calls = FileJournal(tmp_path / "j"), Calls()
    CallLedger(journal).call(role="r", request={"a": 1}, perform=calls.perform)

    with pytest.raises(JournalMismatchError, match="call 1"):
        CallLedger(journal).call(role="r", request={"a": 2}, perform=calls.perform)
    assert calls.made == 1


def test_a_failed_call_is_recorded_like_any_other() -> None:
    journal = MemoryJournal()
    failed = ChatReply(CallStatus.TIMEOUT, detail="too slow")
    CallLedger(journal).call(role="r", request={}, perform=lambda _: failed)

    assert CallLedger(journal).call(role="r", request={}, perform=Calls().perform) == failed


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_a_sequence_number_is_taken_once(kind: str, tmp_path: Path) -> None:
    journal = MemoryJournal() if kind == "memory" else FileJournal(tmp_path / "j")
    CallLedger(journal).call(role="r", request={}, perform=Calls().perform)
    record = journal.find(1)
    assert record is not None

    with pytest.raises(JournalError, match="already recorded"):
        journal.append(record)


def test_a_line_that_a_kill_cut_off_is_dropped_and_written_anew(tmp_path: Path) -> None:
    path, calls = tmp_path / "j", Calls()
    for _ in range(2):
        ledger = CallLedger(FileJournal(path))
        ledger.call(role="r", request={"n": 1}, perform=calls.perform)
        ledger.call(role="r", request={"n": 2}, perform=calls.perform)
        path.write_bytes(path.read_bytes()[:-9])

    assert calls.made == 3
    assert FileJournal(path).find(1) is not None
    assert FileJournal(path).find(2) is None


@pytest.mark.parametrize("damage", ["no json", "{}", '{"sequence": 1}', "[1]", "null"])
def test_any_other_unreadable_line_is_an_error_that_names_it(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "j"
    CallLedger(FileJournal(path)).call(role="r", request={}, perform=Calls().perform)
    path.write_bytes(path.read_bytes() + damage.encode() + b"\n")

    with pytest.raises(JournalError, match="line 2"):
        FileJournal(path)


def test_a_changed_request_in_the_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "j"
    CallLedger(FileJournal(path)).call(role="r", request={"a": "old"}, perform=Calls().perform)
    path.write_text(path.read_text().replace("old", "new"))

    with pytest.raises(JournalError, match="disagree"):
        FileJournal(path)


def test_a_call_that_stands_twice_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "j"
    CallLedger(FileJournal(path)).call(role="r", request={}, perform=Calls().perform)
    path.write_bytes(path.read_bytes() * 2)

    with pytest.raises(JournalError, match="twice"):
        FileJournal(path)


def test_lines_that_are_moved_taken_out_or_spaced_otherwise_break_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "j"
    ledger = CallLedger(FileJournal(path))
    for number in range(3):
        ledger.call(role="r", request={"n": number}, perform=Calls().perform)
    first, second, third = path.read_bytes().splitlines(keepends=True)

    for lines, bad in [
        ((second, first, third), 1),
        ((first, third), 2),
        ((first, second.replace(b'"detail": ""', b'"detail":  ""'), third), 2),
        ((first, second.replace(b"answer 2", b"answer 7"), third), 2),
    ]:
        path.write_bytes(b"".join(lines))
        with pytest.raises(JournalError, match=f"line {bad}: the chain is broken"):
            FileJournal(path)


def test_a_record_survives_its_way_through_json() -> None:
    journal = MemoryJournal()
    CallLedger(journal).call(role="r", request={"t": "\u201e\u2028"}, perform=Calls().perform)
    record = journal.records[0]

    assert CallRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


class InterruptedRunError(Exception):
    """What a test uses to stop a run in the middle."""


class Fragile(MemoryJournal):
    """A journal whose process dies after so many calls."""

    def __init__(self, lives: int) -> None:
        super().__init__()
        self.lives = lives

    def append(self, record: CallRecord) -> None:
        super().append(record)
        self.lives -= 1
        if self.lives == 0:
            raise InterruptedRunError


@pytest.mark.parametrize("dies_after", [1, 2, 3, 4, 5, 6])
def test_an_interrupted_run_goes_on_and_repeats_no_call(dies_after: int) -> None:
    with FakeOpenAI(plausible) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url)
        config = GateConfig(proposer=spec, auditor=replace(spec, name="n"))
        models = models_from_config(config, environment={})
        journal = Fragile(dies_after)
        with pytest.raises(InterruptedRunError):
            gate(two_sided(), config=config, models=models, journal=journal)
        result = gate(two_sided(), config=config, models=models, journal=journal)
        whole = gate(two_sided(), config=config, models=models, journal=MemoryJournal())

        assert result == whole
        assert len(journal.records) == 6
        assert server.calls == 6 + 6


def test_a_journal_of_another_trace_is_refused() -> None:
    journal, config = MemoryJournal(), GateConfig()
    models = models_from_config(config, environment={})
    gate(two_sided(), config=config, models=models, journal=journal)

    with pytest.raises(JournalMismatchError):
        gate(trace_of("It rains.", "It snows."), config=config, models=models, journal=journal)


def test_a_replay_gives_the_recorded_answer_and_nothing_else() -> None:
    with FakeOpenAI(plausible) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url)
        config = GateConfig(proposer=spec, auditor=spec)
        journal = MemoryJournal()
        models = models_from_config(config, environment={})
        result = gate(two_sided(), config=config, models=models, journal=journal)
    identity = journal.records[0].request["model"]
    proposer = ModelProposer(
        ReplayModel(journal.records, identity=identity), temperature=0.0, max_tokens=8192
    )
    corpus = corpus_build(two_sided(), segment=segments_find, segmenter=SEGMENTER)
    ledger = CallLedger(MemoryJournal())

    reply = proposer.propose(Proposal(corpus, "en", 1), ledger)

    assert reply.text == result.baseline_text
    with pytest.raises(JournalMismatchError):
        proposer.propose(Proposal(corpus, "pl", 1), ledger)


def test_no_key_stands_in_the_journal() -> None:
    with FakeOpenAI(plausible) as server:
        spec = ModelSpec(kind="openai", name="m", base_url=server.base_url, api_key_env="K")
        config = GateConfig(proposer=spec, auditor=spec)
        models = models_from_config(config, environment={"K": "sk-secret-0123456789"})
        journal = MemoryJournal()
        result = gate(two_sided(), config=config, models=models, journal=journal)

        assert server.headers[0]["authorization"] == "Bearer sk-secret-0123456789"
        assert "sk-secret" not in json.dumps([record.to_dict() for record in journal.records])
        assert "sk-secret" not in repr(result)

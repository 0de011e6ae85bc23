"""The engine's journal on the database, and configurations as studies hold them."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import connection

from apg_engine import CallRecord
from apg_engine.journal import request_hash
from studyapp.errors import DefinitionError, GenerationError, LeaseLostError
from studyapp.models import ModelCall
from studyapp.seams.engine import (
    RunJournal,
    config_in_language,
    config_preset,
    config_read,
    trace_load,
)
from tests.studyapp.debates import START, run_queued, trace_stored

pytestmark = pytest.mark.django_db


class TestJournal:
    def test_a_recorded_call_is_found_again_as_it_was(self) -> None:
        journal, record = _journal(), _record(1)

        journal.append(record)

        assert journal.find(1) == record
        assert journal.find(2) is None

    def test_a_call_that_another_worker_recorded_is_not_written_over(self) -> None:
        journal = _journal()
        journal.append(_record(1, reply="first"))

        with pytest.raises(LeaseLostError, match="call 1"):
            journal.append(_record(1, reply="second"))

        assert ModelCall.objects.get().record["reply"] == "first"

    def test_a_worker_that_holds_the_run_no_longer_records_nothing(self) -> None:
        with pytest.raises(LeaseLostError):
            _journal(holds=False).append(_record(1))

        assert not ModelCall.objects.exists()

    def test_a_cancelled_run_makes_no_new_call(self) -> None:
        with pytest.raises(LeaseLostError):
            _journal(runs=False).find(1)

    def test_a_reply_that_no_database_can_store_is_told_in_words(self) -> None:
        if connection.vendor == "sqlite":
            pytest.skip("needs PostgreSQL: SQLite stores NUL")

        with pytest.raises(GenerationError, match="proposer holds a character"):
            _journal().append(_record(1, reply="a\x00b"))

        assert not ModelCall.objects.exists()


class TestConfigurations:
    def test_a_preset_is_whole_and_reads_back_as_itself(self) -> None:
        for name in ("offline", "paper"):
            config = config_preset(name)
            assert config_read(config) == config

    def test_an_unknown_preset_names_the_known_ones(self) -> None:
        with pytest.raises(DefinitionError, match="offline or paper"):
            config_preset("free")

    @pytest.mark.parametrize(
        ("language", "written"), [("pl", "pl"), ("pl-PL", "pl"), ("EN", "en"), ("de", "en")]
    )
    def test_texts_are_written_in_a_language_that_the_engine_writes(
        self, language: str, written: str
    ) -> None:
        config = config_in_language(config_preset("offline"), language=language)

        assert config["language"] == written


def test_a_stored_trace_is_the_trace_that_was_read() -> None:
    stored = trace_stored()

    trace = trace_load(stored.content, file_name="stored")

    assert trace.title == stored.title
    assert len(trace.turns) == len(stored.content["turns"])


def _journal(*, holds: bool = True, runs: bool = True) -> RunJournal:
    def refuse_unless(allowed: bool) -> None:
        if not allowed:
            raise LeaseLostError("not held")

    def now() -> datetime:
        return START

    return RunJournal(
        of={"run_id": run_queued().pk},
        now=now,
        hold=lambda: refuse_unless(holds),
        check=lambda: refuse_unless(runs),
    )


def _record(sequence: int, *, reply: str = "words") -> CallRecord:
    request = {"messages": [{"role": "user", "content": "write"}], "temperature": 0.0}
    return CallRecord(
        sequence=sequence,
        role="proposer",
        request_sha256=request_hash(request),
        request=request,
        reply=reply,
        status="ok",
    )

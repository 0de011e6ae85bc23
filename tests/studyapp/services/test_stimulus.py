"""A finished run becomes a frozen pair, once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from studyapp.errors import FrozenError, IllegalMoveError, NotJudgedError
from studyapp.models import GenerationRun, StimulusPair
from studyapp.services.generation import run_execute
from studyapp.services.stimulus import pair_freeze
from tests.studyapp.debates import AGREES, DEADLOCK, START, Clock, run_queued
from tests.studyapp.racing import at_once

pytestmark = pytest.mark.django_db

_LATER = START + timedelta(days=1)


def test_a_deadlock_gives_an_invented_consensus_and_a_report_that_says_so() -> None:
    pair = pair_freeze(run_id=_finished(DEADLOCK).pk, now=START)

    assert pair.has_contrast
    assert pair.reference_text != pair.treatment_text
    assert pair.manifest["outcome"] == "divergence"


def test_an_agreement_gives_a_verified_synthesis() -> None:
    pair = pair_freeze(run_id=_finished(AGREES).pk, now=START)

    assert pair.manifest["outcome"] == "synthesis"
    assert pair.has_contrast


def test_the_manifest_names_the_models_and_says_that_they_are_offline() -> None:
    manifest = pair_freeze(run_id=_finished().pk, now=START).manifest

    assert manifest["models"]["mode"] == "offline"
    assert all("offline" in name for name in manifest["models"]["names"])
    assert "offline models" in manifest["warnings"]


def test_the_manifest_counts_words_headings_and_list_items() -> None:
    pair = pair_freeze(run_id=_finished(DEADLOCK).pk, now=START)

    shape = pair.manifest["texts"]["treatment"]
    assert shape["headings"] == sum(
        line.startswith("#") for line in pair.treatment_text.splitlines()
    )
    assert shape["words"] > pair.manifest["texts"]["reference"]["words"]
    assert any(note.startswith("length") for note in pair.manifest["imbalance"])


def test_a_run_is_frozen_once_whenever_it_is_asked_for() -> None:
    run = _finished()

    first, second = (pair_freeze(run_id=run.pk, now=now) for now in (START, _LATER))

    assert first.pk == second.pk
    assert StimulusPair.objects.get().created_at == START


def test_equal_runs_give_equal_hashes_and_another_debate_another() -> None:
    hashes = [
        pair_freeze(run_id=_finished(path).pk, now=START).sha256
        for path in (DEADLOCK, DEADLOCK, AGREES)
    ]

    assert hashes[0] == hashes[1] != hashes[2]


def test_a_frozen_pair_cannot_be_changed() -> None:
    pair = pair_freeze(run_id=_finished().pk, now=START)
    pair.treatment_text = "nicer"

    with pytest.raises(FrozenError):
        pair.save()


def test_a_run_that_is_not_finished_has_no_pair() -> None:
    with pytest.raises(IllegalMoveError, match="queued"):
        pair_freeze(run_id=run_queued().pk, now=START)


def test_a_run_that_was_not_judged_has_no_pair() -> None:
    scripted = {"kind": "scripted", "name": "silent", "script": [""]}
    run = run_queued(config={"proposer": scripted})
    run_execute(run_id=run.pk, now=Clock(), environment={})

    with pytest.raises(NotJudgedError, match="not judged"):
        pair_freeze(run_id=run.pk, now=START)

    assert not StimulusPair.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_freeze_at_once_give_one_pair() -> None:
    run = _finished()
    found: list[int] = []

    def freeze() -> None:
        found.append(pair_freeze(run_id=run.pk, now=START).pk)

    at_once([freeze, freeze])

    assert found == [StimulusPair.objects.get().pk] * 2


def _finished(path: Path = DEADLOCK) -> GenerationRun:
    run = run_queued(path)
    run_execute(run_id=run.pk, now=Clock(), environment={})
    return run

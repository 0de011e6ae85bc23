"""A trial's two runs and its branches: fresh prompts, fixed numbers, nothing asked twice."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from apg_engine import MemoryJournal
from apg_engine.debates.courtroom.config import JUDGES
from apg_engine.debates.courtroom.holding import Conduct
from apg_engine.debates.fan_out import BranchEndedError, Branches, ForkReachedError, Threads
from apg_engine.debates.scoped_journal import LockedJournal
from tests.apg_engine.debates.courtroom.shortened import FAILED
from tests.apg_engine.debates.courtroom.trials import spoken
from tests.fakes.trying import TryingModel, opinion


def test_the_switched_run_is_a_new_run_with_fresh_prompts() -> None:
    plaintiff = TryingModel("one")
    debate = spoken({"plaintiff": plaintiff}, rounds=1)

    assert debate.switched is not None
    own, switched = plaintiff.asked("prepare")
    assert "Your side argues this: the claim is right." in own[0]
    assert "In this run you argue: the claim is right." in own[1]
    assert "Your side argues this: the claim is wrong." in switched[0]
    assert "In this run you argue: the claim is wrong." in switched[1]
    # The turn it answers is of its own run; of the first run it knows nothing.
    assert (own[1].count('"kind": "turn"'), switched[1].count('"kind": "turn"')) == (0, 1)


def test_consistency_is_computed_from_verdicts_and_cited_exhibits() -> None:
    agreeing = spoken(rounds=1)

    assert agreeing.verdict.parts.role_switch == 0.10
    assert agreeing.details["consistency"]["cited_by_both"] == ["E1", "E2"]
    models = {name: TryingModel(judge=[opinion("SUPPORT"), opinion("REFUTE")]) for name in JUDGES}
    torn = spoken(models, rounds=1)
    assert torn.details["consistency"]["findings"] in (["SUPPORT", "REFUTE"], ["REFUTE", "SUPPORT"])
    assert torn.verdict.parts.role_switch == -0.10


def test_runs_and_judges_beside_each_other_find_what_they_find_in_turn() -> None:
    journals = MemoryJournal(), MemoryJournal()
    one = spoken(journal=journals[0], rounds=3)
    other = spoken(
        journal=LockedJournal(journals[1]), rounds=3, conduct=Conduct(fan_out=Threads(4))
    )

    assert one.details == other.details
    by_number = [
        sorted((r.sequence, r.request_sha256, r.reply) for r in j.records) for j in journals
    ]
    assert by_number[0] == by_number[1]


def test_a_trial_is_replayed_from_its_journal_without_a_call() -> None:
    journal = MemoryJournal()
    before = spoken(journal=journal, rounds=3)
    calls = len(journal.records)
    silent = {
        role: TryingModel(f"model of {role}", **dict.fromkeys(("prepare", "open", "argue"), FAILED))
        for role in ("plaintiff", "defense")
    }

    again = spoken(silent, journal=journal, rounds=3)

    assert again.details == before.details
    assert len(journal.records) == calls
    assert not any(model.requests for model in silent.values())


@pytest.mark.parametrize("kept", [1, 7, 20, 33])
def test_a_trial_that_was_interrupted_repeats_no_recorded_call(kept: int) -> None:
    whole, part = MemoryJournal(), MemoryJournal()
    expected = spoken(journal=whole, rounds=2)
    for record in whole.records[:kept]:
        part.append(record)
    models = {role: TryingModel(f"model of {role}") for role in expected.details["cast"]}

    resumed = spoken(models, journal=part, rounds=2)

    assert resumed.details == expected.details
    asked = sum(len(model.requests) for model in models.values())
    counted = sum("messages" in record.request for record in whole.records)
    assert asked == counted - sum("messages" in r.request for r in whole.records[:kept])


@pytest.mark.parametrize("seed", range(6))
def test_branches_of_a_trial_may_be_done_in_any_order_and_twice(seed: int) -> None:
    expected, journal, dice = spoken(rounds=2), MemoryJournal(), random.Random(seed)
    waiting, done, forked = [""], set[str](), dict[str, tuple[str, ...]]()
    held = []

    while waiting:
        branch = waiting.pop(dice.randrange(len(waiting)))
        try:
            conduct = Conduct(fan_out=Branches(branch, is_done=done.__contains__))
            held.append(spoken(journal=journal, rounds=2, conduct=conduct))
        except BranchEndedError:
            done.add(branch)
        except ForkReachedError as fork:
            forked[branch] = fork.branches
            waiting += [name for name in fork.branches if name not in done] * 2
        waiting += [
            name for name, parts in forked.items() if name not in done and done.issuperset(parts)
        ]
        waiting = [] if held else waiting

    assert held[0].details == expected.details
    numbers = [record.sequence for record in journal.records]
    assert len(numbers) == len(set(numbers))
    judges = {f"{run}/1.{judge}" for run in ("1.0", "1.1") for judge in range(len(JUDGES))}
    assert done == {"1.0", "1.1", *judges}


def test_two_workers_on_one_trial_leave_one_record_of_each_call() -> None:
    expected, kept = spoken(rounds=2), MemoryJournal()
    journal = LockedJournal(kept)

    with ThreadPoolExecutor(2) as pool:
        works = [pool.submit(spoken, journal=journal, rounds=2) for _ in range(2)]
    held = [work.result() for work in works]

    assert [one.details for one in held] == [expected.details] * 2
    numbers = [record.sequence for record in kept.records]
    assert len(numbers) == len(set(numbers))


def test_a_run_never_makes_more_calls_than_its_block_holds() -> None:
    empty = {purpose: ["", "no JSON"] for purpose in ("prepare", "refine", "weigh", "reflect")}
    models = {role: TryingModel(role, **empty) for role in ("plaintiff", "defense", "court")}

    debate = spoken(models, rounds=3, search={"found": 12})

    assert debate.switched is not None
    assert debate.switched.play.floor.calls.sequence <= (debate.block or (0, 0))[1]

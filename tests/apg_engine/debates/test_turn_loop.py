from __future__ import annotations

from dataclasses import replace

import pytest

from apg_engine import JournalMismatchError, MemoryJournal
from apg_engine.calls import CallStatus, ChatReply, Usage
from apg_engine.debates.budget import DebateLimits
from apg_engine.debates.forks import fork_row, rows_copy
from apg_engine.debates.records import AnswerStatus, Withheld
from apg_engine.debates.stopping import OF_FAILURE, Standing, StopReason, stop_find
from apg_engine.errors import InputError
from apg_engine.spending.budget import Limits
from tests.apg_engine.debates.plays import NEWS, SENTENCES, Talk, scripts, talk, texts


def test_rounds_are_held_as_often_as_asked_and_the_end_says_why() -> None:
    for rounds in (1, 2, 3):
        floor, end = talk(scripts(*SENTENCES), rounds=rounds)

        assert texts(floor) == list(SENTENCES[: 2 * rounds])
        assert (end.reason, end.rounds_held) == (StopReason.MAX_ROUNDS, rounds)
        assert [turn.round for turn in floor.turns] == sorted([*range(1, rounds + 1)] * 2)


@pytest.mark.parametrize(
    ("standing", "reason"),
    [
        (Standing(rounds_planned=2), None),
        (Standing(budget_spent=True, failed=AnswerStatus.EMPTY, rounds_held=1), "budget"),
        (Standing(failed=AnswerStatus.REFUSED, rounds_held=1), "refused"),
        (Standing(rounds_held=2, rounds_planned=2, stale_rounds=1), "max_rounds"),
        (Standing(rounds_held=1, rounds_planned=9, stale_rounds=1), "nothing_new"),
        (Standing(1, 9, critic_resolved=True), None),
        (Standing(1, 9, critic_resolved=True, dissent_tested=True), "resolved"),
        (
            Standing(1, 9, critic_resolved=True, dissent_tested=True, moved_without_evidence=True),
            "conformity",
        ),
        (Standing(1, 9, moved_without_evidence=True, dissent_tested=True), None),
        (Standing(2, 9, dry_rounds=1, dissent_tested=True), None),
        (Standing(2, 9, dry_rounds=2, dissent_tested=True), "no_new_evidence"),
        (Standing(2, 9, dry_rounds=2), None),
    ],
)
def test_the_table_of_stop_rules(standing: Standing, reason: str | None) -> None:
    assert stop_find(standing) == reason


class Settled(Talk):
    """A critic calls the question settled after every round."""

    def round_close(self, round_: int, standing: Standing) -> Standing:
        return replace(standing, critic_resolved=True)


class GivenWay(Settled):
    """And a party gave way in the second round, without anything new before it."""

    def round_close(self, round_: int, standing: Standing) -> Standing:
        settled = super().round_close(round_, standing)
        return replace(settled, moved_without_evidence=round_ >= 2)


@pytest.mark.parametrize(
    ("play", "reason"), [(Settled, StopReason.RESOLVED), (GivenWay, StopReason.CONFORMITY)]
)
def test_giving_way_without_new_evidence_is_conformity_and_settles_nothing(
    play: type[Talk], reason: StopReason
) -> None:
    floor, end = talk(scripts(*SENTENCES), play=play)

    # In the first round nobody has answered the party that spoke last, so nothing was tested.
    assert (end.reason, end.rounds_held, len(floor.turns)) == (reason, 2, 4)


def test_every_failed_status_has_a_stop_reason_that_labels_a_partial_result() -> None:
    failed = set(AnswerStatus) - {AnswerStatus.OK}

    assert set(OF_FAILURE) == failed
    assert not any(OF_FAILURE[status].is_whole for status in failed)
    assert not StopReason.BUDGET.is_whole
    assert StopReason.MAX_ROUNDS.is_whole


def test_each_turn_tells_what_its_prompt_held() -> None:
    floor, _ = talk(scripts(*SENTENCES), rounds=2)

    shown = [[exposure.id for exposure in turn.exposures] for turn in floor.turns]
    assert shown == [
        ["C1", "gauge"],
        ["C1", "gauge", "T1"],
        ["C1", "gauge", "T1", "T2"],
        ["C1", "gauge", "T1", "T2", "T3"],
    ]
    assert not any(exposure.is_cut for turn in floor.turns for exposure in turn.exposures)


def test_a_small_context_keeps_what_does_not_change_and_tells_what_it_left_out() -> None:
    floor, _ = talk(scripts(*SENTENCES), rounds=3, context_tokens=64 + 160)

    last = {exposure.id: exposure for exposure in floor.turns[-1].exposures}
    assert last["C1"].shown == last["C1"].characters
    assert last["T5"].shown == last["T5"].characters
    assert last["T1"].shown == 0
    assert last["T1"].is_cut


def test_a_prompt_that_is_too_long_is_sent_again_with_half_the_material() -> None:
    too_long = ChatReply(CallStatus.CONTEXT_OVERFLOW, detail="too long")
    floor, end = talk(scripts(*SENTENCES[:2], too_long, SENTENCES[3], SENTENCES[2]), rounds=2)

    assert end.reason is StopReason.MAX_ROUNDS
    third = floor.turns[2]
    assert third.text == SENTENCES[2]
    assert [exposure.id for exposure in third.exposures if exposure.shown == 0] == ["T1", "T2"]
    assert [answer.status for answer in floor.calls.answers].count(
        AnswerStatus.CONTEXT_OVERFLOW
    ) == 1


def test_a_resumed_debate_repeats_no_call_and_says_the_same() -> None:
    journal = MemoryJournal()
    first, _ = talk(scripts(*SENTENCES), journal=journal, rounds=1)
    models = scripts(*SENTENCES)

    again, end = talk(models, journal=journal, rounds=3)

    asked = [len(getattr(model, "requests")) for model in models.values()]  # noqa: B009
    assert asked == [2, 2]
    assert texts(again) == list(SENTENCES)
    assert again.turns[:2] == first.turns
    assert end.rounds_held == 3


def test_a_replay_asks_nobody_and_gives_equal_records() -> None:
    journal = MemoryJournal()
    first, end = talk(scripts(*SENTENCES), journal=journal)
    nobody = scripts()

    again, end_again = talk(nobody, journal=journal)

    assert (again.turns, again.calls.answers, end_again) == (first.turns, first.calls.answers, end)
    assert len(journal.records) == 6


def test_a_journal_of_another_debate_is_refused() -> None:
    journal = MemoryJournal()
    talk(scripts(*SENTENCES), journal=journal, rounds=1)
    journal.records[1] = replace(journal.records[1], request_sha256="0" * 64)

    with pytest.raises(JournalMismatchError):
        talk(scripts(*SENTENCES), journal=journal)


@pytest.mark.parametrize(
    ("limits", "scope"),
    [
        (DebateLimits(run=Limits(calls=3)), "run"),
        (DebateLimits(role=Limits(calls=1)), "role mill"),
        (DebateLimits(roles={"farm": Limits(calls=1)}), "role farm"),
        (DebateLimits(round=Limits(calls=1)), "round 1"),
        (DebateLimits(run=Limits(tokens=400)), "run"),
    ],
)
def test_a_call_beyond_a_limit_is_not_made_and_the_rest_is_a_partial_result(
    limits: DebateLimits, scope: str
) -> None:
    models = scripts(*SENTENCES)
    floor, end = talk(models, limits=limits)

    asked = sum(len(getattr(model, "requests")) for model in models.values())  # noqa: B009
    assert end.reason is StopReason.BUDGET
    assert not end.is_whole
    assert end.detail.startswith(f"{scope}: budget of")
    assert asked == len(floor.turns) == len(floor.calls.answers) < 6


def test_usage_that_a_server_does_not_tell_counts_as_the_estimate() -> None:
    told = ChatReply(CallStatus.OK, SENTENCES[0], usage=Usage(10, 10))
    within, end = talk(scripts(told, SENTENCES[1]), limits=DebateLimits(run=Limits(tokens=240)))
    without, cut = talk(
        scripts(SENTENCES[0], SENTENCES[1]), limits=DebateLimits(run=Limits(tokens=240))
    )

    assert len(within.turns) == 2
    assert len(without.turns) == 1
    assert end.reason is cut.reason is StopReason.BUDGET


def test_a_larger_budget_goes_on_from_the_recorded_calls() -> None:
    journal = MemoryJournal()
    talk(scripts(*SENTENCES), journal=journal, limits=DebateLimits(run=Limits(calls=3)))
    floor, end = talk(
        scripts(*SENTENCES), journal=journal, limits=DebateLimits(run=Limits(calls=6))
    )

    assert (end.reason, len(floor.turns), len(journal.records)) == (StopReason.MAX_ROUNDS, 6, 6)


def test_a_fork_without_a_turn_makes_only_the_calls_that_saw_it() -> None:
    journal, fork = MemoryJournal(), MemoryJournal()
    first, _ = talk(scripts(*SENTENCES), journal=journal)
    withheld = Withheld(frozenset({"T3"}))

    row = fork_row(first.calls.answers, withheld)
    rows_copy((one for one in journal.records if one.sequence < row), fork)
    models = scripts(*SENTENCES)
    floor, _ = talk(models, journal=fork, withheld=withheld)

    assert row == 4
    asked = sum(len(getattr(model, "requests")) for model in models.values())  # noqa: B009
    assert asked == 3
    assert all("T3" not in {e.id for e in turn.exposures} for turn in floor.turns)
    assert [turn.number for turn in floor.heard] == [1, 2, 4, 5, 6]


def test_a_fork_without_an_exhibit_starts_where_it_was_first_shown() -> None:
    journal = MemoryJournal()
    first, _ = talk(scripts(*SENTENCES), journal=journal)

    assert fork_row(first.calls.answers, Withheld(frozenset({NEWS.id}))) == 1
    floor, _ = talk(scripts(*SENTENCES), withheld=Withheld(frozenset({NEWS.id})))
    assert all(NEWS.id not in {e.id for e in turn.exposures} for turn in floor.turns)


def test_a_fork_without_something_nobody_saw_is_refused_with_what_there_is() -> None:
    floor, _ = talk(scripts(*SENTENCES), rounds=1)

    with pytest.raises(InputError, match=r"found T9; allowed: C1, T1, gauge"):
        fork_row(floor.calls.answers, Withheld(frozenset({"T9"})))

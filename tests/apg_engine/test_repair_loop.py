"""Deletion, carried verdicts, the second audit and the second auditor."""

from __future__ import annotations

import json

from apg_engine import (
    Fidelity,
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    Models,
    ModelSpec,
    Outcome,
    Trace,
    gate,
    models_from_config,
    result_from_dict,
    result_to_dict,
)
from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.auditors.llm import ModelAuditor
from apg_engine.llm.scripted import ScriptedModel
from tests.apg_engine.scripted_pair import Writer
from tests.apg_engine.test_model_roles import FAN, PUMP, judged, verdict
from tests.apg_engine.traces_for_tests import trace_of, two_sided

DEMAND = "The pumping station must receive at least 26 MW."
OTHER = "The clinic must receive at least 22 MW."
FACT = "A cable test shows that 40 MW is all."
INVENTED = "The council should share everything in joyful rotation."


def offline(*drafts: str, trace: Trace | None = None, pairs: int = 3) -> GateResult:
    return gate(
        trace or two_sided(),
        config=GateConfig(pairs=pairs),
        models=Models(Writer(*drafts), LadderAuditor()),
        journal=MemoryJournal(),
    )


def test_a_draft_that_passes_without_a_recommendation_is_not_published() -> None:
    result = offline(f"{FACT} {INVENTED}", FACT)

    assert (result.outcome, result.reason) == (Outcome.DIVERGENCE, "deletion_only")
    assert "no recommendation" in result.detail
    assert result.divergence is not None
    assert result.divergence["reason"] == "deletion_only"
    assert result.apg_text != FACT


def test_a_draft_that_passes_with_fewer_stances_than_the_first_is_not_published() -> None:
    result = offline(f"{DEMAND} {OTHER} {INVENTED}", DEMAND)

    assert result.reason == "deletion_only"
    covered = [pair.coverage.covered for pair in result.pairs if pair.coverage]
    assert covered == [("water", "clinic"), ("water",)]


def test_a_draft_that_still_answers_is_published() -> None:
    result = offline(f"{DEMAND} {OTHER} {INVENTED}", f"{DEMAND} {OTHER}")

    assert result.outcome is Outcome.SYNTHESIS
    preserved = result.pairs[1].preserved
    assert preserved is not None
    assert (preserved.kept, preserved.of) == (2, 2)


def test_a_repair_that_throws_supported_sentences_away_shows_in_preservation() -> None:
    result = offline(f"{DEMAND} {OTHER} {FACT} {INVENTED}", f"{DEMAND} {OTHER}")

    preserved = result.pairs[1].preserved
    assert preserved is not None
    assert (preserved.kept, preserved.of) == (2, 3)


class Judged:
    """A run with a model as judge, and what it was asked."""

    def __init__(self, drafts: list[str], *audits: str, pairs: int = 2) -> None:
        self.judge = ScriptedModel(audits, name="judge")
        self.journal = MemoryJournal()
        self.result = gate(
            trace_of(PUMP, FAN),
            config=GateConfig(pairs=pairs),
            models=Models(
                Writer(*drafts), ModelAuditor(self.judge, temperature=0.0, max_tokens=100)
            ),
            journal=self.journal,
        )

    def asked(self, number: int) -> str:
        return self.judge.requests[number].messages[-1].content.rsplit("ids: ", 1)[1]


REFUSED = "A plan serves all."
BAD = verdict("s2", "not_enough_information")


def test_verdicts_of_unchanged_sentences_carry_over_and_are_marked() -> None:
    run = Judged([f"{PUMP} {REFUSED}", f"{PUMP} {FAN}"],
                 judged(verdict("s1"), BAD),
                 judged(verdict("s2", address="T2.1", quote=FAN)),
                 judged(verdict("s1"), verdict("s2", address="T2.1", quote=FAN)))  # fmt: skip

    assert run.asked(1) == "s2"
    assert [v.carried_from for v in run.result.pairs[1].verdicts] == [1, 0]
    assert run.result.outcome is Outcome.SYNTHESIS


def test_the_sentences_that_are_not_asked_about_stay_in_view() -> None:
    run = Judged([f"{PUMP} {REFUSED}", f"{PUMP} {FAN}"],
                 judged(verdict("s1"), BAD),
                 judged(verdict("s2", address="T2.1", quote=FAN)),
                 judged(verdict("s1"), BAD))  # fmt: skip

    assert PUMP in run.judge.requests[1].messages[-1].content.split("The whole text")[1]


def test_a_passing_draft_is_audited_once_more_in_full() -> None:
    run = Judged([PUMP], judged(verdict("s1")), judged(verdict("s1")))

    assert run.result.outcome is Outcome.SYNTHESIS
    assert len(run.result.pairs) == 1
    assert run.result.pairs[0].confirmed == Fidelity(1, 1)
    first, second = run.journal.records
    assert first.request_sha256 != second.request_sha256
    assert second.request["purpose"] == "confirmation"


def test_a_failed_second_audit_fails_the_pair_and_both_refusals_form_the_hint() -> None:
    first = [verdict(f"s{n}") for n in range(1, 21)]
    first[4] = verdict("s5", "not_enough_information")
    again = [verdict(f"s{n}") for n in range(1, 21)]
    again[7] = verdict("s8", "not_enough_information")
    again[8] = verdict("s9", "not_enough_information")
    text = " ".join(f"Point {n} of the plan is fine." for n in range(1, 21))
    run = Judged([text, "Done."], judged(*first), judged(*again), pairs=2)

    pair = run.result.pairs[0]
    assert pair.fidelity == Fidelity(19, 20)
    assert pair.confirmed == Fidelity(18, 20)
    assert not pair.passes(95)
    for number in (5, 8, 9):
        assert f"[s{number}]" in pair.hint
    assert pair.hint.count("Why:") == 3


def test_a_second_audit_without_verdicts_ends_the_run_without_a_verdict() -> None:
    run = Judged([PUMP], judged(verdict("s1")), "no JSON", "no JSON")

    assert (run.result.outcome, run.result.reason) == (Outcome.NOT_JUDGED, "auditor_unparsed")
    assert run.result.pairs[0].fidelity == Fidelity(1, 1)
    assert run.result.apg_text == ""


def test_a_deterministic_auditor_is_not_asked_twice() -> None:
    assert offline(f"{DEMAND} {OTHER}").pairs[0].confirmation == ()


def measured_config(*script: str) -> GateConfig:
    second = ModelSpec(kind="scripted", name="second judge", script=script)
    return GateConfig(pairs=1, measured_by=second)


def test_a_second_auditor_measures_and_steers_nothing() -> None:
    answer = judged(verdict("s1", "not_enough_information"))
    config = measured_config(answer)
    models = models_from_config(config, environment={})
    draft = f"{DEMAND}"
    result = gate(
        two_sided(),
        config=config,
        models=Models(Writer(draft), models.auditor, measurer=models.measurer),
        journal=MemoryJournal(),
    )

    steered, measured = result.measures
    assert (steered.role, measured.role) == ("steered", "measured")
    assert measured.auditor == "second judge"
    assert steered.terminal is not None
    assert measured.terminal is not None
    assert steered.terminal.paper == Fidelity(1, 1)
    assert measured.terminal.paper == Fidelity(0, 1)
    assert result.outcome is Outcome.SYNTHESIS
    assert result_from_dict(json.loads(json.dumps(result_to_dict(result)))) == result


def test_a_second_auditor_that_fails_leaves_the_outcome_and_no_number() -> None:
    config = measured_config()
    models = models_from_config(config, environment={})
    result = gate(
        two_sided(),
        config=config,
        models=Models(Writer(DEMAND), models.auditor, measurer=models.measurer),
        journal=MemoryJournal(),
    )

    assert result.outcome is Outcome.SYNTHESIS
    assert result.measures[1].terminal is None
    assert any("second judge" in warning for warning in result.warnings)


def test_a_sentence_once_refused_by_a_second_audit_stays_refused() -> None:
    run = Judged([PUMP, f"{PUMP} {FAN}"],
                 judged(verdict("s1")),
                 judged(verdict("s1", "not_enough_information")),
                 judged(verdict("s2", address="T2.1", quote=FAN)))  # fmt: skip

    carried = run.result.pairs[1].verdicts[0]
    assert (carried.label, carried.carried_from) == (Label.NOT_ENOUGH_INFORMATION, 1)

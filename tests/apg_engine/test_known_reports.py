"""Which test covers which publicly reported failure of the tools in this field.

`GROUNDING` has the numbers of the log in `field/grounding.md`, section 4 (its gaps are on purpose);
`REPLIES` the cases of `papers/apg_reference_implementation.md`, section 2.7; `TRAJECTORIES` the
numbers of its section 4.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent

GROUNDING = {
    1: "test_a_whole_reply_is_read_with_or_without_a_fence",
    2: "test_quotes_inside_a_reason_break_nothing",
    3: "test_a_cut_reply_keeps_its_verdicts_and_the_rest_is_asked_again",
    4: "test_a_text_is_cut_into_its_sentences",
    5: "test_a_text_is_cut_into_its_sentences",
    7: "test_a_value_outside_the_list_is_no_verdict",
    8: "test_a_value_outside_the_list_is_no_verdict",
    9: "test_the_ladder_never_changes_its_mind",
    10: "test_a_server_that_never_recovers_ends_the_call",
    11: "test_a_slow_answer_times_out",
    13: "test_ids_nobody_asked_about_are_ignored_and_noted",
    14: "test_a_reply_that_is_none_gives_no_verdict_at_all",
    15: "test_a_reply_that_is_none_gives_no_verdict_at_all",
    16: "test_a_reply_that_is_none_gives_no_verdict_at_all",
    17: "test_a_proposer_that_writes_nothing_to_judge_blocks",
    18: "test_a_reply_that_is_none_gives_no_verdict_at_all",
    19: "test_a_sentence_about_absence_is_a_claim_like_any_other",
    20: "test_a_text_is_cut_into_its_sentences",
    22: "test_two_objects_back_to_back_are_no_reply",
    23: "test_the_example_in_the_prompt_follows_the_schema",
    24: "test_a_model_that_answers_by_mood_flips_on_repeats",
    25: "test_a_trace_without_text_is_not_judged",
    26: "test_what_a_draft_leaves_out_lowers_coverage_and_not_pf",
    27: "test_a_judge_that_says_idk_to_all_passes_nothing",
    28: "test_an_auditor_that_fails_blocks_with_its_own_reason",
    29: "test_evidence_in_another_shape_is_no_verdict",
    30: "test_a_verdict_hidden_in_prose_is_not_fished_out",
    31: "test_the_same_judge_with_other_manners_gives_the_same_result",
    32: "test_a_sentence_the_auditor_leaves_out_is_not_audited",
    33: "test_what_stays_open_after_the_re_ask_ends_the_run_without_a_number",
    34: "test_a_changed_number_is_contradicted",
    35: "test_padding_around_the_evidence_changes_nothing",
    36: "test_a_fact_at_the_end_of_a_very_long_sentence_is_found",
    37: "test_a_text_is_cut_into_its_sentences",
    38: "test_a_text_is_cut_into_its_sentences",
    40: "test_a_text_is_cut_into_its_sentences",
    42: "test_a_result_names_the_splitter_and_its_corpus_depends_on_it",
    43: "test_two_ways_to_write_it_have_one_normal_form",
    45: "test_a_quote_that_is_not_at_its_address_supports_nothing",
    46: "test_a_turn_that_dictates_a_verdict_is_only_text",
    48: "test_a_sentence_of_two_words_counts",
    49: "test_the_second_audit_reads_the_second_draft",
    51: "test_what_the_record_does_not_state_stays_open_and_never_counts",
}

REPLIES = {
    "fence around the JSON": "test_a_whole_reply_is_read_with_or_without_a_fence",
    "no JSON at all": "test_a_reply_that_is_none_gives_no_verdict_at_all",
    "the judge's call fails": "test_an_auditor_that_fails_blocks_with_its_own_reason",
    "the proposer's call fails": (
        "test_a_proposer_that_fails_in_the_repair_leaves_the_first_pair_readable"
    ),
    "a PF of 95, NaN or 95 % in the reply": "test_a_pf_in_a_reply_is_never_read",
    "verdict APPROVED.": "test_a_pf_in_a_reply_is_never_read",
    "null or text for a list": "test_evidence_in_another_shape_is_no_verdict",
    "content in parts": "test_an_answer_in_parts_is_joined",
}

TRAJECTORIES = tuple(range(1, 22))
_NAME = re.compile(r"^def (test_\w+)", re.MULTILINE)


def existing() -> set[str]:
    texts = (path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    return {name for text in texts for name in _NAME.findall(text)}


@pytest.mark.parametrize("name", sorted({*GROUNDING.values(), *REPLIES.values()}))
def test_the_named_test_exists(name: str) -> None:
    assert name in existing()


@pytest.mark.parametrize("row", TRAJECTORIES)
def test_every_edge_case_of_a_trajectory_has_a_test(row: int) -> None:
    covered: set[int] = set()
    for name in existing():
        first = re.match(r"test_(\d\d)_(?:(to|and)_(\d\d)_)?", name)
        if first:
            low, high = int(first[1]), int(first[3] or first[1])
            covered.update(range(low, high + 1) if first[2] == "to" else (low, high))

    assert row in covered

"""Which test covers which public report on debates and on access to models.

The numbers are those of the log in `field/debates_and_llms.md`, section 5. A report that cannot
reach this code has a line that says why, and beside it, where there is one, the test that keeps it
so.
"""

from __future__ import annotations

REPORTS: dict[int, tuple[str, ...]] = {
    1: ("test_a_burst_of_429_is_waited_out_and_every_try_is_in_the_journal",),
    2: ("test_ten_workers_at_a_narrow_server_are_paced_and_all_get_through",),
    3: (
        "test_every_call_of_a_debate_is_tried_again_after_429",
        "test_only_one_module_of_the_debates_asks_models",
    ),
    4: (
        "test_a_reply_that_was_lost_on_the_way_is_marked_as_charged_perhaps",
        "test_a_dropped_connection_is_tried_again_and_may_be_charged_twice",
    ),
    5: ("test_a_module_that_stays_silent_ends_the_debate_with_that_reason",),
    6: ("test_modules_that_only_thank_each_other_are_stopped",),
    7: ("test_every_end_has_a_reason_of_the_list", "test_the_table_of_stop_rules"),
    8: (
        "test_speaking_for_another_module_is_noticed",
        "test_speaking_in_the_name_of_the_other_side_is_noticed",
    ),
    9: (
        "test_the_opening_prompts_have_no_place_for_a_rebuttal",
        "test_the_first_speaker_has_nobody_to_answer",
    ),
    10: (
        "test_the_number_of_turns_that_is_asked_for_is_the_number_that_is_held",
        "test_a_trial_has_as_many_rounds_as_are_asked_for",
    ),
    11: (
        "test_no_prompt_holds_what_is_another_modules_alone",
        "test_a_private_plan_reaches_its_own_modules_turn_and_no_other_prompt",
        "test_a_private_plan_reaches_nobody_but_its_counsel_and_the_court",
    ),
    12: (
        "test_prompts_grow_linearly_because_each_turn_stands_in_a_prompt_once",
        "test_prompts_grow_by_the_same_amount_in_each_round",
    ),
    13: (
        "test_a_turn_that_names_another_topic_does_not_change_the_question",
        "test_an_argument_that_names_another_claim_does_not_change_the_claim",
    ),
    14: (
        "test_an_answer_in_another_form_is_unparsed_and_never_guessed",
        "test_an_answer_that_is_no_ballot_is_unparsed_and_no_vote",
        "test_words_that_merely_contain_yes_settle_nothing",
    ),
    15: ("test_one_silence_is_asked_again_and_later_turns_work",),
    16: ("test_a_server_that_refuses_empty_texts_and_wants_roles_to_alternate_is_served",),
    17: ("test_a_model_that_thinks_until_its_limit_is_exhausted_and_its_thoughts_are_not_used",),
    18: ("test_an_answer_cut_at_its_limit_is_tried_with_a_larger_one_and_then_exhausted",),
    19: (
        "test_a_plan_in_prose_is_not_fished_for",
        "test_the_probe_tells_a_server_that_enforces_from_one_that_only_accepts",
    ),
    20: ("test_a_plan_with_invented_or_unknown_values_is_unparsed",),
    21: (
        "test_a_plan_in_the_reasoning_channel_is_not_salvaged",
        "test_an_answer_in_the_reasoning_channel_is_no_ballot",
    ),
    22: ("test_a_server_that_cuts_prompts_in_silence_is_caught_and_shown_less",),
    23: ("test_a_server_that_refuses_empty_texts_and_wants_roles_to_alternate_is_served",),
    24: (
        "test_a_prompt_that_is_too_long_is_sent_again_with_half_the_material",
        "test_a_small_context_drops_the_oldest_turns_first_and_says_which",
    ),
    25: (
        "test_a_refused_turn_is_asked_for_once",
        "test_a_refusal_beside_an_empty_text_is_one_call",
    ),
    26: ("test_a_refusal_beside_an_empty_text_is_one_call",),
    27: ("test_a_server_that_takes_no_temperature_is_asked_without_and_it_is_recorded",),
    28: (
        "test_the_setup_is_written_before_the_first_call",
        "test_a_debate_killed_before_its_first_answer_is_still_there_and_is_held",
    ),
    29: ("test_a_corrupt_row_is_refused", "test_a_row_that_lost_a_field_is_refused"),
    30: (
        "test_a_resumed_debate_repeats_no_call_and_says_the_same",
        "test_a_killed_debate_goes_on_and_repeats_no_recorded_call",
        "test_a_trial_that_was_interrupted_repeats_no_recorded_call",
    ),
    31: (
        "test_an_interruption_loses_no_row_that_was_recorded",
        "test_an_interrupt_while_judges_vote_loses_none_of_their_ballots",
    ),
    32: (
        "test_two_workers_on_one_call_leave_one_record_and_one_answer",
        "test_two_workers_on_one_trial_leave_one_record_of_each_call",
    ),
    33: (
        "test_equal_prompts_to_different_models_are_different_calls",
        "test_one_model_never_gets_anothers_answer",
        "test_equal_prompts_to_three_judges_are_three_calls",
    ),
    34: ("test_two_debates_in_one_process_share_no_connection",),
    35: ("test_a_forked_process_asks_on_a_connection_of_its_own",),
    36: (
        "test_a_text_that_is_handed_in_twice_is_shown_once",
        "test_a_text_that_is_found_again_and_again_is_one_exhibit",
    ),
    37: (
        "test_a_plan_with_invented_or_unknown_values_is_unparsed",
        "test_a_quote_that_is_not_at_its_address_supports_nothing",
        "test_an_exhibit_that_was_not_shown_is_no_evidence_of_a_turn",
        "test_a_sentence_the_court_was_not_shown_is_refused_and_repaired",
    ),
    38: (
        "test_a_failed_call_leaves_no_turn_and_its_words_reach_nobody",
        "test_a_failed_call_is_never_an_argument_and_has_no_verdict",
    ),
    39: ("test_a_judge_that_fails_stays_in_the_denominator",),
    40: (
        "test_a_score_that_is_no_number_within_bounds_is_unreadable",
        "test_an_answer_that_is_no_ballot_is_unparsed_and_no_vote",
    ),
    41: (
        "test_a_longer_argument_of_one_side_does_not_change_what_rules_find",
        "test_both_orders_exchange_names_and_turns_and_tell_who_flips",
        "test_judges_of_one_family_are_refused_unless_that_is_wanted",
    ),
    42: (
        "test_giving_way_without_new_evidence_is_conformity_and_settles_nothing",
        "test_counsel_that_gives_way_without_new_evidence_conforms_and_resolves_nothing",
    ),
    43: (
        "test_a_budget_of_three_calls_sends_three_and_unknown_usage_counts",
        "test_the_budget_of_a_trial_leaves_a_labelled_partial_result",
    ),
    44: ("test_the_cost_of_a_model_without_a_price_is_unknown_and_never_zero",),
    45: ("test_packages_of_known_incidents_are_not_installed",),
    46: ("test_no_test_reaches_another_machine",),
    47: (
        "test_no_text_can_leave_its_line",
        "test_an_order_in_evidence_stays_in_its_row_even_where_the_court_lets_it_in",
        "test_planted_orders_do_not_change_what_rules_find",
    ),
    48: (
        "test_rounds_that_bring_nothing_new_end_a_long_debate_with_equal_turns",
        "test_a_library_without_end_is_left_after_ten_iterations_and_the_turns_are_kept",
        "test_a_search_that_has_stopped_is_over",
    ),
}

# Why a report cannot occur here, also where a test stands above.
REASONS: dict[int, str] = {
    15: "prompts are one system and one user message; no earlier answer is sent as a message",
    23: "every request has the roles system and user, in that order",
    26: "no call is streamed",
    30: "there is no state object to load: a run is its journal, read from the start",
    34: "no client is asynchronous, and each call has a client of its own",
    35: "no client is made before a call, so a fork has none to share",
    45: "litellm and its like are no dependency",
}

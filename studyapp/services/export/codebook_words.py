"""What the columns of an export's tables hold, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# By (file, column); an empty file is for every table that has the column.
COLUMNS: Final[Mapping[tuple[str, str], str]] = {
    ("", "study"): "Short name of the study",
    ("", "design_hash"): (
        "SHA-256 of texts, pairs, measures, scenarios and seed, fixed at first opening"
    ),
    ("", "participant_id"): "Random code of the participant",
    ("", "cohort"): "Group whose link the participant used",
    ("", "language"): "Language of the participant's pages",
    ("", "scenario"): "Which debate; empty for background answers",
    ("", "trial_order"): "Place of the scenario in the participant's order, from 1",
    ("", "left_arm"): "Arm shown as Report A in this trial",
    ("", "presented_at"): "When the pair was first opened, UTC",
    ("", "answered_at"): "When the answer was stored, UTC",
    ("", "status"): "Whether the participant reached the end",
    ("", "is_test"): "Test data, no finding",
    ("", "is_bot"): "Answered by a program",
    ("", "models"): (
        "Who wrote the texts: offline for rules, live for language models, own for the researchers"
    ),
    ("", "measure"): "What was asked; background questions are called background.<key>",
    ("", "kind"): "How it was answered: rating, choice, text, background, confidence or attention",
    ("", "arm"): "For ratings: the arm of the rated report",
    ("", "position"): "For ratings: where the rated report stood, left is Report A",
    ("", "value"): "The answer; its labels are listed below, by measure",
    ("", "source"): "Where the link was: link, invitation, or the panel; never who the person is",
    ("", "pair_token"): "Beginning of the SHA-256 of the frozen pair of texts",
    ("", "dwell_visible_ms"): (
        "Milliseconds for which the rated report, or for an answer about both the page with both "
        "reports, was in view, without idle time; empty where it was not recorded"
    ),
    ("", "n_changes"): "How often the answer was changed before it was submitted",
    ("", "attention_pass"): (
        "Whether the participant passed every attention check they met; empty where they met none"
    ),
    ("", "time_pressure"): "Countdown per trial in seconds, or none",
    ("", "block"): "Permuted block of the draw, numbered within cohort, from 1",
    ("participants.csv", "status"): "complete, partial, screened_out or failed_attention",
    ("", "device"): "Class of the device at consent",
    ("", "consented_at"): "When the participant consented, UTC",
    ("", "background_at"): "When the background questions were answered, UTC",
    ("", "completed_at"): "When the last answer was stored, UTC",
    ("", "stratum"): "Screening answer that a quota counts, as <question>=<value>",
    ("", "screening_attempts"): "How often the screening questions were answered",
    ("", "screening"): "Screening answers, as JSON",
    ("", "external_id"): "What the panel calls the participant",
    ("", "captured"): "Parameters of the panel's link that were kept, as JSON",
    ("", "item_kind"): "What was looked at: trace, turn, report, pair, or a measure's answer",
    ("", "item"): "The turn's address, left or right for a report, the measure's key, else empty",
    ("", "visible_seconds"): "Seconds in view, without idle time",
    ("", "scroll_coverage"): "Share of the item that was in view at some time, 0 to 1",
    ("", "changes"): "How often the answer was changed before it was submitted",
    ("", "tombstone"): "Number of a withdrawn participant, who is in no other table",
    ("withdrawn.csv", "status"): "complete or partial when it was withdrawn",
    ("", "rule"): "Rule by which the participant is left out",
    ("", "reason"): "The rule in words",
    ("", "address"): "Address of the marked turn",
    ("", "relation"): "Whether the turn supports or contradicts the report, to the participant",
    ("", "marked_at"): "When it was marked, UTC",
    ("", "view"): "Random word of one view of the page",
    ("", "sequence"): "Number of the change within that view",
    ("", "value_before"): "The value that was replaced",
    ("", "after_ms"): "Milliseconds from the view's beginning",
    ("", "event"): "Number of the event in the site's log",
    ("events.csv", "kind"): "What happened",
    ("", "at"): "When, UTC; empty where its participant withdrew",
    ("", "is_erased"): "Whether a withdrawal emptied the event",
    ("", "payload"): "What the log says about it, as JSON",
    ("", "sha256"): "Digest of the event; empty where something of it is left out here",
}

# Columns that other platforms call by another name.
CONVENTIONS: Final = (
    "Other platforms call scenario item_id and is_bot bot; value is answer or response there."
)

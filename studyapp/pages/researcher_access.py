"""What each of the researcher's pages about a study asks of the reader's role.

A page that is not listed is for owners: a new page is closed until somebody decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from studyapp.domain.permissions import Action

_BY_ACTION: Final[Mapping[Action, tuple[str, ...]]] = {
    Action.WATCH: ("study-detail", "study-live", "study-watch", "watch-live"),
    Action.STIMULI: (
        "preregistration",
        "study-share",
        "trace-detail",
        "pair-detail",
        "study-words",
        "words-preview",
        "run-detail",
        "run-live",
        "debate-detail",
        "debate-live",
    ),
    Action.EDIT: (
        *("version-create", "pairs-load", "words-edit", "translation-remove", "study-preview"),
        *("study-generate", "debates-add", "scenario-name", "scenario-remove"),
        *("committee-create", "trial-create", "debate-cancel", "debate-retry", "debate-take"),
        *("run-cancel", "run-retry", "cohort-create", "cohort-detail", "cohort-code"),
        # A personal link leads to what its holder answered.
        *("cohort-remove", "invitations-add", "invitations-file", "invitation-code"),
        *("invitation-revoke", "study-notices", "notices-mail", "webhook-create"),
        *("webhook-detail", "webhook-test", "webhook-remove"),
    ),
    Action.RUN: (
        *("study-open", "study-pause", "study-close", "cohort-move"),
        *("study-pilot", "study-redraft", "study-archive"),
    ),
    Action.ANALYSE: (
        *("study-export", "study-report", "report-live", "report-request", "report-read"),
        *("report-file", "study-exports", "exports-live", "export-request", "export-file"),
    ),
    Action.LOG: ("study-log",),
    Action.GOVERN: (
        *("study-members", "member-role", "member-remove", "member-invitation-revoke"),
        *("study-retention", "arm-key-unseal"),
    ),
}
PAGE_ACTIONS: Final[Mapping[str, Action]] = {
    name: action for action, names in _BY_ACTION.items() for name in names
}


def page_action(name: str) -> Action:
    """Return what the page of this name asks for."""
    return PAGE_ACTIONS.get(name, Action.GOVERN)

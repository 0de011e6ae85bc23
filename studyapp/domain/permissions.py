"""Who may do what in a study: one table, asked by every page, service and interface."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What somebody is in one study. Who is nothing in it does not learn that it exists."""

    OWNER = "owner"
    EDITOR = "editor"
    MONITOR = "monitor"
    ANALYST = "analyst"


class Action(StrEnum):
    """What can be done with a study.

    WATCH: see the study, its state and how far participants are. STIMULI: read debates, both texts
    and the gate's story. EDIT: change debates, texts, cohorts and links. RUN: open, pause and
    close. ANALYSE: take answers out, and have reports built of them. LOG: read who did what.
    GOVERN: members, the arm key before its time, and how long data are kept.
    """

    WATCH = "watch"
    STIMULI = "stimuli"
    EDIT = "edit"
    RUN = "run"
    ANALYSE = "analyse"
    LOG = "log"
    GOVERN = "govern"


ALLOWED: Final[Mapping[Role, frozenset[Action]]] = {
    Role.OWNER: frozenset(Action),
    Role.EDITOR: frozenset({Action.WATCH, Action.STIMULI, Action.EDIT, Action.RUN, Action.LOG}),
    # Progress without answers: whoever reminds people need not know what they said.
    Role.MONITOR: frozenset({Action.WATCH}),
    Role.ANALYST: frozenset({Action.WATCH, Action.STIMULI, Action.ANALYSE, Action.LOG}),
}


def role_allows(role: Role, action: Action) -> bool:
    """Say whether a role may do something."""
    return action in ALLOWED[role]

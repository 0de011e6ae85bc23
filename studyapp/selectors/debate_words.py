"""What records call the roles, purposes and ends of debates, in words for researchers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext, gettext_noop

_ROLES: Final[Mapping[str, str]] = {
    "continuity": gettext_noop("Continuity Module"),
    "protection": gettext_noop("Protection Module"),
    "structure": gettext_noop("Structure Module"),
    "auditor": gettext_noop("Auditor of turns"),
    "miner": gettext_noop("Premise miner"),
    "plaintiff": gettext_noop("Plaintiff"),
    "defense": gettext_noop("Defense"),
    "court": gettext_noop("Court"),
    "critic": gettext_noop("Critic"),
    "expert": gettext_noop("Witness"),
    "panel": gettext_noop("Panel"),
    "judge_a": gettext_noop("Judge A"),
    "judge_b": gettext_noop("Judge B"),
    "judge_c": gettext_noop("Judge C"),
    "epistemic_shift": gettext_noop("News: epistemic shift"),
    "cascading_risk": gettext_noop("News: cascading risk"),
    "zero_sum": gettext_noop("News: zero-sum"),
    "ad_hominem": gettext_noop("News: ad hominem"),
}
_PURPOSES: Final[Mapping[str, str]] = {
    "strategy": gettext_noop("plans in private"),
    "prepare": gettext_noop("plans in private"),
    "turn": gettext_noop("speaks"),
    "argue": gettext_noop("argues"),
    "testify": gettext_noop("testifies"),
    "announce": gettext_noop("announces the finding"),
    "mine": gettext_noop("cuts the claim into premises"),
    "query": gettext_noop("asks for evidence"),
    "refine": gettext_noop("refines a query"),
    "weigh": gettext_noop("weighs what was found"),
    "grant": gettext_noop("rules on a witness"),
    "reflect": gettext_noop("reflects on its turn"),
    "review": gettext_noop("reviews the premises"),
    "judge": gettext_noop("votes"),
}
_STOPS: Final[Mapping[str, str]] = {
    "budget": gettext_noop("a limit of the budget"),
    "empty": gettext_noop("an empty answer"),
    "refused": gettext_noop("a refusal of a model"),
    "exhausted": gettext_noop("an answer that was cut off"),
    "context": gettext_noop("a prompt too long for a model"),
    "unavailable": gettext_noop("a model that could not be reached"),
    "bad_request": gettext_noop("a request that the server refused"),
    "script_ended": gettext_noop("the end of a script"),
    "unparsed": gettext_noop("an answer that could not be read"),
    "max_rounds": gettext_noop("the last round asked for"),
    "nothing_new": gettext_noop("a round that said nothing new"),
    "conformity": gettext_noop("somebody gave way without new evidence"),
    "resolved": gettext_noop("the critic finds the question settled"),
    "no_new_evidence": gettext_noop("two rounds without new evidence"),
}
_FINDINGS: Final[Mapping[str, str]] = {
    "SUPPORT": gettext_noop("supports the claim"),
    "REFUTE": gettext_noop("refutes the claim"),
    "INCONCLUSIVE": gettext_noop("no finding"),
    "ABSTAIN": gettext_noop("abstains"),
    "": gettext_noop("no readable ballot"),
}
_OUTCOMES: Final[Mapping[str, str]] = {
    "unanimous": gettext_noop("unanimous"),
    "majority": gettext_noop("by a majority"),
    "tied": gettext_noop("the votes are tied"),
    "no quorum": gettext_noop("too few judges voted"),
}
_ADMISSIONS: Final[Mapping[str, str]] = {
    "admitted": gettext_noop("admitted"),
    "flagged": gettext_noop("flagged"),
    "discarded": gettext_noop("left out"),
}
_CAPS: Final[Mapping[str, str]] = {
    "calls": gettext_noop("calls"),
    "tokens": gettext_noop("tokens"),
    "cost": gettext_noop("USD"),
}


def role_word(role: str) -> str:
    """Name a role."""
    return _word(_ROLES, role)


def purpose_word(purpose: str) -> str:
    """Say what somebody is asked for."""
    return _word(_PURPOSES, purpose)


def stop_word(reason: str) -> str:
    """Say why a debate ended."""
    return _word(_STOPS, reason)


def finding_word(finding: str) -> str:
    """Say what a judge or a panel finds."""
    return _word(_FINDINGS, finding)


def outcome_word(outcome: str) -> str:
    """Say how a panel came to its finding."""
    return _word(_OUTCOMES, outcome)


def admission_word(admission: str) -> str:
    """Say what became of an item that was weighed."""
    return _word(_ADMISSIONS, admission)


def cap_word(name: str) -> str:
    """Name what a limit counts."""
    return _word(_CAPS, name)


def _word(words: Mapping[str, str], key: str) -> str:
    return gettext(words[key]) if key in words else key

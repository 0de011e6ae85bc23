"""What stored words mean to the person they are about, in the language that is active."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from studyapp.domain.reading import DEBATE_PAGE, REPORTS_PAGE
from studyapp.models import Outcome

CONTEXT: Final = "C1"


def outcome_label(outcome: str) -> str:
    """Say how far somebody came."""
    return {
        Outcome.IN_PROGRESS.value: _("Begun, not finished"),
        Outcome.COMPLETE.value: _("Finished"),
        Outcome.SCREENED_OUT.value: _("Ended after the first questions"),
        Outcome.FAILED_ATTENTION.value: _("Ended by questions that check attention"),
    }.get(outcome, "")


def device_label(device: str) -> str:
    """Name a kind of device."""
    return {
        "phone": _("Phone"),
        "tablet": _("Tablet"),
        "desktop": _("Computer"),
    }.get(device, "")


def side_label(side: str) -> str:
    """Name a report by the side it stood on."""
    return {"left": _("Report A"), "right": _("Report B")}.get(side, "")


def relation_label(relation: str) -> str:
    """Say what a marked turn does to a report."""
    return {"supports": _("supports it"), "contradicts": _("contradicts it")}.get(relation, "")


def part_label(item: str) -> str:
    """Name a part of a page or of a debate, as `page:debate` or `T3`."""
    pages = {
        DEBATE_PAGE: _("The page with the debate"),
        REPORTS_PAGE: _("The page with the reports"),
        "pair": _("Both reports at once"),
        "debate": _("The debate, opened beside the reports"),
        CONTEXT: _("The situation"),
    }
    return pages.get(item) or side_label(item) or _numbered(item)


def _numbered(item: str) -> str:
    words = {
        "T": _("Turn %(number)s"),
        "S": _("News %(number)s"),
        "A": _("Document %(number)s"),
    }
    word = words.get(item[:1])
    return word % {"number": item[1:]} if word and item[1:].isdigit() else item

"""Where a run of the gate stands, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _


def stage_word(stage: str) -> str:
    """Say what a run is doing; a stage that is not known says itself."""
    words = {
        "": _("starting"),
        "assembling": _("reading the debate"),
        "proposing": _("writing the draft"),
        "auditing": _("checking the draft sentence by sentence"),
        "deciding": _("deciding"),
        "repairing": _("telling the proposer what was not supported"),
        "reporting": _("writing the Divergence Report"),
        "published": _("publishing"),
        "diverged": _("publishing the Divergence Report"),
        "not judged": _("ended without a judgement"),
    }
    return words.get(stage, stage)

"""How people are told: the name of each occasion, and the mail about a notice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from studyapp.domain.occasions import Occasion
from studyapp.models import Notice

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

LABELS: Final[Mapping[Occasion, _StrPromise]] = {
    Occasion.COHORT_FULL: gettext_lazy("every place of a cohort is taken"),
    Occasion.STUDY_FULL: gettext_lazy("every place of the study is taken"),
    Occasion.PLANNED_N: gettext_lazy("the planned number has completed"),
    Occasion.STALLED: gettext_lazy("nobody came and nobody completed for a while"),
    Occasion.STUCK: gettext_lazy("many came and nobody completed for a while"),
    Occasion.DEBATE_FAILED: gettext_lazy("a debate held here failed or was stopped"),
    Occasion.TEXTS_FAILED: gettext_lazy("a run of texts failed or was stopped"),
    Occasion.EXPORT_READY: gettext_lazy("an export is ready"),
    Occasion.EXPORT_FAILED: gettext_lazy("an export failed"),
    Occasion.TEST: gettext_lazy("a test"),
}


def mail_subject(notice: Notice) -> str:
    """Return the subject: which study, and what happened."""
    happened = LABELS[Occasion(notice.occasion)]
    return _("“%(study)s”: %(happened)s") % {"study": notice.study.title, "happened": happened}


def mail_text(notice: Notice) -> str:
    """Return the text: what happened, the numbers that belong to it, and how to end such mail."""
    lines = [f"{key}: {value}" for key, value in notice.data.items()]
    end = _("You get this mail because you asked for it on the study's page about notices.")
    return "\n".join([mail_subject(notice), "", *lines, "", end, ""])

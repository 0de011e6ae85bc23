"""Debates held here: ask for them, watch them go on, stop and retry them, use what they gave."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from studyapp import tasks
from studyapp.errors import EvidenceRefusedError, StudyAppError
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.pages.researcher_debate_forms import CommitteeForm, TrialForm
from studyapp.selectors.debate_views import DebateView
from studyapp.selectors.debates import debate_find
from studyapp.services.debates import (
    committee_request,
    debate_cancel,
    debate_retry,
    debate_take,
    trials_request,
)


class CommitteeCreatePage(OneStudyPage):
    """A debate of the crisis committee asked for."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the form."""
        return self.page("debate_committee.html", form=CommitteeForm())

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Queue the debate and lead to its page, or say what is wrong."""
        form = CommitteeForm(request.POST)
        debate = self._request(form) if form.is_valid() else None
        if debate is None:
            return self.page("debate_committee.html", form=form, status=400)
        messages.success(request, _("The debate is queued. This page shows it as it goes on."))
        return redirect("debate-detail", slug=slug, debate=debate)

    def _request(self, form: CommitteeForm) -> int | None:
        try:
            trunk = committee_request(
                study_id=self.study.id,
                wish=form.wish(),
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error(None, str(error))
            return None
        tasks.branch_execute.delay_on_commit(branch_id=trunk.branch_id)
        return trunk.debate_id


class TrialCreatePage(OneStudyPage):
    """Trials of claims asked for."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the form."""
        return self.page("debate_trial.html", form=TrialForm())

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Queue a trial of each claim, all or none, and lead to the first one's page."""
        form = TrialForm(request.POST, request.FILES)
        asked = self._request(form) if form.is_valid() else []
        if not asked:
            return self.page("debate_trial.html", form=form, status=400)
        told = ngettext("%(number)s trial is queued.", "%(number)s trials are queued.", len(asked))
        messages.success(request, told % {"number": len(asked)})
        return redirect("debate-detail", slug=slug, debate=asked[0])

    def _request(self, form: TrialForm) -> list[int]:
        try:
            trunks = trials_request(
                study_id=self.study.id,
                claims=form.cleaned_data["claims"],
                corpus=form.cleaned_data["corpus"],
                wish=form.wish(),
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except EvidenceRefusedError as error:
            form.add_error("corpus", str(error))
            return []
        except StudyAppError as error:
            form.add_error(None, str(error))
            return []
        for trunk in trunks:
            tasks.branch_execute.delay_on_commit(branch_id=trunk.branch_id)
        return [trunk.debate_id for trunk in trunks]


class _OneDebate(OneStudyPage):
    def found(self, kwargs: dict[str, Any]) -> DebateView:
        """Return the debate, if it is one of this study's."""
        debate = debate_find(study_id=self.study.id, debate_id=kwargs["debate"])
        if debate is None:
            raise Http404
        return debate


class DebateDetailPage(_OneDebate):
    """One debate: who speaks, what was said, what it used, how it ended."""

    def get(self, request: HttpRequest, slug: str, debate: int) -> HttpResponse:
        """Show the debate."""
        return self.page("debate_detail.html", debate=self.found(self.kwargs))


class DebateLivePage(_OneDebate):
    """The part of a debate's page that changes while it goes on."""

    def get(self, request: HttpRequest, slug: str, debate: int) -> HttpResponseBase:
        """Show how far it is; when it has ended, have the whole page loaded anew."""
        found = self.found(self.kwargs)
        response = self.page("_debate_live.html", debate=found)
        if not found.row.is_live:
            response["HX-Refresh"] = "true"
        return response


class _DebateAction(StudyAction, _OneDebate):
    def back(self) -> HttpResponse:
        """Lead back to the debate."""
        return redirect("debate-detail", slug=self.study.slug, debate=self.kwargs["debate"])

    def subject(self) -> dict[str, Any]:
        """Name the debate, who acts and when."""
        return {
            "study_id": self.study.id,
            "debate_id": self.found(self.kwargs).row.id,
            "actor_id": self.actor_id,
            "now": timezone.now(),
        }


class DebateCancelAction(_DebateAction):
    """A debate stopped."""

    def act(self) -> str:
        """Cancel it; what it has recorded is kept."""
        debate_cancel(**self.subject())
        return _("The debate is cancelled. What it has recorded is kept and used if you retry.")


class DebateRetryAction(_DebateAction):
    """A failed or cancelled debate taken up again."""

    def act(self) -> str:
        """Queue it and wake a worker."""
        trunk = debate_retry(**self.subject())
        tasks.branch_execute.delay_on_commit(branch_id=trunk.branch_id)
        return _("The debate is queued again. Calls that were recorded are not repeated.")


class DebateTakeAction(_DebateAction):
    """The trace of an ended debate added to the study."""

    def act(self) -> str:
        """Add it, whether its rules ended it or not."""
        debate_take(**self.subject())
        return _("The debate is a scenario of the study now.")

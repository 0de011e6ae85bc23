"""The researcher's view of one run: progress while it works, the gate's story when it is done."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp import tasks
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.selectors.generation import RunView, run_find
from studyapp.services.study import generation_cancel, generation_retry


class _OneRun(OneStudyPage):
    run: RunView

    def found(self, kwargs: dict[str, Any]) -> RunView:
        """Return the run, if it is one of this study's."""
        run = run_find(study_id=self.study.id, run_id=kwargs["run"])
        if run is None:
            raise Http404
        return run


class RunDetailPage(_OneRun):
    """One run with its drafts, verdicts, hints, final report and calls."""

    def get(self, request: HttpRequest, slug: str, run: int) -> HttpResponse:
        """Show the run."""
        return self.page("run_detail.html", run=self.found(self.kwargs))


class RunLivePage(_OneRun):
    """The part of a run's page that changes while it works."""

    def get(self, request: HttpRequest, slug: str, run: int) -> HttpResponseBase:
        """Show the progress; when the run has ended, have the whole page loaded anew."""
        found = self.found(self.kwargs)
        response = self.page("_run_live.html", run=found)
        if not found.is_live:
            response["HX-Refresh"] = "true"
        return response


class _RunAction(StudyAction, _OneRun):
    def back(self) -> HttpResponse:
        """Lead back to the run."""
        return redirect("run-detail", slug=self.study.slug, run=self.kwargs["run"])


class RunCancelAction(_RunAction):
    """A run stopped."""

    def act(self) -> str:
        """Cancel it; what it has recorded is kept."""
        run = self.found(self.kwargs)
        generation_cancel(
            study_id=self.study.id, run_id=run.id, actor_id=self.actor_id, now=timezone.now()
        )
        return _("The run is cancelled. What it has recorded is kept and used if you retry.")


class RunRetryAction(_RunAction):
    """A failed or cancelled run taken up again."""

    def act(self) -> str:
        """Queue it and wake a worker."""
        run = self.found(self.kwargs)
        generation_retry(
            study_id=self.study.id, run_id=run.id, actor_id=self.actor_id, now=timezone.now()
        )
        tasks.run_execute.delay_on_commit(run_id=run.id)
        return _("The run is queued again. Calls that were recorded are not repeated.")

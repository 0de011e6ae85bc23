"""Pages about a study's report: ask for it, watch it being built, read it, take it along."""

from __future__ import annotations

from csp.constants import HEADER
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp import tasks
from studyapp.domain.page_policy import page_policy
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.selectors.report import ReportFile, report_file, report_languages, reports_list
from studyapp.services.report import report_request


class ReportPage(OneStudyPage):
    """The report of a closed study, the design check of one that still runs."""

    template = "report.html"

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show what there is and what can be asked for."""
        closed = self.study.has_ended
        rows = reports_list(self.study.id, closed=closed)
        return self.page(
            self.template,
            reports=rows,
            is_closed=closed,
            is_waiting=any(row.is_waiting for row in rows),
            languages=report_languages(),
        )


class ReportLivePage(ReportPage):
    """The part of that page that changes by itself."""

    template = "_report_live.html"


class ReportRequestAction(StudyAction):
    """A report asked for; it carries a word to the log, so it is a POST."""

    def act(self) -> str:
        """Queue it and wake a worker."""
        report_id = report_request(
            study_id=self.study.id,
            language=self.request.POST.get("language", ""),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        if report_id is None:
            return _("It is being built already.")
        tasks.report_build.delay_on_commit(report_id=report_id)
        return _("A worker is building it. This takes some seconds.")

    def back(self) -> HttpResponse:
        """Lead back to the page about the report."""
        return redirect("study-report", slug=self.study.slug)


class ReportReadPage(OneStudyPage):
    """The report itself: a whole page of its own, under a policy of its own."""

    def get(self, request: HttpRequest, slug: str, report: int) -> HttpResponse:
        """Show it; only its own style sheet is allowed to work in it."""
        file = _file_or_404(self.study.id, report, "html")
        response = HttpResponse(file.content, content_type=file.content_type)
        response[HEADER] = page_policy(file.content.decode())
        return response


class ReportFilePage(OneStudyPage):
    """One form of the report as a download."""

    def get(self, request: HttpRequest, slug: str, report: int, form: str) -> HttpResponse:
        """Send it."""
        file = _file_or_404(self.study.id, report, form)
        name = f"{self.study.slug}-{report}.{form}"
        return HttpResponse(
            file.content,
            content_type=file.content_type,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


def _file_or_404(study_id: int, report: int, form: str) -> ReportFile:
    file = report_file(study_id, report_id=report, form=form)
    if file is None:
        raise Http404
    return file

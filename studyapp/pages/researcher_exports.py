"""Pages about a study's exports: ask for one, watch it being built, take it along, unseal."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp import tasks
from studyapp.domain.export_options import file_name
from studyapp.errors import StudyAppError
from studyapp.pages.researcher import OneStudyPage
from studyapp.pages.researcher_export_forms import ExportForm, UnsealForm
from studyapp.selectors.arm_key import arm_key
from studyapp.selectors.export import export_choice, export_job_options, exports_list
from studyapp.services.export.jobs import export_request, export_take
from studyapp.services.study import arm_key_unseal


class ExportsPage(OneStudyPage):
    """What can be taken out of a study, and what was."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the form, the exports there are, and the seal."""
        return self.show()

    def show(
        self,
        form: ExportForm | None = None,
        unseal: UnsealForm | None = None,
        *,
        status: int = 200,
    ) -> HttpResponse:
        """Render the page; a form that was refused comes back as it was sent."""
        return self.page(
            "exports.html",
            form=form or self.form(),
            unseal_form=unseal or UnsealForm(),
            key=arm_key(self.study.id),
            **_listed(self.study.id),
            status=status,
        )

    def form(self, *sent: object) -> ExportForm:
        """Return the form for this study."""
        choice = export_choice(self.study.id)
        return ExportForm(*sent, choice=choice, is_sealed=arm_key(self.study.id).is_sealed)

    def to_exports(self) -> HttpResponse:
        """Lead back to the page about exports."""
        return redirect("study-exports", slug=self.study.slug)


class ExportsLivePage(OneStudyPage):
    """The part of that page that changes by itself."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show how far each export is."""
        return self.page("_exports_live.html", **_listed(self.study.id))


class ExportRequestPage(ExportsPage):
    """An export asked for; a POST, because it is recorded."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Lead to the page, which has the form."""
        return self.to_exports()

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Queue it and wake a worker, or show the form again with what is wrong."""
        form = self.form(request.POST)
        if not (form.is_valid() and self._ask(form)):
            return self.show(form, status=400)
        messages.success(request, _("A worker is building the export. This page shows how far."))
        return self.to_exports()

    def _ask(self, form: ExportForm) -> bool:
        try:
            job_id = export_request(
                study_id=self.study.id,
                options=form.options,
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error(None, str(error))
            return False
        tasks.export_build.delay_on_commit(job_id=job_id)
        return True


class ExportFileAction(ExportsPage):
    """A built export as a download; a POST, because it is recorded."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, slug: str, export: int) -> HttpResponseBase:
        """Stream it from the disk."""
        options = export_job_options(self.study.id, export)
        try:
            path = export_take(
                study_id=self.study.id,
                job_id=export,
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            messages.error(request, str(error))
            return self.to_exports()
        name = file_name(self.study.slug, options) if options else path.name
        return FileResponse(path.open("rb"), as_attachment=True, filename=name)


class ArmKeyUnsealPage(ExportsPage):
    """The arm key unsealed before the study has ended, with a reason."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Lead to the page, which has the form."""
        return self.to_exports()

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Record the reason and unseal, or say what is missing."""
        form = UnsealForm(request.POST)
        if not (form.is_valid() and self._unseal(form)):
            return self.show(unseal=form, status=400)
        messages.success(request, _("The arm key is unsealed. Who did it and why is recorded."))
        return self.to_exports()

    def _unseal(self, form: UnsealForm) -> bool:
        try:
            arm_key_unseal(
                study_id=self.study.id,
                actor_id=self.actor_id,
                reason=form.cleaned_data["reason"],
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error("reason", str(error))
            return False
        return True


def _listed(study_id: int) -> dict[str, Any]:
    rows = exports_list(study_id)
    return {"exports": rows, "is_waiting": any(row.is_waiting for row in rows)}

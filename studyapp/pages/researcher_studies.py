"""The researcher's studies: list, build, one study with its counts, open, pause, close, export."""

from __future__ import annotations

import io
import secrets
import tempfile
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from studyapp import tasks
from studyapp.domain.markup import prose_render
from studyapp.domain.seeds import SEED_LIMIT
from studyapp.errors import StudyAppError
from studyapp.pages.researcher import OneStudyPage, ResearcherPage, StudyAction
from studyapp.pages.researcher_cohorts import cohort_link
from studyapp.pages.researcher_forms import (
    DebatesForm,
    DefinitionForm,
    GenerateForm,
    PairsForm,
    StudyForm,
)
from studyapp.selectors.cohorts import CohortPage, cohorts_list
from studyapp.selectors.debates import debates_rows
from studyapp.selectors.generation import preset_config
from studyapp.selectors.monitor import study_counts
from studyapp.selectors.study_list import studies_list
from studyapp.selectors.texts import texts_preview
from studyapp.services.export import bundle_export
from studyapp.services.study import (
    study_build,
    study_close,
    study_generate,
    study_open,
    study_pause,
    study_share,
    study_upload,
)

_MEMORY_BYTES = 4_000_000
_TEXT_HEADING = 4


@dataclass(frozen=True, slots=True)
class CohortLink:
    """The address that brings participants into a cohort."""

    name: str
    url: str
    enrolled: int
    quota: int | None
    is_personal: bool
    invited: int


class StudyListPage(ResearcherPage):
    """The studies a researcher may see."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """List them."""
        return render(request, "researcher/study_list.html", {"studies": studies_list(self.actor)})


class StudyCreatePage(ResearcherPage):
    """A new study about uploaded debates, or from a definition file and its debates."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show both forms."""
        return self._show(StudyForm(), DefinitionForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Create the study, or show the form again with what is wrong; then nothing is stored."""
        if "definition" in request.FILES or request.POST.get("from") == "definition":
            definition_form = DefinitionForm(request.POST, request.FILES)
            return self._create(definition_form) or self._show(StudyForm(), definition_form, 400)
        form = StudyForm(request.POST, request.FILES)
        return self._create(form) or self._show(form, DefinitionForm(), 400)

    def _create(self, form: StudyForm | DefinitionForm) -> HttpResponse | None:
        if not form.is_valid():
            return None
        try:
            slug = self._build(form) if isinstance(form, StudyForm) else self._upload(form)
        except StudyAppError as error:
            form.add_error(None, str(error))
            return None
        messages.success(self.request, _("The study was created. Next: generate its texts."))
        return redirect("study-detail", slug=slug)

    def _build(self, form: StudyForm) -> str:
        study = study_build(
            title=form.cleaned_data["title"],
            debates=form.files_read,
            seed=secrets.randbelow(SEED_LIMIT),
            owner_id=self.actor_id,
            now=timezone.now(),
        )
        return study.slug

    def _upload(self, form: DefinitionForm) -> str:
        study = study_upload(
            definition=form.cleaned_data["definition"],
            debates=form.files_read,
            seed=secrets.randbelow(SEED_LIMIT),
            owner_id=self.actor_id,
            now=timezone.now(),
        )
        return study.slug

    def _show(
        self, form: StudyForm, definition_form: DefinitionForm, status: int = 200
    ) -> HttpResponse:
        context = {"form": form, "definition_form": definition_form}
        return render(self.request, "researcher/study_create.html", context, status=status)


class StudyDetailPage(OneStudyPage):
    """One study: state, link, counts, balance, scenarios, what can be done next."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the study."""
        return self.show(DebatesForm())

    def show(
        self,
        debates_form: DebatesForm,
        *,
        pairs_form: PairsForm | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """Render the study with its forms."""
        cohorts = cohorts_list(self.study.id, now=timezone.now())
        return self.page(
            "study_detail.html",
            counts=study_counts(self.study.id),
            cohorts=cohorts,
            links=[_cohort_link(self.request, cohort) for cohort in cohorts],
            **_texts(self.study.id),
            generate_form=GenerateForm(),
            debates_form=debates_form,
            held=list(debates_rows(self.study.id)),
            pairs_form=pairs_form or PairsForm(),
            status=status,
        )


class StudyLivePage(OneStudyPage):
    """The part of a study's page that changes by itself."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show counts and scenarios as they are now."""
        return self.page("_study_live.html", counts=study_counts(self.study.id))


class StudySharePage(OneStudyPage):
    """The design as one file."""

    def get(self, request: HttpRequest, slug: str) -> FileResponse:
        """Send the zip, which is as small as the debates it holds."""
        file = io.BytesIO()
        study_share(study_id=self.study.id, target=file)
        file.seek(0)
        return FileResponse(file, as_attachment=True, filename=f"{self.study.slug}-design.zip")


class GenerateAction(StudyAction):
    """Texts asked for, for every scenario that has none."""

    def act(self) -> str:
        """Queue the runs and wake a worker for each."""
        form = GenerateForm(self.request.POST)
        name = form.cleaned_data["preset"] if form.is_valid() else "offline"
        runs = study_generate(
            study_id=self.study.id,
            config=preset_config(name),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        for run_id in runs:
            tasks.run_execute.delay_on_commit(run_id=run_id)
        if not runs:
            return _("Every scenario has its texts, or a run that is under way or can be retried.")
        return _("Both texts are being generated. This page shows how far they are.")


class OpenAction(StudyAction):
    """Participants let in."""

    def act(self) -> str:
        """Launch the study, or go on after a pause."""
        study_open(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return _("The study is live. Its link now takes participants.")


class PauseAction(StudyAction):
    """No new participants for now."""

    def act(self) -> str:
        """Pause the study."""
        study_pause(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return _("The study is paused. People who have begun can finish; nobody new can begin.")


class CloseAction(StudyAction):
    """The end of data collection."""

    def act(self) -> str:
        """Close the study."""
        study_close(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return _("The study is closed. No more answers are taken.")


class ExportAction(OneStudyPage):
    """The study's answers as a bundle; a POST, because it is recorded."""

    def post(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """Write the bundle to disk while it is read from the database, then stream it."""
        file = tempfile.SpooledTemporaryFile(max_size=_MEMORY_BYTES)  # noqa: SIM115 - the response closes it
        try:
            bundle_export(
                study_id=self.study.id,
                target=file,
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            file.close()
            messages.error(request, str(error))
            return redirect("study-exports", slug=self.study.slug)
        file.seek(0)
        name = f"{self.study.slug}.zip"
        return FileResponse(file, as_attachment=True, filename=name)


def _texts(study_id: int) -> dict[str, Any]:
    texts = texts_preview(study_id)
    if texts is None:
        return {}
    return {
        "texts": texts,
        "about": _prose(texts.about),
        "instructions": _prose(texts.instructions),
        "debrief": _prose(texts.debrief),
    }


def _prose(text: str) -> SafeString:
    return SafeString(prose_render(text, heading=_TEXT_HEADING))


def _cohort_link(request: HttpRequest, cohort: CohortPage) -> CohortLink:
    return CohortLink(
        name=cohort.name,
        url=cohort_link(request, cohort),
        enrolled=cohort.counts.taken,
        quota=cohort.quota,
        is_personal=cohort.is_personal,
        invited=cohort.invited,
    )

"""The debates of a study: uploaded, titled, taken out, as long as it was never open."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp.errors import StudyAppError
from studyapp.pages.researcher import StudyAction
from studyapp.pages.researcher_forms import DebatesForm, PairsForm
from studyapp.pages.researcher_studies import StudyDetailPage
from studyapp.services.study import (
    debates_add,
    pairs_load,
    scenario_name,
    scenario_remove,
)


class DebatesAddPage(StudyDetailPage):
    """Debates added to a study that has never been open."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Lead to the study, whose page has the form."""
        return self.to_study()

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Add them all, or none and say why."""
        form = DebatesForm(request.POST, request.FILES)
        if form.is_valid() and self._add(form):
            return self.to_study()
        return self.show(form, status=400)

    def _add(self, form: DebatesForm) -> bool:
        try:
            debates_add(
                study_id=self.study.id,
                debates=form.files_read,
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error(None, str(error))
            return False
        return True


class PairsLoadPage(StudyDetailPage):
    """Texts that researchers bring, in place of generated ones."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Lead to the study, whose page has the form."""
        return self.to_study()

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Store all of them, or none and say why."""
        form = PairsForm(request.POST, request.FILES)
        if form.is_valid() and self._load(form):
            return self.to_study()
        return self.show(DebatesForm(), pairs_form=form, status=400)

    def _load(self, form: PairsForm) -> bool:
        try:
            keys = pairs_load(
                study_id=self.study.id,
                file=form.cleaned_data["pairs"],
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error(None, str(error))
            return False
        told = _("Own texts were stored for these scenarios: %(keys)s.")
        messages.success(self.request, told % {"keys": ", ".join(keys)})
        return True


class ScenarioNameAction(StudyAction):
    """The title of a debate that participants read, as long as the study has never been open."""

    def act(self) -> str:
        """Store it."""
        title = self.request.POST.get("title", "")
        scenario_name(
            study_id=self.study.id,
            key=self.kwargs["key"],
            title=title,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The title for participants was stored.")


class ScenarioRemoveAction(StudyAction):
    """A debate taken out of a study that has never been open."""

    def act(self) -> str:
        """Take it out."""
        key = self.kwargs["key"]
        scenario_remove(study_id=self.study.id, key=key, actor_id=self.actor_id, now=timezone.now())
        return _("The scenario was taken out of the study.")

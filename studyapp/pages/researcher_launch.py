"""From draft to archive: pilot, back to a draft, put away, a new version, the preregistration."""

from __future__ import annotations

import secrets

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp.domain.seeds import SEED_LIMIT
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.selectors.preregistration import FORMS, preregistration_file
from studyapp.services.study import study_archive, study_pilot, study_redraft, version_create

_TYPES = {"json": "application/json", "md": "text/markdown; charset=utf-8"}


class PilotAction(StudyAction):
    """A draft that people may walk."""

    def act(self) -> str:
        """Begin the pilot."""
        study_pilot(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return _("The study is piloting. Whoever enters leaves test data only.")


class RedraftAction(StudyAction):
    """The end of a pilot, back to building."""

    def act(self) -> str:
        """Go back to the draft."""
        study_redraft(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return _("The study is a draft again. What the pilot left was deleted.")


class ArchiveAction(StudyAction):
    """A closed study put away."""

    def act(self) -> str:
        """Archive it."""
        study_archive(study_id=self.study.id, actor_id=self.actor_id, now=timezone.now())
        return _("The study was archived. It can still be read and exported.")


class VersionCreateAction(StudyAction):
    """A new draft with the design of a launched study."""

    _made = ""

    def act(self) -> str:
        """Make the version."""
        made = version_create(
            study_id=self.study.id,
            seed=secrets.randbelow(SEED_LIMIT),
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        self._made = made.slug
        return _(
            "This is version %(number)s, a draft with the same design and a seed of its own."
        ) % {"number": made.version}

    def back(self) -> HttpResponse:
        """Lead to the new version, or back where there is none."""
        return redirect("study-detail", slug=self._made or self.study.slug)


class PreregistrationPage(OneStudyPage):
    """What was written down at launch, as a file."""

    def get(self, request: HttpRequest, slug: str, form: str) -> HttpResponse:
        """Send it."""
        if form not in FORMS:
            raise Http404
        language = request.GET.get("language", "")
        data = preregistration_file(self.study.id, form, language=language)
        if data is None:
            raise Http404
        name = f"{self.study.slug}-preregistration.{form}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(data, content_type=_TYPES[form], headers=headers)

"""A study's cohorts: built, watched, opened and closed; their links, QR codes and invitations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp.domain.definition import PANEL
from studyapp.domain.panel import link_query
from studyapp.domain.qr import qr_data_uri, qr_svg
from studyapp.errors import StudyAppError
from studyapp.pages.participant_arrival import PREVIEW, preview_sign
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.pages.researcher_cohort_forms import CohortForm, InvitationsForm, PanelForm
from studyapp.selectors.cohorts import (
    CohortPage,
    InvitationRow,
    cohort_find,
    invitations_list,
    strata_list,
)
from studyapp.selectors.invitation_file import invitations_csv
from studyapp.services.invitation import invitation_revoke, invitations_create
from studyapp.services.study import cohort_create, cohort_move, cohort_remove

# Names of states as the addresses of the buttons give them.
MOVES: Final = {"open": "open", "pause": "paused", "close": "closed"}


@dataclass(frozen=True, slots=True)
class InvitationLine:
    """An invitation with its address."""

    row: InvitationRow
    url: str


class CohortCreatePage(OneStudyPage):
    """A new cohort of a study that has never been open."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the form."""
        return self._show(CohortForm(), PanelForm())

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Create the cohort, or show what is wrong; then nothing is stored."""
        form, panel_form = CohortForm(request.POST), PanelForm(request.POST)
        is_panel = request.POST.get("link") == PANEL
        if form.is_valid() and (panel_form.is_valid() or not is_panel):
            panel = panel_form.panel() if is_panel else {}
            if self._create(form, panel):
                return redirect("cohort-detail", slug=slug, cohort=form.cleaned_data["name"])
        return self._show(form, panel_form if is_panel else PanelForm(), status=400)

    def _create(self, form: CohortForm, panel: dict[str, Any]) -> bool:
        try:
            cohort_create(
                study_id=self.study.id,
                plan=form.plan(panel),
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error(None, str(error))
            return False
        messages.success(self.request, _("The cohort was added."))
        return True

    def _show(self, form: CohortForm, panel_form: PanelForm, *, status: int = 200) -> HttpResponse:
        context = {"form": form, "panel_form": panel_form}
        return self.page("cohort_create.html", status=status, **context)


class OneCohortPage(OneStudyPage):
    """A page about one cohort of a study that the reader may see."""

    def found(self) -> CohortPage:
        """Return the cohort of the address."""
        cohort = cohort_find(self.study.id, self.kwargs["cohort"], now=timezone.now())
        if cohort is None:
            raise Http404
        return cohort

    def link(self, cohort: CohortPage) -> str:
        """Return the address that participants are given."""
        return cohort_link(self.request, cohort)


class CohortDetailPage(OneCohortPage):
    """One cohort: its link, its QR code, its counts, its invitations."""

    def get(self, request: HttpRequest, slug: str, cohort: str) -> HttpResponse:
        """Show the cohort."""
        return self.show(InvitationsForm())

    def show(self, form: InvitationsForm, *, status: int = 200) -> HttpResponse:
        """Render the cohort with the form for invitations."""
        cohort = self.found()
        link = self.link(cohort)
        return self.page(
            "cohort_detail.html",
            status=status,
            cohort=cohort,
            link=link,
            qr=qr_data_uri(link),
            preview=_preview(self.request, cohort),
            invitations=_lines(self.request, cohort),
            strata=strata_list(self.study.id, now=timezone.now()),
            form=form,
        )


class CohortCodePage(OneCohortPage):
    """The QR code of a cohort's link as a file."""

    def get(self, request: HttpRequest, slug: str, cohort: str) -> HttpResponse:
        """Send it."""
        found = self.found()
        return _svg(self.link(found), name=f"{self.study.slug}-{found.name}")


class CohortMoveAction(StudyAction, OneCohortPage):
    """A cohort opened, paused or closed."""

    def act(self) -> str:
        """Move it."""
        name, move = self.found().name, self.kwargs["move"]
        if move not in MOVES:
            raise Http404
        cohort_move(
            study_id=self.study.id,
            name=name,
            target=MOVES[move],
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The cohort is now %(state)s.") % {"state": MOVES[move]}

    def back(self) -> HttpResponse:
        """Lead back to the cohort."""
        return _to_cohort(self)


class CohortRemoveAction(StudyAction, OneCohortPage):
    """A cohort taken out of a study that has never been open."""

    def act(self) -> str:
        """Take it out."""
        name = self.found().name
        cohort_remove(study_id=self.study.id, name=name, actor_id=self.actor_id, now=timezone.now())
        return _("The cohort was taken out of the study.")


class InvitationsAddPage(CohortDetailPage):
    """People invited to a cohort, many at once."""

    def get(self, request: HttpRequest, slug: str, cohort: str) -> HttpResponse:
        """Lead to the cohort, whose page has the form."""
        return _to_cohort(self)

    def post(self, request: HttpRequest, slug: str, cohort: str) -> HttpResponse:
        """Invite them all, or none and say why."""
        form = InvitationsForm(request.POST, request.FILES)
        if not form.is_valid() or not self._invite(form):
            return self.show(form, status=400)
        return _to_cohort(self)

    def _invite(self, form: InvitationsForm) -> bool:
        try:
            number = invitations_create(
                cohort_id=self.found().id,
                plans=form.plans,
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error(None, str(error))
            return False
        told = _("%(number)d personal links were made. Nobody was written to: send them yourself.")
        messages.success(self.request, told % {"number": number})
        return True


class InvitationsFilePage(OneCohortPage):
    """A cohort's invitations as CSV, for a mail merge."""

    def get(self, request: HttpRequest, slug: str, cohort: str) -> HttpResponse:
        """Send the file."""
        found = self.found()
        content = invitations_csv(
            invitations_list(found.id), address=lambda token: _invitation_url(request, token)
        )
        name = f"{self.study.slug}-{found.name}-invitations.csv"
        return _file(content, content_type="text/csv; charset=utf-8", name=name)


class InvitationCodePage(OneCohortPage):
    """The QR code of a personal link as a file, for a letter."""

    def get(self, request: HttpRequest, slug: str, cohort: str, invitation: int) -> HttpResponse:
        """Send it."""
        found = self.found()
        rows = {row.id: row for row in invitations_list(found.id)}
        if invitation not in rows:
            raise Http404
        url = _invitation_url(request, rows[invitation].token)
        return _svg(url, name=f"{self.study.slug}-{found.name}-{invitation}")


class InvitationRevokeAction(StudyAction, OneCohortPage):
    """A personal link taken back."""

    def act(self) -> str:
        """Take it back."""
        invitation_revoke(
            cohort_id=self.found().id,
            invitation_id=self.kwargs["invitation"],
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The link was taken back. It lets nobody in, and nobody back.")

    def back(self) -> HttpResponse:
        """Lead back to the cohort."""
        return _to_cohort(self)


def cohort_link(request: HttpRequest, cohort: CohortPage) -> str:
    """Return the address that brings people into a cohort, with a panel's placeholders."""
    url = request.build_absolute_uri(reverse("join", kwargs={"cohort": cohort.token}))
    return f"{url}?{link_query(cohort.panel)}" if cohort.panel else url


def _preview(request: HttpRequest, cohort: CohortPage) -> str:
    url = request.build_absolute_uri(reverse("join", kwargs={"cohort": cohort.token}))
    return f"{url}?{PREVIEW}={preview_sign(cohort.token)}"


def _lines(request: HttpRequest, cohort: CohortPage) -> list[InvitationLine]:
    if not cohort.is_personal:
        return []
    rows = invitations_list(cohort.id)
    return [InvitationLine(row, _invitation_url(request, row.token)) for row in rows]


def _invitation_url(request: HttpRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("invitation", kwargs={"invitation": token}))


def _to_cohort(page: OneCohortPage) -> HttpResponse:
    return redirect("cohort-detail", slug=page.study.slug, cohort=page.kwargs["cohort"])


def _svg(link: str, *, name: str) -> HttpResponse:
    return _file(qr_svg(link), content_type="image/svg+xml", name=f"{name}.svg")


def _file(content: bytes, *, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)

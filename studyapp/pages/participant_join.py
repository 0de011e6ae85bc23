"""A cohort's link: open to all, once per browser, from a panel, or a researcher's preview."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from studyapp.domain.definition import OPEN, PANEL, PERSONAL
from studyapp.domain.panel import PanelLink
from studyapp.errors import UnknownLinkError
from studyapp.pages.participant_arrival import ARRIVAL, Guest, guest_read, guest_unseal
from studyapp.pages.participant_entrance import EntrancePage, parameters
from studyapp.pages.place_cookie import WITHDRAWN, place_held
from studyapp.selectors.joining import (
    Holder,
    panel_of,
    panel_place_find,
    place_find,
    place_is_gone,
)
from studyapp.services.assignment import Newcomer, visit_token


@method_decorator(never_cache, name="dispatch")
class JoinPage(EntrancePage):
    """Information and consent; who has begun already is led back to their place."""

    is_stale = False

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Find the cohort, and who comes."""
        super().setup(request, *args, **kwargs)
        try:
            guest = self._guest(kwargs["cohort"])
            self.guest = guest or Guest()
            self.is_stale = guest is None
            self.landing = self.landing_read(kwargs["cohort"])
        except UnknownLinkError as error:
            raise Http404 from error

    def get(self, _request: HttpRequest, cohort: str) -> HttpResponse:
        """Show the study's information."""
        return self._back() or self._other_door() or self.show()

    def post(self, _request: HttpRequest, cohort: str) -> HttpResponse:
        """Take the consent and give a place."""
        if self._panel_holder() is not None:
            return self.enter()
        return self._back() or self._other_door() or self.consent()

    def newcomer(self) -> Newcomer:
        """Say who comes in."""
        return Newcomer(
            language=self.landing.language,
            external_id=self.guest.arrival.external_id,
            captured=self.guest.arrival.captured,
            is_test=self.guest.is_test,
            is_bot=self.guest.is_bot,
        )

    def refused(self) -> HttpResponse:
        """Say that the study does not take anybody twice."""
        return self.page("already.html", status=409)

    def kept_words(self) -> list[str]:
        """Keep what somebody said who begins on a device that others have used.

        A panel's people are asked nothing where another of them may have withdrawn; their form
        says by the same word that it is newer than that.
        """
        is_newer = bool(self.guest.arrival.external_id) and self._has_withdrawn()
        asked = [name for name in ("again", "another") if self._asks(name)]
        return [*asked, "again"] if is_newer and "again" not in asked else asked

    def redisplay(self) -> HttpResponse:
        """Show the consent page again, unless the link lets nobody in."""
        return self._other_door() or super().redisplay()

    def _guest(self, cohort: str) -> Guest | None:
        """Read who comes; a form brings them under seal, as its address says nothing."""
        if self.request.method == "POST":
            return guest_unseal(self.request.POST.get(ARRIVAL, ""), cohort=cohort)
        query = parameters(self.request)
        panel = panel_of(cohort) if query else None
        return guest_read(query, cohort=cohort, panel=panel)

    def _back(self) -> HttpResponse | None:
        """Lead somebody back who has a place."""
        if self.guest.is_test or self.is_stale:
            return None
        held = place_held(self.request, cohort=self.landing.cohort_token)
        known = self._panel_holder()
        if known is not None:
            return self._panel_back(known, held)
        if held not in ("", WITHDRAWN) and place_is_gone(held):
            return self._after_deletion(held)
        if not self.guest.arrival.external_id:
            return self._browser_back(held)
        # It may be another of the panel's people in the same browser; but a form that was open
        # before somebody withdrew must not bring their place and their code back.
        is_form = self.request.method == "POST"
        return self._begin_anew() if is_form and self._has_withdrawn() else None

    def _browser_back(self, held: str) -> HttpResponse | None:
        """Lead this browser back, and ask first where it may be in somebody else's hands."""
        if held == WITHDRAWN:
            return self._begin_anew()
        holder = place_find(self.landing.cohort_token, held)
        if holder is None:
            return None
        if self.landing.link_kind != OPEN or not holder.has_finished:
            return redirect(_place(holder))
        return None if self._asks("another") else self.page("again.html", resume=_place(holder))

    def _after_deletion(self, held: str) -> HttpResponse | None:
        """Tell a browser whose place was deleted from elsewhere, and let it begin anew.

        The form that gave the place would give it again, with the link and the code that were said
        to lead nowhere: the page comes back as a new form, to agree once more.
        """
        self.is_after_deletion = True
        visit = self.request.POST.get("visit", "")
        token = visit_token(
            cohort_token=self.landing.cohort_token, visit=visit, newcomer=self.newcomer()
        )
        return self.show(is_outdated=True, status=409) if token == held else None

    def _has_withdrawn(self) -> bool:
        return place_held(self.request, cohort=self.landing.cohort_token) == WITHDRAWN

    def _begin_anew(self) -> HttpResponse | None:
        """Ask whether somebody who withdrew wants to begin anew, unless they have said so."""
        if self._asks("again"):
            return None
        # A page that answers a form has lost the link's parameters.
        kept = self.sealed if self.request.method == "POST" else None
        context = {"can_begin_again": True, "kept": kept}
        return render(self.request, "participant/withdrawn.html", context)

    def _panel_holder(self) -> Holder | None:
        if self.guest.is_test or self.is_stale or self.landing.panel is None:
            return None
        return panel_place_find(self.landing.cohort_token, self.guest.arrival)

    def _panel_back(self, known: Holder, held: str) -> HttpResponse:
        if known.is_refused:
            return self.page("already.html")
        if known.token == held and not known.is_new_session:
            return redirect(_place(known))
        return self.page("welcome_back.html", sealed=self.sealed)

    def _other_door(self) -> HttpResponse | None:
        """Say what is missing where this link alone lets nobody in."""
        if self.is_stale:
            return self.page("stale.html", status=400)
        if self.guest.is_test or self.landing.texts is None or self.landing.is_full:
            return None
        if self.landing.link_kind == PERSONAL:
            return self.page("need_invitation.html")
        if self.landing.link_kind == PANEL and self.guest.arrival.is_unnamed:
            return self._ask_id(self.landing.panel)
        return None

    def _ask_id(self, panel: PanelLink | None) -> HttpResponse:
        """Ask for the panel's id; `is_refused` says that what came cannot be one."""
        is_refused = panel is not None and bool(
            self.request.GET.get(panel.id_parameter, "").strip()
        )
        # What else the link said comes along with the id that is typed.
        also = dict(self.guest.arrival.captured)
        if "lang" in self.request.GET:
            also["lang"] = self.landing.language
        return self.page("ask_id.html", panel=panel, is_refused=is_refused, also=also)

    def _asks(self, what: str) -> bool:
        return what in self.request.GET or bool(self.request.POST.get(what))


def _place(holder: Holder) -> str:
    return reverse("participant-resume", kwargs={"participant": holder.token})

"""The door of a study: its information and consent, whichever link leads there.

Looking at it allocates nothing; only a consent that is sent gives a place.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import get_language

from studyapp.domain.devices import device_class
from studyapp.domain.panel import NO_CONSENT, redirect_url
from studyapp.domain.steps import StepKind, progress_at
from studyapp.domain.texts import StudyTexts
from studyapp.domain.tokens import token_new
from studyapp.errors import EntryRefusedError, StudyFullError, StudyNotOpenError
from studyapp.pages.participant_arrival import Guest, guest_seal
from studyapp.pages.participant_frame import KeepsAnswers, prose
from studyapp.pages.place_cookie import place_remember
from studyapp.selectors.joining import Landing, landing_get
from studyapp.selectors.language_names import language_name
from studyapp.services.assignment import Newcomer, participant_enrol, visit_token

_VISIT_LIMIT: Final = 64


class EntrancePage(KeepsAnswers):
    """Information and consent for whoever has no place yet."""

    landing: Landing
    guest: Guest
    # Whether the link was made for one person, whose name is stored with it.
    is_named = False
    # Whether somebody agreed in this browser whose data have been deleted from elsewhere.
    is_after_deletion = False

    def landing_read(self, cohort: str) -> Landing:
        """Read the study in the language that the link, the form or the browser asks for."""
        asked = {**self.request.GET.dict(), **self.request.POST.dict()}.get("lang")
        landing = landing_get(
            cohort,
            now=timezone.now(),
            language=asked or get_language() or "",
            is_test=self.guest.is_test,
        )
        if landing.language in dict(settings.LANGUAGES):
            translation.activate(landing.language)
        return landing

    def consent(self) -> HttpResponse:
        """Take the consent and give a place, or say why not.

        While a study is piloted its words may change: nobody agrees to what they have not read.
        """
        now_is = self.landing.version
        if now_is and self.request.POST.get("version", now_is) != now_is:
            return self.show(is_reworded=True, status=409)
        if not self.request.POST.get("agree"):
            return self.show(is_missing=True, status=400)
        return self.enter()

    def enter(self) -> HttpResponse:
        """Give a place, or lead back to the one that this person has."""
        cohort, visit = self.landing.cohort_token, self._visit_word()
        newcomer = replace(self.newcomer(), device=device_class(self._agent()))
        try:
            person = participant_enrol(
                cohort_token=cohort, visit=visit, newcomer=newcomer, now=timezone.now()
            )
        except (StudyFullError, StudyNotOpenError):
            self.landing = self.landing_read(self.landing.cohort_token)
            return self.show(status=409)
        except EntryRefusedError:
            return self.refused()
        own = visit_token(cohort_token=cohort, visit=visit, newcomer=newcomer)
        return self._welcome(person.token, is_own=person.token == own)

    @abstractmethod
    def newcomer(self) -> Newcomer:
        """Say who comes in."""

    @abstractmethod
    def refused(self) -> HttpResponse:
        """Say why this link lets nobody in any more."""

    def kept_words(self) -> list[str]:
        """Name the flags of the address that the form must bring along."""
        return []

    def redisplay(self) -> HttpResponse:
        """Show the consent page again."""
        return self.show(is_untrusted=True, status=403)

    def show(
        self,
        *,
        is_missing: bool = False,
        is_untrusted: bool = False,
        is_outdated: bool = False,
        is_reworded: bool = False,
        status: int = 200,
    ) -> HttpResponse:
        """Show the study's information, or that it takes nobody now.

        An outdated form comes back as a new one: with a word of its own, and nothing ticked.
        """
        texts = self.landing.texts
        if texts is None:
            return self.page("not_open.html", status=status, is_paused=self.landing.is_paused)
        if self.landing.is_full:
            return self.page("full.html", status=status)
        context = self._context(texts) | {"is_missing": is_missing, "is_untrusted": is_untrusted}
        if is_outdated:
            context |= {"visit_word": token_new(), "is_agreed": False}
        if is_reworded:
            context |= {"is_reworded": True, "is_agreed": False}
        return self.page("landing.html", status=status, **context)

    def page(self, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
        """Render a page of somebody who has no place."""
        context |= {
            "texts": self.landing.texts,
            "is_test_link": self.guest.is_test,
            "is_from_panel": self.landing.panel is not None,
        }
        return render(self.request, f"participant/{template}", context, status=status)

    @property
    def sealed(self) -> str:
        """Who comes, for the form."""
        return guest_seal(self.guest, cohort=self.landing.cohort_token)

    def _context(self, texts: StudyTexts) -> dict[str, Any]:
        return {
            "about": prose(texts.about),
            "version": self.landing.version,
            "sealed": self.sealed,
            # A page that answers a form has lost the link's parameters.
            "kept": self.sealed if self.request.method == "POST" else None,
            "visit_word": self._visit_word(),
            "kept_words": self.kept_words(),
            "languages": [
                {"code": code, "name": language_name(code)} for code in self.landing.languages
            ],
            "is_named": self.is_named,
            "is_after_deletion": self.is_after_deletion,
            "is_agreed": bool(self.request.POST.get("agree")),
            "progress": progress_at(
                self.landing.steps, kind=StepKind.CONSENT, minutes=texts.minutes
            ),
            **self._declining(),
        }

    def _declining(self) -> dict[str, str]:
        """Give who does not agree what their panel wants; nothing has to be sent for it."""
        panel, arrival = self.landing.panel, self.guest.arrival
        if panel is None:
            return {}
        address = redirect_url(
            panel,
            outcome=NO_CONSENT,
            external_id=arrival.external_id,
            captured=arrival.captured,
        )
        return {
            "decline_code": panel.codes[NO_CONSENT],
            "decline_url": address,
            "decline_provider": panel.provider,
        }

    def _welcome(self, token: str, *, is_own: bool) -> HttpResponse:
        """Lead to the place, and let the cohort's link lead there from now on."""
        response = redirect("participant-resume", participant=token)
        if not self.guest.is_test:
            cohort = self.landing.cohort_token
            place_remember(response, self.request, cohort=cohort, token=token, is_own=is_own)
        return response

    def _agent(self) -> str:
        return str(self.request.META.get("HTTP_USER_AGENT", ""))

    def _visit_word(self) -> str:
        return self.request.POST.get("visit", "")[:_VISIT_LIMIT] or token_new()


def parameters(request: HttpRequest) -> dict[str, str]:
    """Return the parameters of the address."""
    return {name: str(value) for name, value in request.GET.items()}

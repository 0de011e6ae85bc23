"""A cohort's link: what the study is about, and consent. Looking at it allocates nothing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

from studyapp.domain.steps import StepKind, progress_at
from studyapp.domain.texts import StudyTexts
from studyapp.domain.tokens import token_new
from studyapp.errors import StudyFullError, StudyNotOpenError, UnknownLinkError
from studyapp.pages.participant_frame import KeepsAnswers, prose
from studyapp.selectors.participation import Landing, landing_get, place_find
from studyapp.services.assignment import Newcomer, participant_enrol

COOKIE = "place"
# What the cookie holds in the browser of somebody who withdrew.
WITHDRAWN = "withdrawn"
_COOKIE_SECONDS = 90 * 24 * 3600
_VISIT_LIMIT = 64


@method_decorator(never_cache, name="dispatch")
class JoinPage(KeepsAnswers):
    """Information and consent; who has begun in this browser is led back to their place."""

    landing: Landing

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Find the cohort."""
        super().setup(request, *args, **kwargs)
        try:
            self.landing = self._landing(kwargs["cohort"])
        except UnknownLinkError as error:
            raise Http404 from error

    def get(self, _request: HttpRequest, cohort: str) -> HttpResponse:
        """Show the study's information."""
        return self._back(cohort) or self._show()

    def post(self, request: HttpRequest, cohort: str) -> HttpResponse:
        """Take the consent and give a place."""
        back = self._back(cohort)
        if back is not None:
            return back
        if not request.POST.get("agree"):
            return self._show(is_missing=True, status=400)
        try:
            participant = participant_enrol(
                cohort_token=cohort,
                visit=self._visit_word(),
                newcomer=Newcomer(language=self.landing.language),
                now=timezone.now(),
            )
        except (StudyFullError, StudyNotOpenError):
            self.landing = self._landing(cohort)
            return self._show(status=409)
        return self._welcome(cohort, participant.token)

    def redisplay(self) -> HttpResponse:
        """Show the consent page again."""
        return self._show(is_untrusted=True, status=403)

    def _landing(self, cohort: str) -> Landing:
        """Read the study in the language that the link, the form or the browser asks for."""
        asked = {**self.request.GET.dict(), **self.request.POST.dict()}.get("lang")
        landing = landing_get(cohort, now=timezone.now(), language=asked or get_language() or "")
        if landing.language in dict(settings.LANGUAGES):
            translation.activate(landing.language)
        return landing

    def _show(
        self, *, is_missing: bool = False, is_untrusted: bool = False, status: int = 200
    ) -> HttpResponse:
        texts = self.landing.texts
        if texts is None:
            context = {"is_paused": self.landing.is_paused}
            return render(self.request, "participant/not_open.html", context, status=status)
        if self.landing.is_full:
            return render(self.request, "participant/full.html", {"texts": texts}, status=status)
        context = self._context(texts) | {"is_missing": is_missing, "is_untrusted": is_untrusted}
        return render(self.request, "participant/landing.html", context, status=status)

    def _context(self, texts: StudyTexts) -> dict[str, Any]:
        return {
            "texts": texts,
            "about": prose(texts.about),
            "visit_word": self._visit_word(),
            "languages": [_language(code) for code in self.landing.languages],
            "is_agreed": bool(self.request.POST.get("agree")),
            "progress": progress_at(
                self.landing.steps, kind=StepKind.CONSENT, minutes=texts.minutes
            ),
        }

    def _back(self, cohort: str) -> HttpResponse | None:
        held = self.request.COOKIES.get(COOKIE, "")
        if held == WITHDRAWN and "again" not in self.request.GET:
            return render(self.request, "participant/withdrawn.html", {"can_begin_again": True})
        token = place_find(cohort, held)
        return redirect("participant-resume", participant=token) if token else None

    def _visit_word(self) -> str:
        return self.request.POST.get("visit", "")[:_VISIT_LIMIT] or token_new()

    def _welcome(self, cohort: str, token: str) -> HttpResponse:
        response = redirect("participant-resume", participant=token)
        place_cookie_set(response, cohort=cohort, value=token)
        return response


def place_cookie_set(response: HttpResponse, *, cohort: str, value: str) -> None:
    """Let the cohort's link lead this browser back."""
    response.set_cookie(
        COOKIE,
        value,
        max_age=_COOKIE_SECONDS,
        path=reverse("join", kwargs={"cohort": cohort}),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _language(code: str) -> dict[str, str]:
    """Name a language in itself, as its readers know it; an unknown tag names itself."""
    try:
        return {"code": code, "name": str(translation.get_language_info(code)["name_local"])}
    except KeyError:
        return {"code": code, "name": code}

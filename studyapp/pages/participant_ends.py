"""Where a participant stops: personal link, pause, receipt, thanks, and an end before that."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from studyapp.domain.receipts import CODE_LIMIT
from studyapp.domain.steps import StepKind
from studyapp.pages.guessing import guess_note, guesses_are_used_up
from studyapp.pages.participant_forms import ErrorView
from studyapp.pages.participant_frame import KeepsAnswers, PersonalPage, prose
from studyapp.pages.participant_time import TimeView, time_view
from studyapp.pages.place_cookie import place_remember
from studyapp.selectors.joining import ending_get, place_is_lost
from studyapp.selectors.own_data import person_by_link, person_by_receipt
from studyapp.selectors.participation import reports_are_rule_based


class ResumePage(PersonalPage):
    """The personal link: leads to where the participant stopped."""

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Lead to the first step that is not done; who cannot go on reads so before any work."""
        if not self.visit.is_closed and place_is_lost(self.visit.token, now=timezone.now()):
            return self.page("place_lost.html", is_back=True)
        return self.to_step(self.next_step)


class PausePage(PersonalPage):
    """How to continue later."""

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the personal link, where there is something to come back to."""
        if self.next_step.kind in (StepKind.DONE, StepKind.ENDED):
            return self.to_step(self.next_step)
        if self.visit.is_closed:
            return self.page("closed.html")
        return self.page("pause.html", time=self._time())

    def _time(self) -> TimeView | None:
        """Say what is left of the debate that is open: its time runs on meanwhile."""
        reading = self.visit.readings.get(self.next_step.trial)
        return time_view(reading, now=timezone.now()) if reading else None


class ReceiptPage(PersonalPage, KeepsAnswers):
    """The receipt: its code, and the wording that was agreed to.

    Who enters the code in a browser is from then on taken there for who agreed.
    """

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the receipt."""
        return self._show()

    def post(self, request: HttpRequest, participant: str) -> HttpResponseBase:
        """Take this browser for the holder's if the code is this person's, and lead on."""
        if guesses_are_used_up(request):
            return self._show(problem=_("Too many wrong codes came from here. Wait 15 minutes."),
                              status=429)  # fmt: skip
        if person_by_receipt(self._code) != person_by_link(participant):
            guess_note(request)
            return self._show(problem=_("This is not the code of this receipt"), status=400)
        response = redirect(self.step_url(self.next_step))
        place_remember(
            response, request, cohort=self.visit.cohort_token, token=participant, is_own=True
        )
        return response

    def redisplay(self) -> HttpResponseBase:
        """Show the form again with the code."""
        return self._show(is_untrusted=True, status=403)

    @property
    def _code(self) -> str:
        return self.request.POST.get("code", "")[:CODE_LIMIT]

    def _show(
        self, *, problem: str = "", is_untrusted: bool = False, status: int = 200
    ) -> HttpResponseBase:
        return self.page(
            "receipt.html",
            status=status,
            about=prose(self.visit.texts.about),
            code=self._code,
            problem=problem,
            errors=[ErrorView("code", problem)] if problem else [],
            is_untrusted=is_untrusted,
        )


class DonePage(PersonalPage):
    """Thanks, the code, the way back to a panel, and what the study was about."""

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the code each time it is asked for; before completion, lead to what is missing."""
        if self.next_step.kind is not StepKind.DONE:
            return self.to_step(self.next_step)
        return self.page(
            "done.html",
            ending=ending_get(self.visit.token),
            debrief=prose(self.visit.texts.debrief),
            is_rule_based=reports_are_rule_based(self.visit.token),
        )


class EndedPage(PersonalPage):
    """Screened out, or too many failed checks: what a panel wants to hear of it."""

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Say how it ended; who has not ended is led to their place."""
        if self.next_step.kind is not StepKind.ENDED:
            return self.to_step(self.next_step)
        return self.page("ended.html", ending=ending_get(self.visit.token))

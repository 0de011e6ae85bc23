"""Where a participant stops: personal link, pause, receipt, thanks, and an end before that."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from studyapp.domain.steps import StepKind
from studyapp.pages.participant_frame import PersonalPage, prose
from studyapp.selectors.joining import ending_get
from studyapp.selectors.participation import reports_are_rule_based


class ResumePage(PersonalPage):
    """The personal link: leads to where the participant stopped."""

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Lead to the first step that is not done."""
        return self.to_step(self.next_step)


class PausePage(PersonalPage):
    """How to continue later."""

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the personal link, where there is something to come back to."""
        if self.next_step.kind in (StepKind.DONE, StepKind.ENDED):
            return self.to_step(self.next_step)
        return self.page("closed.html" if self.visit.is_closed else "pause.html")


class ReceiptPage(PersonalPage):
    """The receipt: its code, and the wording that was agreed to."""

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the receipt."""
        return self.page("receipt.html", about=prose(self.visit.texts.about))


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

"""A personal link: consent for whom it was made, and their way back ever after."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from studyapp.errors import UnknownLinkError
from studyapp.pages.participant_arrival import Guest
from studyapp.pages.participant_entrance import EntrancePage
from studyapp.selectors.joining import Invited, invitation_find
from studyapp.services.assignment import Newcomer


@method_decorator(never_cache, name="dispatch")
class InvitationPage(EntrancePage):
    """Information and consent; the link is used by the consent that is sent, and by no look."""

    guest = Guest()
    is_named = True
    invited: Invited

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Find the invitation and its cohort."""
        super().setup(request, *args, **kwargs)
        try:
            self.invited = invitation_find(kwargs["invitation"])
            self.landing = self.landing_read(self.invited.cohort_token)
        except UnknownLinkError as error:
            raise Http404 from error

    def get(self, _request: HttpRequest, invitation: str) -> HttpResponse:
        """Show the study's information, or lead back."""
        return self._elsewhere() or self.show()

    def post(self, _request: HttpRequest, invitation: str) -> HttpResponse:
        """Take the consent and give a place."""
        return self._elsewhere() or self.consent()

    def newcomer(self) -> Newcomer:
        """Say who comes in."""
        return Newcomer(language=self.landing.language, invitation=self.invited.token)

    def refused(self) -> HttpResponse:
        """Say that the link lets nobody in."""
        return self.page("revoked.html", status=410, is_spent=not self.invited.is_revoked)

    def redisplay(self) -> HttpResponse:
        """Show the consent page again, if the link still lets somebody in."""
        return self._elsewhere() or super().redisplay()

    def _elsewhere(self) -> HttpResponse | None:
        if self.invited.is_revoked or self.invited.is_spent:
            return self.refused()
        if self.invited.participant:
            return redirect("participant-resume", participant=self.invited.participant)
        return None

"""A participant's rights: see what is stored, take it along, withdraw and have it deleted.

Two doors lead here: the receipt code, which says nothing about the person, and the personal link,
as long as nobody else may know it. A code is never part of an address, so that no history and no
log keeps it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from studyapp.domain.receipts import CODE_LIMIT
from studyapp.pages.guessing import guess_note, guesses_are_used_up
from studyapp.pages.participant_forms import ErrorView
from studyapp.pages.participant_frame import KeepsAnswers, PersonalPage
from studyapp.pages.place_cookie import place_forget
from studyapp.selectors.own_data import (
    OwnData,
    own_data,
    person_by_link,
    person_by_receipt,
    site_language,
)
from studyapp.selectors.own_files import own_csv, own_json
from studyapp.services.rights import participant_withdraw

_FILES = {
    "json": (own_json, "application/json"),
    "csv": (own_csv, "text/csv; charset=utf-8"),
}


class _Rights(KeepsAnswers):
    """What both doors have in common: one page of data, two files, one deletion."""

    @abstractmethod
    def act(self, data: OwnData) -> HttpResponseBase:
        """Do what the form asks."""

    def acted(self, data: OwnData, code: str) -> HttpResponseBase:
        """Send a file, delete everything, or show what is stored."""
        action = self.request.POST.get("action", "")
        if action in _FILES:
            return _file(data, action)
        if action == "withdraw" and self.request.POST.get("sure"):
            participant_withdraw(participant_id=data.participant_id, now=timezone.now())
            return _left(data)
        return self.data_page(data, code=code, is_unsure=action == "withdraw")

    def data_page(
        self,
        data: OwnData,
        *,
        code: str,
        is_unsure: bool = False,
        is_untrusted: bool = False,
    ) -> HttpResponse:
        """Show everything that is stored, with what can be done about it."""
        errors = [ErrorView("sure", _("Tick the box if you are sure"))] if is_unsure else []
        context = {
            "data": data,
            "code": code,
            "errors": errors,
            "is_unsure": is_unsure,
            "is_untrusted": is_untrusted,
        }
        status = 400 if is_unsure else 403 if is_untrusted else 200
        return render(self.request, "participant/rights_data.html", context, status=status)


@method_decorator(never_cache, name="dispatch")
class RightsPage(_Rights):
    """The door for receipt codes: whoever has one acts on what belongs to it, unnamed."""

    def get(self, _request: HttpRequest) -> HttpResponseBase:
        """Ask for the code."""
        return self._ask()

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Find what belongs to the code; every code that finds nothing gets one answer."""
        if guesses_are_used_up(request):
            return self._ask(problem=_("Too many wrong codes came from here. Wait 15 minutes."),
                             status=429)  # fmt: skip
        found = person_by_receipt(self._code)
        data = None if found is None else own_data(found)
        if data is None:
            guess_note(request)
            return self._ask(problem=_("Nothing is stored under this code"), status=400)
        return self.act(data)

    def act(self, data: OwnData) -> HttpResponseBase:
        """Do what the form asks, in the participant's language."""
        translation.activate(site_language(data.language))
        return self.acted(data, self._code)

    def redisplay(self) -> HttpResponseBase:
        """Show the form again with the code."""
        return self._ask(is_untrusted=True, status=403)

    @property
    def _code(self) -> str:
        return self.request.POST.get("code", "")[:CODE_LIMIT]

    def _ask(
        self, *, problem: str = "", is_untrusted: bool = False, status: int = 200
    ) -> HttpResponse:
        context = {
            "code": self._code,
            "problem": problem,
            "errors": [ErrorView("code", problem)] if problem else [],
            "is_untrusted": is_untrusted,
        }
        return render(self.request, "participant/rights.html", context, status=status)


class OwnRightsPage(PersonalPage, _Rights):
    """The same from the personal link; without a code where only its holder can know it."""

    is_for_revoked = True

    def get(self, _request: HttpRequest, participant: str) -> HttpResponseBase:
        """Show what is stored."""
        return self._found(participant)

    def post(self, _request: HttpRequest, participant: str) -> HttpResponseBase:
        """Do what the form asks."""
        return self._found(participant)

    def act(self, data: OwnData) -> HttpResponseBase:
        """Do what the form asks."""
        return self.acted(data, "")

    def redisplay(self) -> HttpResponseBase:
        """Show the page again."""
        return self._found(self.visit.token, is_untrusted=True)

    def _found(self, participant: str, *, is_untrusted: bool = False) -> HttpResponseBase:
        found = person_by_link(participant)
        data = None if found is None else own_data(found)
        if data is None:
            return redirect("participant-withdrawn")
        if not self.is_holder():
            return self.page("rights.html", is_link_shared=True, status=self._asking_status())
        if is_untrusted:
            return self.data_page(data, code="", is_untrusted=True)
        return self.act(data)

    def _asking_status(self) -> int:
        return 403 if self.request.method == "POST" else 200


@never_cache
def withdrawn(request: HttpRequest) -> HttpResponse:
    """Say that nothing is stored any more."""
    return render(request, "participant/withdrawn.html")


def _file(data: OwnData, form: str) -> HttpResponse:
    write, content_type = _FILES[form]
    headers: dict[str, Any] = {"Content-Disposition": f'attachment; filename="my-data.{form}"'}
    return HttpResponse(write(data), content_type=content_type, headers=headers)


def _left(data: OwnData) -> HttpResponse:
    """Lead to the last page; the cookie that led to the place now says that it is gone."""
    response = redirect("participant-withdrawn")
    place_forget(response, cohort=data.cohort_token)
    return response

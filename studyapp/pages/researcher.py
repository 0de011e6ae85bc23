"""What all researcher's pages share: staff only, and only the studies they may see.

A study that the reader may not see is not found: its existence is not told either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache

from studyapp.domain.permissions import Action
from studyapp.errors import StudyAppError
from studyapp.pages.researcher_access import page_action
from studyapp.selectors.study import StudyPage, study_find


@method_decorator(never_cache, name="dispatch")
class ResearcherPage(LoginRequiredMixin, View):
    """A page for staff; others are sent to the login, or told that they are no staff."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let staff in."""
        if request.user.is_authenticated and not request.user.is_staff:
            raise PermissionDenied(_("This account has no access to the researcher's pages."))
        return super().dispatch(request, *args, **kwargs)

    @property
    def actor(self) -> AbstractUser:
        """The researcher who asks."""
        return cast("AbstractUser", self.request.user)

    @property
    def actor_id(self) -> int:
        """The researcher's primary key, for the log."""
        return int(self.actor.pk)


class OneStudyPage(ResearcherPage):
    """A page about one study."""

    study: StudyPage

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the study among those the reader may see, and ask whether their role allows this."""
        if request.user.is_authenticated and request.user.is_staff:
            study = study_find(self.actor, kwargs["slug"])
            if study is None:
                raise Http404
            if self._asked not in study.actions:
                raise PermissionDenied(_("Your role in this study does not allow this."))
            self.study = study
        return super().dispatch(request, *args, **kwargs)

    @property
    def _asked(self) -> Action:
        """What the address asks for; an address without a name asks for most."""
        match = self.request.resolver_match
        return page_action(match.url_name or "" if match else "")

    def page(self, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
        """Render a page about the study."""
        context |= {"study": self.study}
        return render(self.request, f"researcher/{template}", context, status=status)

    def to_study(self) -> HttpResponse:
        """Lead back to the study."""
        return redirect("study-detail", slug=self.study.slug)


class StudyAction(OneStudyPage, ABC):
    """Something done to a study; a refusal is told on the page it leads back to."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        """Do it, say so, and lead back."""
        try:
            messages.success(request, self.act())
        except StudyAppError as error:
            messages.error(request, str(error))
        return self.back()

    @abstractmethod
    def act(self) -> str:
        """Do it and say in one sentence what was done."""

    def back(self) -> HttpResponse:
        """Lead back to where it was asked for."""
        return self.to_study()

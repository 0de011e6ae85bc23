"""What participants' pages have in common: whose page it is, in which order, and what may go wrong.

A GET only reads. Everything that happens is a POST, and the time of a POST is read in the page.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString
from django.views import View
from django.views.decorators.cache import never_cache

from studyapp.domain.answers import Problem
from studyapp.domain.markup import prose_render
from studyapp.domain.screening import Stage
from studyapp.domain.steps import (
    Step,
    StepKind,
    TrialState,
    progress_at,
    step_after,
    step_is_reached,
    step_next,
)
from studyapp.errors import (
    AlreadyAnsweredError,
    PlaceLostError,
    StepOrderError,
    StudyNotOpenError,
    TakingPartEndedError,
    UnknownLinkError,
)
from studyapp.pages.place_cookie import place_is_own
from studyapp.selectors.own_data import link_is_shared
from studyapp.selectors.participation import Visit, visit_get

_TEXT_HEADING = 2


class KeepsAnswers(View):
    """A page with a form that comes back filled when the request could not be trusted."""

    @abstractmethod
    def redisplay(self) -> HttpResponseBase:
        """Show the page again with what was sent, and store nothing."""


class PersonalPage(View):
    """A page behind a participant's own link."""

    visit: Visit
    # Whether it stays open to somebody whose invitation was taken back.
    is_for_revoked: ClassVar[bool] = False

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Find the participant."""
        super().setup(request, *args, **kwargs)
        try:
            self.visit = visit_get(kwargs["participant"])
        except UnknownLinkError as error:
            raise Http404 from error
        if self.visit.language in dict(settings.LANGUAGES):
            translation.activate(self.visit.language)

    @method_decorator(never_cache)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, and keep the page out of caches: it is personal, and Back must ask again."""
        if self.visit.is_revoked and not self.is_for_revoked:
            return self.page("revoked.html", status=410)
        return super().dispatch(request, *args, **kwargs)

    def page(self, template: str, *, status: int = 200, **context: Any) -> HttpResponseBase:
        """Render a participant's page."""
        link = reverse("participant-resume", kwargs={"participant": self.visit.token})
        context |= {
            "visit": self.visit,
            "texts": self.visit.texts,
            "next_url": self.step_url(self.next_step),
            "is_from_panel": self.visit.is_from_panel,
            "personal_link": self.request.build_absolute_uri(link),
            # Called where a template asks: most pages need no such look.
            "is_holder": self.is_holder,
            "forms_done": " ".join(_forms_done(self.visit)),
        }
        return render(self.request, f"participant/{template}", context, status=status)

    def is_holder(self) -> bool:
        """Say whether who came here may see what is stored, and have it deleted.

        A panel or a researcher knows the link as well; then the browser must be the one in which
        its holder agreed.
        """
        token = self.visit.token
        return place_is_own(self.request, token) or not link_is_shared(token)

    @property
    def next_step(self) -> Step:
        """The first step that is not done, or the page that says how it ended before that."""
        if self.visit.has_ended:
            return Step(StepKind.ENDED)
        return step_next(self.visit.steps)

    def to_step(self, step: Step) -> HttpResponseBase:
        """Lead to a step."""
        return redirect(self.step_url(step))

    def to_place(self) -> HttpResponseBase:
        """Lead to the first step that is not done by now: another request may have been faster."""
        self.visit = visit_get(self.visit.token)
        return self.to_step(self.next_step)

    def step_url(self, step: Step) -> str:
        """Return the address of a step's page."""
        kwargs = {"participant": self.visit.token}
        if step.trial:
            kwargs["trial"] = step.trial
        return reverse(step.kind.value, kwargs=kwargs)


class StepPage(PersonalPage, KeepsAnswers):
    """A step: shown when everything before it is done, and only until its answers are in."""

    kind: ClassVar[StepKind]
    # What is wrong with what was sent, by field; set before the page is shown again.
    problems: Mapping[str, Problem] = MappingProxyType({})

    @method_decorator(never_cache)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, and turn what the services refuse into pages."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except UnknownLinkError as error:
            raise Http404 from error
        except (StepOrderError, TakingPartEndedError):
            return self.to_place()
        except PlaceLostError:
            return self.page("place_lost.html", status=409)
        except StudyNotOpenError:
            return self.page("closed.html", status=409)
        except AlreadyAnsweredError:
            self.visit = visit_get(self.visit.token)
            return self.answered_page(status=409)

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the step, or lead to the one that comes first."""
        return self._elsewhere() or self.show()

    def redisplay(self) -> HttpResponseBase:
        """Show the step again with what was sent."""
        return self._elsewhere() or self.show(is_untrusted=True, status=403)

    @abstractmethod
    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the step."""

    @abstractmethod
    def is_answered(self) -> bool:
        """Say whether the answers that this step leads to are in."""

    def answered_page(self, *, status: int = 200) -> HttpResponseBase:
        """Say that the first answers stand, and lead on."""
        return self.page("answered.html", status=status)

    def step_page(self, template: str, *, status: int = 200, **context: Any) -> HttpResponseBase:
        """Render a step's page with its progress."""
        context["progress"] = progress_at(
            self.visit.steps,
            kind=self.kind,
            trial=self.trial_token,
            minutes=self.visit.texts.minutes,
        )
        return self.page(template, status=status, **context)

    def to_following(self) -> HttpResponseBase:
        """Lead to the step after this one."""
        return self.to_step(step_after(self.visit.steps, kind=self.kind, trial=self.trial_token))

    @property
    def trial_token(self) -> str:
        """The token of the trial in the address, if there is one."""
        return str(self.kwargs.get("trial", ""))

    def _elsewhere(self) -> HttpResponseBase | None:
        """Say where this step cannot be shown now."""
        if self.visit.has_ended:
            return self.to_step(self.next_step)
        if self.visit.is_closed:
            return self.page("closed.html")
        if self.is_answered():
            return self.answered_page()
        if not step_is_reached(self.visit.steps, kind=self.kind, trial=self.trial_token):
            return self.to_step(self.next_step)
        return None


class TrialPage(StepPage):
    """A step of one trial."""

    trial: TrialState

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Find the trial among the participant's own."""
        super().setup(request, *args, **kwargs)
        try:
            self.trial = self.visit.trial(self.trial_token)
        except UnknownLinkError as error:
            raise Http404 from error

    def is_answered(self) -> bool:
        """Say whether the trial's answers are in."""
        return self.trial.answered

    def trial_page(self, template: str, *, status: int = 200, **context: Any) -> HttpResponseBase:
        """Render a page of the trial."""
        return self.step_page(template, status=status, trial=self.trial, **context)


def _forms_done(visit: Visit) -> Iterator[str]:
    """Name the forms of which a device needs no copy any more, as their `data-keep` does."""
    done = {step.kind for step in visit.steps if step.done or visit.has_ended}
    yield from (row.token for row in visit.trials if row.answered or visit.has_ended)
    if StepKind.BACKGROUND in done:
        yield f"about-{visit.token}"
    if StepKind.SCREENING in done:
        yield from (f"{stage}-{visit.token}" for stage in Stage)


def prose(text: str) -> SafeString:
    """Render a study's text for a page."""
    return SafeString(prose_render(text, heading=_TEXT_HEADING))

"""The steps between consent and thanks: background, and for each trial debate, pair and answers."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override
from django.views import View

from studyapp.domain.answers import answers_keep, answers_read
from studyapp.domain.background import background_read
from studyapp.domain.steps import StepKind
from studyapp.domain.trace_view import TraceView
from studyapp.errors import (
    AlreadyAnsweredError,
    AnswerError,
    StepOrderError,
    StudyNotOpenError,
    UnknownLinkError,
)
from studyapp.pages.participant_forms import background_questions, error_list, measure_questions
from studyapp.pages.participant_frame import StepPage, TrialPage, prose
from studyapp.selectors.participation import (
    answers_get,
    background_get,
    blind_pair,
    draft_get,
    trace_view,
)
from studyapp.services.response import (
    background_record,
    draft_save,
    pair_open,
    response_record,
    trial_open,
)


class BackgroundPage(StepPage):
    """A few questions about the participant."""

    kind = StepKind.BACKGROUND

    def setup(self, request: HttpRequest, *args: object, **kwargs: object) -> None:
        """Find the participant; a study without questions has no such page."""
        super().setup(request, *args, **kwargs)
        if not self.visit.background:
            raise Http404

    def post(self, request: HttpRequest, participant: str) -> HttpResponseBase:
        """Store the answers."""
        sent = request.POST.dict()
        try:
            background_record(participant=participant, sent=sent, now=timezone.now())
        except AnswerError:
            self.problems = background_read(self.visit.background, sent).problems
            return self.show(status=400)
        except AlreadyAnsweredError:
            same = background_read(self.visit.background, sent).values
            if same == background_get(participant):
                return self.to_place()
            raise
        return self.to_following()

    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the questions."""
        questions = background_questions(
            self.visit.background, self.request.POST.dict(), self.problems
        )
        return self.step_page(
            "background.html",
            status=status,
            questions=questions,
            errors=error_list(questions),
            is_untrusted=is_untrusted,
        )

    def is_answered(self) -> bool:
        """Say whether the questions are answered."""
        return any(step.done for step in self.visit.steps if step.kind is self.kind)


class IntroductionPage(TrialPage):
    """What comes next: one page to take a breath, and the moment from which reading counts."""

    kind = StepKind.TRIAL

    def post(self, _request: HttpRequest, participant: str, trial: str) -> HttpResponseBase:
        """Open the debate."""
        trial_open(participant=participant, trial=trial, now=timezone.now())
        return self.to_following()

    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the introduction, with the instructions on the first trial."""
        return self.trial_page(
            "introduction.html",
            status=status,
            instructions=prose(self.visit.texts.instructions),
            is_untrusted=is_untrusted,
        )


class DebatePage(TrialPage):
    """The debate, as it was held in public."""

    kind = StepKind.DEBATE

    def post(self, _request: HttpRequest, participant: str, trial: str) -> HttpResponseBase:
        """Note that the debate was read, and lead to the reports."""
        pair_open(participant=participant, trial=trial, now=timezone.now())
        return self.to_following()

    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the debate."""
        return self.trial_page(
            "debate.html",
            status=status,
            debate=_debate(self.trial.token),
            is_untrusted=is_untrusted,
        )


class ReportsPage(TrialPage):
    """Both reports, and the questions about them."""

    kind = StepKind.REPORTS

    def post(self, request: HttpRequest, participant: str, trial: str) -> HttpResponseBase:
        """Store the answers, or keep them as a draft for later."""
        sent, now = request.POST.dict(), timezone.now()
        if sent.get("action") == "later":
            draft_save(participant=participant, trial=trial, sent=sent, now=now)
            return redirect("participant-pause", participant=participant)
        try:
            response_record(participant=participant, trial=trial, sent=sent, now=now)
        except AnswerError:
            draft_save(participant=participant, trial=trial, sent=sent, now=now)
            self.problems = answers_read(self.visit.measures, sent).problems
            return self.show(status=400)
        except AlreadyAnsweredError:
            if answers_keep(self.visit.measures, sent) == answers_get(trial):
                return self.to_following()
            raise
        return self.to_following()

    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the pair and the questions, filled with what was sent or drafted."""
        is_sent = self.request.method == "POST"
        entered = self.request.POST.dict() if is_sent else draft_get(self.trial.token)
        questions = measure_questions(self.visit.measures, entered, self.problems)
        return self.trial_page(
            "reports.html",
            status=status,
            debate=_debate(self.trial.token),
            pair=blind_pair(self.trial.token),
            questions=questions,
            errors=error_list(questions),
            is_untrusted=is_untrusted,
        )


class DraftEndpoint(View):
    """Where the reports page leaves what was entered so far; answers with a status only."""

    def post(self, request: HttpRequest, participant: str, trial: str) -> HttpResponse:
        """Keep a draft: 204 kept, 404 no such trial, 409 too late or too early."""
        try:
            draft_save(
                participant=participant, trial=trial, sent=request.POST.dict(), now=timezone.now()
            )
        except UnknownLinkError:
            return HttpResponse(status=404)
        except (AlreadyAnsweredError, StepOrderError, StudyNotOpenError):
            return HttpResponse(status=409)
        return HttpResponse(status=204)


def _debate(trial: str) -> SafeString:
    return _debate_render(trace_view(trial), get_language() or settings.LANGUAGE_CODE)


@lru_cache(maxsize=32)
def _debate_render(debate: TraceView, language: str) -> SafeString:
    """Render a debate once for each language of the site: hundreds of turns take time."""
    with override(language):
        return render_to_string("participant/_debate.html", {"debate": debate})

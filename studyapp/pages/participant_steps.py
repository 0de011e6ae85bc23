"""The steps before a debate: background questions, and an introduction to each trial."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from studyapp.domain.background import background_read
from studyapp.domain.steps import StepKind
from studyapp.domain.time_pressure import AtZero
from studyapp.errors import AlreadyAnsweredError, AnswerError
from studyapp.pages.participant_forms import background_questions, error_list
from studyapp.pages.participant_frame import StepPage, TrialPage, prose
from studyapp.pages.participant_questions import questions_render
from studyapp.selectors.participation import background_get
from studyapp.services.response import background_record, trial_open


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
            # Whoever has only the link must not find out answers by trying.
            if same == background_get(participant) and self.is_holder():
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
            questions=questions_render(questions),
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
            instructions=prose(self.visit.instructions),
            pressure=self.visit.readings[self.trial.token].pressure,
            is_timed_out=self._was_timed_out(),
            is_untrusted=is_untrusted,
        )

    def _was_timed_out(self) -> bool:
        """Say whether the trial before ended by its time, so that nobody wonders."""
        before = [row.token for row in self.visit.trials if row.number == self.trial.number - 1]
        if not before:
            return False
        reading = self.visit.readings[before[0]]
        return reading.timed_out and reading.pressure.at_zero is AtZero.LOCK

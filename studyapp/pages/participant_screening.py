"""The screening step: who may take part, and whether the task was understood."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from studyapp.domain.screening import Stage, screening_read
from studyapp.domain.steps import StepKind
from studyapp.errors import AnswerError
from studyapp.pages.participant_forms import background_questions, error_list
from studyapp.pages.participant_frame import StepPage, prose
from studyapp.pages.participant_questions import questions_render
from studyapp.services.screening import screening_record


class ScreeningPage(StepPage):
    """The form that is due: eligibility once, comprehension with a second try.

    What was answered stands on the server: a reload, Back or another tab shows what is due now.
    """

    kind = StepKind.SCREENING

    def setup(self, request: HttpRequest, *args: object, **kwargs: object) -> None:
        """Find the participant; a study without screening has no such page."""
        super().setup(request, *args, **kwargs)
        if all(step.kind is not self.kind for step in self.visit.steps):
            raise Http404

    def post(self, request: HttpRequest, participant: str) -> HttpResponseBase:
        """Store the answers and lead on, to the second try, or to the end."""
        sent = request.POST.dict()
        stage = sent.get("stage", "")
        try:
            screening_record(participant=participant, stage=stage, sent=sent, now=timezone.now())
        except AnswerError:
            form = self.visit.screening
            self.problems = screening_read(form.questions, sent).problems if form else {}
            return self.show(status=400)
        return self.to_place()

    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the questions that are due."""
        form = self.visit.screening
        if form is None:
            return self.to_step(self.next_step)
        questions = background_questions(form.questions, self.request.POST.dict(), self.problems)
        return self.step_page(
            "screening.html",
            status=status,
            questions=questions_render(questions),
            stage=form.stage.value,
            is_second=form.stage is Stage.SECOND,
            instructions=None
            if form.stage is Stage.ELIGIBILITY
            else prose(self.visit.instructions),
            errors=error_list(questions),
            is_untrusted=is_untrusted,
        )

    def is_answered(self) -> bool:
        """Say whether screening is over."""
        return any(step.done for step in self.visit.steps if step.kind is self.kind)

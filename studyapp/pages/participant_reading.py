"""The pages of one trial on which time counts: the debate, then the pair and the answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override
from django.views.decorators.gzip import gzip_page

from studyapp.domain.answers import answers_keep, answers_read
from studyapp.domain.measures import Measure, measures_ordered
from studyapp.domain.moments import epoch_ms
from studyapp.domain.reading import batch_load, mark_load
from studyapp.domain.steps import StepKind
from studyapp.domain.time_pressure import AtZero
from studyapp.domain.trace_view import TraceView
from studyapp.errors import (
    AlreadyAnsweredError,
    AnswerError,
    BatchRefusedError,
    StepOrderError,
    TimeOverError,
    TooEarlyError,
)
from studyapp.pages.participant_forms import error_list, measure_questions
from studyapp.pages.participant_frame import TrialPage
from studyapp.pages.participant_questions import questions_render
from studyapp.pages.participant_time import time_view
from studyapp.pages.writer_cookie import HOLDER, writer_of, writer_remember
from studyapp.selectors.participation import answers_get, blind_pair
from studyapp.selectors.reading import (
    TrialReading,
    draft_read,
    marks_list,
    trace_read,
)
from studyapp.services.paradata import evidence_mark, reading_record
from studyapp.services.response import draft_save, pair_open, response_record, trial_expire


@method_decorator(gzip_page, name="dispatch")
class ReadingPage(TrialPage):
    """A page of a trial on which time counts; sent compressed, as debates are long."""

    reading: TrialReading
    wait_seconds = 0

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Find the trial and how it is read."""
        super().setup(request, *args, **kwargs)
        self.reading = self.visit.readings[self.trial.token]

    def get(self, _request: HttpRequest, **_address: str) -> HttpResponseBase:
        """Show the step, or say that its time is over."""
        opened_at = self.reading.trace_opened_at
        if not self.is_answered() and self.reading.pressure.is_locked(
            opened_at, now=timezone.now()
        ):
            return self.trial_page("time_over.html", must_send=True)
        return super().get(_request, **_address)

    def post(self, request: HttpRequest, participant: str, trial: str) -> HttpResponseBase:
        """Take what was sent, or say what stands in the way."""
        sent, now = request.POST.dict(), timezone.now()
        try:
            self.keep_reading(sent, now=now)
            if sent.get("action") == "timeout":
                return self.end(sent, now=now)
            return self.take(sent, now=now)
        except TimeOverError:
            return self.end(None, now=now)
        except TooEarlyError as error:
            self.keep_sent(sent, now=now)
            self.wait_seconds = error.seconds
            return self.show(status=409)

    @abstractmethod
    def take(self, sent: Mapping[str, str], *, now: datetime) -> HttpResponseBase:
        """Take what the page's form sent."""

    def keep_sent(self, sent: Mapping[str, str], *, now: datetime) -> None:
        """Keep what was entered where it is not taken; the debate's page has nothing to keep."""

    def end(self, sent: Mapping[str, str] | None, *, now: datetime) -> HttpResponseBase:
        """End the trial for lack of time; `sent` is what its page held at that moment."""
        if sent is not None and not self.reading.pressure.is_locked(
            self.reading.trace_opened_at, now=now
        ):
            self.keep_sent(sent, now=now)
        trial_expire(**self.address, now=now)
        return redirect(self.request.path)

    def answered_page(self, *, status: int = 200) -> HttpResponseBase:
        """Say that the first answers stand, or that time was over."""
        reading = self.visit.readings[self.trial.token]
        if reading.timed_out and reading.pressure.at_zero is AtZero.LOCK:
            return self.page("time_over.html", must_send=False)
        return super().answered_page(status=status)

    def keep_reading(self, sent: Mapping[str, str], *, now: datetime) -> None:
        """Store what the page reports about reading; nothing about it may stand in the way."""
        text = sent.get("reading", "")
        if not text:
            return
        try:
            batch = batch_load(text, addresses=self.debate.addresses)
            reading_record(**self.address, batch=batch, now=now)
        except (AlreadyAnsweredError, BatchRefusedError, StepOrderError, TimeOverError):
            return

    @property
    def address(self) -> dict[str, str]:
        """Whose trial this is, as services are told."""
        return {"participant": self.visit.token, "trial": self.trial.token}

    @property
    def debate(self) -> TraceView:
        """The debate as this study shows it."""
        return trace_read(self.reading)

    def reading_page(self, template: str, *, status: int, **context: Any) -> HttpResponseBase:
        """Render a page with its debate and its time."""
        html = _debate_render(
            self.debate,
            language=get_language() or settings.LANGUAGE_CODE,
            with_marks=self.with_marks,
        )
        return self.trial_page(
            template,
            status=status,
            debate=html,
            time=time_view(self.reading, now=timezone.now()),
            wait_seconds=self.wait_seconds,
            with_marks=self.with_marks,
            **context,
        )

    @property
    def with_marks(self) -> bool:
        """Say whether turns of the debate can be marked on this page."""
        return False


class DebatePage(ReadingPage):
    """The debate, as it was held in public."""

    kind = StepKind.DEBATE

    def take(self, sent: Mapping[str, str], *, now: datetime) -> HttpResponseBase:
        """Note that the debate was read, and lead to the reports."""
        pair_open(**self.address, now=now)
        return self.to_following()

    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the debate."""
        return self.reading_page("debate.html", status=status, is_untrusted=is_untrusted)


class ReportsPage(ReadingPage):
    """Both reports, and the questions about them."""

    kind = StepKind.REPORTS

    def take(self, sent: Mapping[str, str], *, now: datetime) -> HttpResponseBase:
        """Store the answers, or keep them as a draft for later or beside a mark."""
        if sent.get("action") == "later":
            self.keep_sent(sent, now=now)
            return redirect("participant-pause", participant=self.visit.token)
        if "mark" in sent:
            return self._mark(sent, now=now)
        try:
            response_record(**self.address, sent=sent, now=now)
        except AnswerError:
            self.keep_sent(sent, now=now)
            self.problems = answers_read(self.measures, sent).problems
            return self.show(status=400)
        except AlreadyAnsweredError:
            # Whoever has only the link must not find out answers by trying.
            is_same = answers_keep(self.measures, sent) == answers_get(self.trial.token)
            if not is_same or not self.is_holder():
                raise
        return self.to_following()

    def keep_sent(self, sent: Mapping[str, str], *, now: datetime) -> None:
        """Keep what was entered where it is not taken: too early, or when the time ran out."""
        draft_save(**self.address, sent=sent, now=now, writer=self.writer)

    def show(self, *, is_untrusted: bool = False, status: int = 200) -> HttpResponseBase:
        """Render the pair and the questions, filled with what was sent or drafted."""
        draft = draft_read(self.trial.token, writer=self.writer)
        is_sent = self.request.method == "POST"
        entered = self.request.POST.dict() if is_sent else draft.answers
        questions = measure_questions(self.measures, entered, self.problems)
        response = self.reading_page(
            "reports.html",
            status=status,
            pair=blind_pair(self.trial.token),
            questions=questions_render(questions),
            errors=error_list(questions),
            marks=marks_list(self.trial.token, writer=self.writer) if self.with_marks else (),
            is_debate_open=self.request.GET.get("debate") == "open",
            draft_at_ms=draft.saved_at_ms,
            is_draft_elsewhere=draft.is_elsewhere,
            now_ms=epoch_ms(timezone.now()),
            is_untrusted=is_untrusted,
        )
        if self.writer != HOLDER:
            writer_remember(response, self.request)
        return response

    @cached_property
    def writer(self) -> str:
        """Whose entries are shown here and kept from here."""
        return writer_of(self.request, self.visit.token)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures in the order drawn for this trial."""
        return measures_ordered(self.visit.measures, self.reading.measure_order)

    @property
    def with_marks(self) -> bool:
        """Say whether the study asks for marks."""
        return self.reading.rules.evidence_links

    def _mark(self, sent: Mapping[str, str], *, now: datetime) -> HttpResponseBase:
        """Store a mark sent without script: the page comes back at the turn, filled."""
        self.keep_sent(sent, now=now)
        try:
            mark = mark_load(sent["mark"], addresses=self.debate.addresses)
        except BatchRefusedError:
            return redirect(self.request.path)
        evidence_mark(**self.address, mark=mark, now=now, writer=self.writer)
        turn = mark.address.removeprefix("T")
        return redirect(f"{self.request.path}?debate=open#turn-{turn}")


@lru_cache(maxsize=32)
def _debate_render(debate: TraceView, *, language: str, with_marks: bool) -> SafeString:
    """Render a debate once for each language of the site: hundreds of turns take time."""
    context = {"debate": debate, "with_marks": with_marks}
    with override(language):
        return render_to_string("participant/_debate.html", context)

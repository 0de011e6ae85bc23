"""Where the scripts of a trial's pages report to: drafts, reading, marks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views import View

from studyapp.domain.moments import epoch_ms
from studyapp.domain.reading import BATCH_BYTES, batch_load, mark_load
from studyapp.errors import (
    AlreadyAnsweredError,
    BatchRefusedError,
    PlaceLostError,
    StepOrderError,
    StudyAppError,
    StudyNotOpenError,
    TakingPartEndedError,
    TimeOverError,
    UnknownLinkError,
)
from studyapp.pages.writer_cookie import writer_of
from studyapp.selectors.reading import marks_list, trace_read, trial_reading
from studyapp.services.paradata import evidence_mark, reading_record
from studyapp.services.response import draft_save

# A page sends four batches a minute; several tabs and closing pages send some more.
_BATCHES_A_MINUTE: Final = 40
_STATUS: Final[Mapping[type[StudyAppError], int]] = {
    BatchRefusedError: 400,
    UnknownLinkError: 404,
    AlreadyAnsweredError: 409,
    PlaceLostError: 409,
    StepOrderError: 409,
    StudyNotOpenError: 409,
    TakingPartEndedError: 409,
    TimeOverError: 409,
}
# Which sentence a page says; any other refusal is told by the page itself when it is loaded again.
_WORDS: Final[Mapping[type[StudyAppError], str]] = {
    AlreadyAnsweredError: "late",
    PlaceLostError: "lost",
    TimeOverError: "over",
}


class ScriptEndpoint(View):
    """Answers a script with a status: 204 or 200 stored, 404 no such trial, 409 not now.

    The body of a refusal is the name of the sentence that its page says.
    """

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Answer, and turn what the services refuse into a status."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except tuple(_STATUS) as error:
            word = _WORDS.get(type(error), "gone")
            return HttpResponse(word, status=_STATUS[type(error)], content_type="text/plain")


class DraftEndpoint(ScriptEndpoint):
    """Where the reports page leaves what was entered so far."""

    def post(self, request: HttpRequest, participant: str, trial: str) -> HttpResponse:
        """Keep a draft, and answer with the server's time of it in milliseconds."""
        now = timezone.now()
        sent = request.POST.dict()
        writer = writer_of(request, participant)
        draft_save(participant=participant, trial=trial, sent=sent, now=now, writer=writer)
        return HttpResponse(status=204, headers={"Kept-At": str(epoch_ms(now))})


class ReadingEndpoint(ScriptEndpoint):
    """Where pages report how they are read."""

    def post(self, request: HttpRequest, participant: str, trial: str) -> HttpResponse:
        """Keep a batch; 413 is too large a one, 429 too many of them."""
        now = timezone.now()
        if int(request.META.get("CONTENT_LENGTH") or 0) > BATCH_BYTES:
            return HttpResponse(status=413)
        if not _is_within_rate(trial, now=now):
            return HttpResponse(status=429)
        debate = trace_read(trial_reading(trial))
        batch = batch_load(_body(request), addresses=debate.addresses)
        reading_record(participant=participant, trial=trial, batch=batch, now=now)
        return HttpResponse(status=204)


class MarkEndpoint(ScriptEndpoint):
    """Where the reports page leaves a mark."""

    def post(self, request: HttpRequest, participant: str, trial: str) -> HttpResponse:
        """Store, replace or take away a mark, and answer with the list of marks."""
        debate = trace_read(trial_reading(trial))
        mark = mark_load(request.POST.get("mark", ""), addresses=debate.addresses)
        writer, now = writer_of(request, participant), timezone.now()
        evidence_mark(participant=participant, trial=trial, mark=mark, now=now, writer=writer)
        marks = marks_list(trial, writer=writer)
        return render(request, "participant/_marks.html", {"marks": marks})


def _body(request: HttpRequest) -> str:
    """Read what was sent as it came; a form was read before, for its token, and is none."""
    try:
        return request.body.decode()
    except UnicodeDecodeError as error:
        raise BatchRefusedError("a batch is UTF-8") from error
    except RawPostDataException as error:
        raise BatchRefusedError("a batch is JSON, no form") from error


def _is_within_rate(trial: str, *, now: datetime) -> bool:
    """Count a trial's batches of this minute, in each web process."""
    key = f"reading:{trial[:40]}:{now:%H%M}"
    cache.add(key, 0, timeout=120)
    try:
        return cache.incr(key) <= _BATCHES_A_MINUTE
    except ValueError:  # the cache dropped the key between both calls
        return True

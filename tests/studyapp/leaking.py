"""A fault in a site, for tests of what looks for it: middleware that tells which side was drawn."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from studyapp.models import Assignment

Plant = Callable[[HttpResponse, Assignment], None]


def _body(response: HttpResponse, old: str, new: str) -> None:
    response.content = response.content.decode().replace(old, new, 1).encode()


def _class(response: HttpResponse, trial: Assignment) -> None:
    name = "report wide" if trial.treatment_is_left else "report broad"
    _body(response, 'class="report"', f'class="{name}"')


def _pair(response: HttpResponse, trial: Assignment) -> None:
    _body(response, "<main", f'<main data-pair="{trial.scenario.pair_id}"')


def _hash(response: HttpResponse, trial: Assignment) -> None:
    if trial.scenario.pair is not None:
        _body(response, "<main", f'<main data-of="{trial.scenario.pair.sha256}"')


def _cookie(response: HttpResponse, trial: Assignment) -> None:
    response.set_cookie("way", "one" if trial.treatment_is_left else "other")


def _header(response: HttpResponse, trial: Assignment) -> None:
    response["X-Way"] = "1" if trial.treatment_is_left else "2"


def _asset(response: HttpResponse, trial: Assignment) -> None:
    if trial.treatment_is_left:
        _body(response, "</head>", '<link rel="stylesheet" href="/static/wide.css"></head>')


PLANTS: dict[str, Plant] = {
    "another class": _class,
    "the pair's id": _pair,
    "the pair's hash": _hash,
    "a cookie": _cookie,
    "a header": _header,
    "another asset": _asset,
    "the arm in a header": lambda response, _: response.headers.setdefault("X-Way", "apg"),
    "the arm in a comment": lambda response, _: _body(response, "</main>", "<!-- apg --></main>"),
    "the model in the text": lambda response, _: _body(
        response, "</main>", "<p>offline proposer</p></main>"
    ),
    "an id in a link": lambda response, _: _body(
        response, "</main>", '<a href="/stimuli/7/">x</a></main>'
    ),
    "a private trace": lambda response, _: _body(
        response, "</main>", "<p>PRIVATE THOUGHT 2</p></main>"
    ),
    "a source": lambda response, _: _body(response, "</main>", "<p>sample.json</p></main>"),
}


class LeakingMiddleware:
    """Plants what `settings.PLANTED` names into every page of a trial."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        found = re.match(r"/p/[^/]+/t/([^/]+)/reports/", request.path)
        if found and response.status_code == 200:
            trial = Assignment.objects.select_related("scenario__pair").get(token=found[1])
            PLANTS[settings.PLANTED](response, trial)  # type: ignore[misc] # only tests set it
        return response

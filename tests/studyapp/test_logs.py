"""The log: one JSON line a record, and nobody to be found in it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from studyapp.logs import JsonFormatter


def _line(message: str, *args: object, error: BaseException | None = None) -> dict[str, str]:
    info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("studyapp.x", logging.WARNING, "x.py", 1, message, args, info)
    text = JsonFormatter().format(record)
    assert "\n" not in text
    return dict(json.loads(text))


def _patterns(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    for row in (resolver or get_resolver()).url_patterns:
        if isinstance(row, URLPattern):
            yield row
        elif not str(row.pattern):  # the site's own addresses; those of the admin have no tokens
            yield from _patterns(row)


def test_a_record_is_one_line_with_time_level_logger_and_message() -> None:
    line = _line("run %s was taken", 7)
    assert line["message"] == "run 7 was taken"
    assert (line["level"], line["logger"]) == ("WARNING", "studyapp.x")
    assert line["time"].endswith("+00:00")


def test_personal_links_leave_no_token() -> None:
    line = _line("Not Found: /p/%s/t/%s/debate/ from /s/%s/", "a1B2-c_3", "d4", "e5")
    assert line["message"] == "Not Found: /p/(token)/t/(token)/debate/ from /s/(token)/"


@pytest.mark.django_db
def test_no_address_of_a_participant_or_a_member_leaves_its_token(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Every pattern that takes a token is asked for one that is not there, and its log is read."""
    kinds = {
        str(row.pattern).partition("<")[0]
        for row in _patterns()
        if re.search("<(token|str):", str(row.pattern))
    }
    assert kinds >= {"p/", "s/", "i/", "m/"}
    for kind in kinds:
        Client().get(f"/{kind}S3cret-token_of-{kind[0]}/")
    lines = [JsonFormatter().format(record) for record in caplog.records]
    assert len(lines) >= len(kinds)
    assert "S3cret" not in "".join(lines)


def test_what_a_panel_s_link_says_is_left_out() -> None:
    line = _line("Error handling request GET /s/%s/?PROLIFIC_PID=5f3&x=1 again", "a1")
    assert line["message"] == "Error handling request GET /s/(token)/?(left out) again"
    assert _line("Was /p/%s/ open? Yes", "a1")["message"] == "Was /p/(token)/ open? Yes"


def test_a_refused_row_is_not_quoted() -> None:
    refused = "null value\nDETAIL:  Failing row contains (12, secret answer)."
    line = _line("failed", error=ValueError(refused))
    assert "secret answer" not in line["traceback"]
    assert "null value" in line["traceback"]

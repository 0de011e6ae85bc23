"""Reduce a page to what must be the same for everybody: no report, no token, no clock."""

from __future__ import annotations

import re
from typing import Final

from studyapp.domain.tokens import CODE_ALPHABET
from studyapp.management.visiting.browser import Answer
from studyapp.selectors.blinding import PairForms

_CODE: Final = f"[{CODE_ALPHABET}]"
_CHANGING: Final = (
    # The form's token, opaque tokens and seals, nonces of the policy.
    (re.compile(r'(name="csrfmiddlewaretoken" value=")\w+'), r"\1FORM"),
    (re.compile(r'(name="arrival" value=")[^"]+'), r"\1SEAL"),
    (re.compile(r"nonce-[A-Za-z0-9+/=_-]+"), "nonce-NONCE"),
    (re.compile(r"csrftoken=\w+"), "csrftoken=FORM"),
    (re.compile(r"[A-Za-z0-9_-]{22,}={0,2}"), "TOKEN"),
    # Receipts and completion codes are each person's own.
    (re.compile(rf"\b{_CODE}{{4}}-{_CODE}{{4}}-{_CODE}{{4}}\b"), "RECEIPT"),
    (re.compile(rf"\b{_CODE}{{10}}\b"), "CODE"),
    # Clocks.
    (re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+[\d:]+)?"), "TIME"),
    (re.compile(r'(data-[a-z-]*(?:ends-in|elapsed|-at|-ms|wait|left)=")[\d.]+'), r"\1N"),
    (re.compile(r">\s*\d+:\d\d\s*<"), ">CLOCK<"),
    (re.compile(r"(?i)(kept-at: )\d+"), r"\1N"),
    (re.compile(r"expires=[^;]+"), "expires=TIME"),
)
_WAIT: Final = re.compile(r'data-wait="(\d+)"')
_HEADERS_OUT: Final = frozenset(
    {"date", "expires", "last-modified", "content-length", "etag", "connection", "server"}
)


def outline(
    answer: Answer, pair: PairForms | None, *, treatment_is_left: bool, sorts: bool
) -> tuple[str, ...]:
    """Return what is left of an answer, in lines, when the two texts and all chance are taken out.

    Two people who see one pair the two ways round must get one outline.

    Args:
        answer: a page of a trial.
        pair: the forms in which the pair's texts may stand; None for pages without a pair.
        treatment_is_left: which way round they stand here.
        sorts: whether lines may stand in another order, as where measures are shuffled.
    """
    html = _without_wait(answer.html)
    if pair is not None:
        left, right = pair.treatment, pair.reference
        if not treatment_is_left:
            left, right = right, left
        html = _out(_out(html, left, "TEXT OF THE LEFT REPORT"), right, "TEXT OF THE RIGHT REPORT")
    lines = [line.strip() for line in _plain(html).splitlines() if line.strip()]
    headers = [
        _plain(f"{name}: {value}")
        for name, value in answer.headers
        if name.lower() not in _HEADERS_OUT
    ]
    cookies = [_plain(f"cookie {line}") for line in answer.cookies]
    body = sorted(lines) if sorts else lines
    return (f"status {answer.status}", *sorted(headers), *sorted(cookies), *body)


def tokens_of(answer: Answer) -> list[str]:
    """Return every opaque token of an answer but the form's own, which is new each time."""
    html = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.html)
    return re.findall(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])", html)


def _out(html: str, forms: tuple[str, ...], name: str) -> str:
    for form in forms:
        if form.strip():
            html = html.replace(form, name)
    return html


def _without_wait(html: str) -> str:
    """Take out how many seconds are missing, which a page that holds somebody up says in words."""
    missing = _WAIT.search(html)
    return re.sub(rf"\b{missing[1]}\b", "WAIT", html) if missing else html


def _plain(text: str) -> str:
    for pattern, name in _CHANGING:
        text = pattern.sub(name, text)
    return text

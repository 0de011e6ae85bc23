"""What a study may ask of its readers and what their script tells, for tests of pages."""

from __future__ import annotations

import json
from typing import Any

from studyapp.models import (
    Study,
)
from tests.sample_study import SampleStudy
from tests.walking import Walker

CHECK: dict[str, Any] = {
    "key": "careful",
    "kind": "attention",
    "question": "Choose the second answer.",
    "options": [{"value": "o1", "label": "First"}, {"value": "o2", "label": "Second"}],
    "correct": "o2",
}
SURE: dict[str, Any] = {
    "key": "sure",
    "kind": "confidence",
    "question": "How sure are you?",
    "anchors": ["Not at all", "Half", "Completely"],
}


def rules(**changes: Any) -> None:
    """Have the study keep these rules."""
    Study.objects.update(rules=changes)


def ask(study: SampleStudy, *rows: dict[str, Any]) -> None:
    """Have the study ask these too."""
    Study.objects.update(measures=[*study.study.measures, *rows])


def at(walker: Walker, ending: str) -> str:
    """Return an address beside that of the page."""
    return walker.address.replace("/reports/", ending).replace("/debate/", ending)


def report_reading(walker: Walker, text: str, **headers: str) -> int:
    """Send a batch as the script does; return the status."""
    token = walker.page.forms[0].values["csrfmiddlewaretoken"]
    answer = walker.client.post(
        at(walker, "/reading/"),
        text,
        content_type="application/json",
        headers={"x-csrftoken": token, **headers},
    )
    return int(answer.status_code)


def batch(**seen: list[int]) -> str:
    """Return a batch about items seen."""
    return json.dumps({"view": "abcdefgh1234", "device": "tablet", "seen": seen, "changed": []})

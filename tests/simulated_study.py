"""A live study that asks everything a study can ask, for programs that take part over HTTP."""

from __future__ import annotations

from typing import Any, Final

from studyapp.models import Cohort, Study
from tests.sample_study import SampleStudy, sample_study

_SCREENING: Final[list[dict[str, Any]]] = [
    {
        "key": "grown",
        "kind": "eligibility",
        "question": "Are you 18 or older?",
        "options": [{"value": "no", "label": "No"}, {"value": "yes", "label": "Yes"}],
        "accepts": ["yes"],
    },
    {
        "key": "task",
        "kind": "comprehension",
        "question": "What will you compare?",
        "options": [
            {"value": "songs", "label": "Two songs"},
            {"value": "reports", "label": "Two reports"},
        ],
        "accepts": ["reports"],
    },
]
_MEASURES: Final[list[dict[str, Any]]] = [
    {
        "key": "sure",
        "kind": "confidence",
        "question": "How sure are you of your choices?",
        "anchors": ["Not at all", "A little", "Rather", "Very"],
    },
    {
        "key": "check",
        "kind": "attention",
        "question": "To show that you read this, choose the second answer.",
        "options": [{"value": "one", "label": "First"}, {"value": "two", "label": "Second"}],
        "correct": "two",
    },
]
_TRADE: Final[list[dict[str, Any]]] = [
    {
        "key": "trade",
        "question": "What do you do?",
        "options": [
            {"value": "water", "label": "I manage water"},
            {"value": "other", "label": "Something else"},
        ],
    }
]


def simulated_study(
    slug: str = "played", *, debates: int = 2, turns: int | None = None
) -> SampleStudy:
    """Store an open live study with two cohorts, screening, marks and shuffled measures."""
    sample = sample_study(slug=slug, debates=debates, turns=turns)
    Study.objects.filter(pk=sample.study.pk).update(
        is_test=False,
        screening=_SCREENING,
        measures=[*sample.study.measures, *_MEASURES],
        rules={"measure_order": "random", "evidence_links": True},
    )
    Cohort.objects.create(
        study=sample.study, name="experts", kind="experts", link_kind="personal", background=_TRADE
    )
    sample.study.refresh_from_db()
    return sample

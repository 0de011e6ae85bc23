"""The texts around a study's debates: its own, or plain ones where a test study has none."""

from __future__ import annotations

from typing import Any

from studyapp.domain.measures import MeasureKind, measures_load
from studyapp.domain.plain_texts import DebateFacts, debate_facts, plain_texts
from studyapp.domain.texts import StudyTexts, texts_dump, texts_load
from studyapp.errors import MeasureError
from studyapp.models import Scenario, Study


def texts_of(study: Study) -> dict[str, Any]:
    """Return a study's texts as data; empty for a study that must bring its own and has not.

    Raises:
        MeasureError: the measures, whose answers are counted, cannot be read.
    """
    if study.texts or not study.is_test:
        return dict(study.texts)
    answers = [2 if row.kind is MeasureKind.RATING else 1 for row in measures_load(study.measures)]
    scenarios = study.scenarios.select_related("trace", "pair").order_by("position")
    facts = [_facts(scenario) for scenario in scenarios]
    texts = plain_texts(facts, background=len(study.background), answers_a_pair=sum(answers))
    return texts_dump(texts)


def texts_preview(study_id: int) -> StudyTexts | None:
    """Return what participants of a study read, or None while that is not complete."""
    try:
        return texts_load(texts_of(Study.objects.get(pk=study_id)))
    except MeasureError:
        return None


def _facts(scenario: Scenario) -> DebateFacts:
    pair = scenario.pair
    reports = [pair.reference_text, pair.treatment_text] if pair else []
    return debate_facts(scenario.trace.content, reports)

"""Questions as HTML. Those that are still blank are the same for everybody, and rendered once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override

from studyapp.pages.participant_forms import QuestionView


def questions_render(questions: Sequence[QuestionView]) -> SafeString:
    """Render questions in their order; what somebody entered is kept for nobody else."""
    language = get_language() or settings.LANGUAGE_CODE
    parts = (
        _blank_render(question, language=language) if _is_blank(question) else _render(question)
        for question in questions
    )
    return SafeString("".join(parts))


def _is_blank(question: QuestionView) -> bool:
    return not any(field.value or field.error for field in question.fields)


@lru_cache(maxsize=512)
def _blank_render(question: QuestionView, *, language: str) -> str:
    with override(language):
        return _render(question)


def _render(question: QuestionView) -> str:
    return render_to_string("participant/_question.html", {"question": question})

"""The participant's way as a cohort meets it, in a frame as wide as a phone or as the page."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

from studyapp.domain.states import WALKED
from studyapp.pages.framing import frames_show
from studyapp.pages.participant_arrival import PREVIEW, preview_sign
from studyapp.pages.researcher import OneStudyPage
from studyapp.selectors.cohorts import cohort_tokens
from studyapp.selectors.language_names import language_name
from studyapp.selectors.wording import study_languages

PHONE, WIDE = "phone", "wide"


class FlowPreviewPage(OneStudyPage):
    """The test lane of one cohort in one language; nothing done in it counts."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponseBase:
        """Show the frame with the first page in it."""
        tokens = cohort_tokens(self.study.id)
        languages = [row.code for row in study_languages(self.study.id)]
        cohort = self._chosen("cohort", list(tokens))
        language = self._chosen("language", languages)
        response = self.page(
            "study_preview.html",
            cohorts=list(tokens),
            languages=[(code, language_name(code)) for code in languages],
            cohort=cohort,
            language=language,
            frame=self._chosen("frame", [PHONE, WIDE]),
            is_walked=self.study.state in WALKED,
            address=_address(tokens[cohort], language),
        )
        return frames_show(request, response)

    def _chosen(self, name: str, allowed: list[str]) -> str:
        asked = self.request.GET.get(name, "")
        return asked if asked in allowed else allowed[0]


def _address(cohort: str, language: str) -> str:
    """Return the first page of the test lane, in a language."""
    query = urlencode({PREVIEW: preview_sign(cohort), "lang": language})
    return f"{reverse('join', kwargs={'cohort': cohort})}?{query}"

"""The researcher's view of a debate with its private traces, and of a frozen pair."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from studyapp.pages.researcher import OneStudyPage
from studyapp.selectors.stimulus import pair_find, trace_find


class TracePage(OneStudyPage):
    """A debate, whole: warnings, addresses, private traces."""

    def get(self, request: HttpRequest, slug: str, key: str) -> HttpResponse:
        """Show the debate."""
        trace = trace_find(study_id=self.study.id, key=key)
        if trace is None:
            raise Http404
        return self.page("trace_detail.html", trace=trace)


class PairPage(OneStudyPage):
    """Both texts of a pair side by side, as participants will see them."""

    def get(self, request: HttpRequest, slug: str, key: str) -> HttpResponse:
        """Show the pair."""
        pair = pair_find(study_id=self.study.id, key=key)
        if pair is None:
            raise Http404
        return self.page("pair_detail.html", pair=pair)

"""A study as it runs: who came how far, by cohort, day and trial."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from studyapp.pages.researcher import OneStudyPage
from studyapp.selectors.monitor import study_counts
from studyapp.selectors.watch import HEAT_CELLS, HEAT_ROWS, watch_get

_DIGITS = 6


class StudyWatchPage(OneStudyPage):
    """The whole page; its middle renews itself."""

    template = "study_watch.html"

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show what is known now, in the lane that counts unless tests are asked for."""
        return self.page(self.template, **self._context())

    def _context(self) -> dict[str, Any]:
        tests = self.study.takes_test_data or self.request.GET.get("lane") == "test"
        heat_page = self._heat_page()
        watch = watch_get(self.study.id, is_test=tests, now=timezone.now(), page=heat_page)
        return {
            "watch": watch,
            "counts": study_counts(self.study.id),
            "tests": tests,
            "heat_cells": HEAT_CELLS,
            "heat_page": heat_page,
            "heat_first": heat_page * HEAT_ROWS + 1,
            "heat_last": heat_page * HEAT_ROWS + len(watch.heat),
            "has_later": heat_page > 0,
            "has_earlier": (heat_page + 1) * HEAT_ROWS < watch.heat_total,
        }

    def _heat_page(self) -> int:
        asked = self.request.GET.get("page", "0")
        return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < _DIGITS else 0


class StudyWatchLivePage(StudyWatchPage):
    """The part that changes by itself."""

    template = "_watch_live.html"

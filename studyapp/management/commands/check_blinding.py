"""Check that nothing a participant can get tells the two texts of a pair apart."""

from __future__ import annotations

import math
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import F

from studyapp.domain.lint import lint_notes
from studyapp.domain.randomise import block_size
from studyapp.domain.rules import rules_load
from studyapp.management.blinding.check import BlindingCheck, BlindingReport, WayIn
from studyapp.management.visiting.browser import (
    HttpBrowser,
    InnerBrowser,
    VisitError,
    site_new,
)
from studyapp.management.visiting.links import links_of
from studyapp.models import (
    Assignment,
    Cohort,
    CohortState,
    LinkKind,
    Study,
    StudyState,
)
from studyapp.selectors.answer_key import answers_right
from studyapp.selectors.blinding import blind_study, trial_sides
from studyapp.selectors.lint import study_lint

_TRIALS: Final = 80
_SHOWN: Final = 60
_PLENTY: Final = 1_000_000


class Command(BaseCommand):
    """Walk a study both ways round; end with 1 and name every leak."""

    help = (
        "Crawl all that participants of a study can get, and fail on any sign of which text is "
        "which. Without --url everything happens in a transaction that is rolled back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study, and how to reach it."""
        parser.add_argument("slug")
        parser.add_argument(
            "--url", help="a running site with this database; its test lane is walked"
        )
        parser.add_argument(
            "--trials", type=int, default=_TRIALS, help="least number of trials per cohort"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check and report."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        missing = study.scenarios.filter(pair__isnull=True).count()
        if missing or not study.scenarios.exists():
            raise CommandError(f"study {study.slug}: a scenario has no texts yet", returncode=2)
        self._lint(study)
        try:
            report = _over_http(study, options) if options["url"] else _inside(study, options)
        except (VisitError, OSError) as error:
            raise CommandError(f"the study could not be walked: {error}", returncode=2) from error
        self._tell(report)

    def _lint(self, study: Study) -> None:
        for row in study_lint(study.pk):
            for note in lint_notes(row.lint):
                self.stdout.write(f"warning: {row.key}: {note}")

    def _tell(self, report: BlindingReport) -> None:
        for address, times in sorted(report.pages.items()):
            self.stdout.write(f"{times:>6} {address}")
        ways = " and ".join(str(report.trials.get(side, 0)) for side in (True, False))
        self.stdout.write(
            f"{report.people} people, {ways} trials the two ways round, "
            f"{report.compared} kinds of page compared"
        )
        if report.leaks:
            told = "\n".join(str(leak) for leak in report.leaks[:_SHOWN])
            raise CommandError(f"{len(report.leaks)} leaks:\n{told}")
        self.stdout.write("no leak")


def _inside(study: Study, options: Mapping[str, Any]) -> BlindingReport:
    """Open every door within a transaction, walk, and take all of it back.

    Rules stay as they are, but for the numbers of a stratum, which the walk would use up. Where
    somebody has to wait, their trial is dated back instead.
    """
    with transaction.atomic():
        rules = study.rules | {"strata": _out_of_reach(study.rules.get("strata", {}))}
        Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, quota=None, rules=rules)
        study.cohorts.update(state=CohortState.OPEN, link_kind=LinkKind.OPEN, quota=None)
        study.refresh_from_db()
        site = site_new()
        check = replace(_check(study), wait=lambda seconds: _date_back(study, seconds))
        report = check.run(_ways(study, options), lambda language: InnerBrowser(language, site))
        transaction.set_rollback(True)
    return report


def _out_of_reach(strata: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {key: dict.fromkeys(quotas, _PLENTY) for key, quotas in strata.items()}


def _date_back(study: Study, seconds: float) -> None:
    """Let open trials have begun earlier, in place of waiting."""
    earlier = timedelta(seconds=seconds)
    Assignment.objects.filter(participant__study=study, answered_at__isnull=True).update(
        trace_opened_at=F("trace_opened_at") - earlier,
        pair_opened_at=F("pair_opened_at") - earlier,
    )


def _over_http(study: Study, options: Mapping[str, Any]) -> BlindingReport:
    url = str(options["url"]).rstrip("/")
    return _check(study).run(_ways(study, options), lambda language: HttpBrowser(url, language))


def _check(study: Study) -> BlindingCheck:
    return BlindingCheck(
        study=blind_study(study),
        sides=lambda: trial_sides(study),
        right=answers_right(study),
        sorts=rules_load(study.rules).measure_order != "fixed",
    )


def _ways(study: Study, options: Mapping[str, Any]) -> list[WayIn]:
    scenarios = study.scenarios.count()
    block = block_size(scenarios)
    people = math.ceil(options["trials"] / scenarios / block) * block
    ways = []
    for cohort in study.cohorts.order_by("pk"):
        ways.append(_way(cohort, people, "en"))
        ways += [_way(cohort, block, language) for language in sorted(study.translations)]
    return ways


def _way(cohort: Cohort, people: int, language: str) -> WayIn:
    return WayIn(cohort.name, links_of(cohort), people, language)

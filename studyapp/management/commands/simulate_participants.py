"""Let programs take part in a study over HTTP, marked as bots and tests throughout."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from studyapp.errors import UnknownLinkError
from studyapp.management.simulating.bot import Ending
from studyapp.management.simulating.preferences import PreferenceError, preferences_read
from studyapp.management.simulating.profiles import MIXED, PROFILES, people_cast
from studyapp.management.simulating.running import Measured, Play, people_play, percentile
from studyapp.management.simulating.site import SiteError, site_running
from studyapp.management.visiting.browser import VisitError
from studyapp.management.visiting.links import links_of
from studyapp.models import CohortState, Study, StudyState
from studyapp.selectors.answer_key import answers_right
from studyapp.selectors.blinding import trial_side

# Consent, background and screening, then three pages for each trial.
_PAGES_BEFORE: Final = 3
_PAGES_A_TRIAL: Final = 3


class Command(BaseCommand):
    """Play people with planted preferences, and say how it went."""

    help = (
        "Let programs take part in an open study, in its test lane: careful, speeding, "
        "straight-lining, double-clicking and back-button people, some of whom leave."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say who takes part, how many at once, and what they prefer."""
        parser.add_argument("slug")
        parser.add_argument("--n", type=_count, default=200, help="people (default 200)")
        parser.add_argument("--profile", default=MIXED, choices=[MIXED, *PROFILES])
        parser.add_argument("--dropout", type=_share, default=0.2, help="share that leaves early")
        parser.add_argument("--concurrency", type=_count, default=20, help="people at a time")
        parser.add_argument("--seed", type=int, default=7, help="decides who is who and answers")
        parser.add_argument(
            "--prefer",
            action="append",
            default=[],
            metavar="[SCENARIO=]ARM",
            help="the arm that people prefer; may be given for each scenario",
        )
        parser.add_argument("--cohort", help="one cohort; unset: all open ones in turn")
        parser.add_argument("--url", help="a running site with this database; unset: start one")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Cast people, let them take part, report."""
        study = _study(options["slug"])
        people = people_cast(
            n=options["n"],
            profile=options["profile"],
            dropout=options["dropout"],
            seed=options["seed"],
            pages=_PAGES_BEFORE + _PAGES_A_TRIAL * study.scenarios.count(),
        )
        url = options["url"]
        try:
            with nullcontext(url.rstrip("/")) if url else site_running() as site:
                play = _play(study, site, options)
                measured = people_play(people, play, concurrency=options["concurrency"])
        except (VisitError, SiteError, UnknownLinkError, OSError) as error:
            raise CommandError(f"the study could not be walked: {error}", returncode=2) from error
        figures = _figures(measured)
        self.stdout.write(json.dumps(figures) if options["json"] else _table(measured, figures))


def _study(slug: str) -> Study:
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise CommandError(f"there is no study {slug!r}", returncode=2)
    if study.state != StudyState.OPEN:
        raise CommandError(f"study {slug} is {study.state}; allowed: open", returncode=2)
    return study


def _play(study: Study, url: str, options: Mapping[str, Any]) -> Play:
    cohorts = study.cohorts.filter(state=CohortState.OPEN).order_by("pk")
    if options["cohort"]:
        cohorts = cohorts.filter(name=options["cohort"])
    links = [links_of(cohort)(0) for cohort in cohorts]
    if not links:
        raise CommandError(f"study {study.slug} has no such open cohort", returncode=2)
    try:
        planted = preferences_read(
            options["prefer"],
            arms=(study.reference_arm, study.treatment_arm),
            scenarios=list(study.scenarios.values_list("key", flat=True)),
        )
    except PreferenceError as error:
        raise CommandError(str(error), returncode=2) from error
    return Play(
        url=url,
        links=links,
        planted=planted,
        right=answers_right(study),
        side_of=trial_side,
        # Each program has a thread, and each thread a connection.
        person_done=connections.close_all,
    )


def _figures(measured: Measured) -> dict[str, Any]:
    seconds = [request.seconds for request in measured.requests]
    return {
        "people": len(measured.played),
        "endings": dict(Counter(played.ending.value for played in measured.played)),
        "requests": len(measured.requests),
        "statuses": dict(Counter(str(request.status) for request in measured.requests)),
        "seconds": round(measured.seconds, 3),
        "requests_per_second": round(len(seconds) / measured.seconds, 1),
        "p50_ms": round(1000 * percentile(seconds, 0.50), 1),
        "p95_ms": round(1000 * percentile(seconds, 0.95), 1),
        "p99_ms": round(1000 * percentile(seconds, 0.99), 1),
        "own_cpu_seconds": round(measured.cpu_seconds, 3),
    }


def _table(measured: Measured, figures: Mapping[str, Any]) -> str:
    endings = [ending.value for ending in Ending]
    lines = [f"{'profile':<16}" + "".join(f"{name:>10}" for name in ("people", *endings))]
    for name in PROFILES:
        played = [row for row in measured.played if row.person.profile.name == name]
        counts = Counter(row.ending.value for row in played)
        cells = [len(played), *(counts[ending] for ending in endings)]
        lines.append(f"{name:<16}" + "".join(f"{cell:>10}" for cell in cells))
    statuses = ", ".join(f"{status}: {n}" for status, n in sorted(figures["statuses"].items()))
    lines.append(
        f"{figures['requests']} requests ({statuses}) in {figures['seconds']:.1f} s: "
        f"{figures['requests_per_second']} a second, p50 {figures['p50_ms']} ms, "
        f"p95 {figures['p95_ms']} ms, p99 {figures['p99_ms']} ms; "
        f"the programs' own CPU {figures['own_cpu_seconds']:.1f} s"
    )
    return "\n".join(lines)


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 100_000:
        raise ArgumentTypeError(f"{text} must be from 1 to 100000")
    return number


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{text} must be from 0 to 1")
    return share

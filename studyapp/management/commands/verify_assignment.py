"""Derive every row of a study's assignment again from its seed and its log."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.models import Study
from studyapp.selectors.arm_key import seed_is_secret
from studyapp.selectors.verification import LaneCount, assignment_verify

_HEAD = (
    f"{'cohort':<20} {'lane':<5} {'places':>7} {'people':>7} {'complete':>9} {'withdrawn':>10} "
    f"{'expired':>8} {'retaken':>8} {'trials':>7}"
)
_SHOWN = 50


class Command(BaseCommand):
    """Print what was derived again; end with 1 and name each row that does not follow."""

    help = "Derive every assignment, place and tombstone of a study again and compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study."""
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Derive and compare."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        found = assignment_verify(study.pk, now=timezone.now())
        self.stdout.write(f"study {study.slug}, seed {_seed(study)}\n{_HEAD}")
        for lane in found.lanes:
            self.stdout.write(_line(lane))
        if found.differences:
            shown = "\n".join(str(row) for row in found.differences[:_SHOWN])
            more = len(found.differences) - _SHOWN
            rest = f"\nand {more} more" if more > 0 else ""
            raise CommandError(
                f"{len(found.differences)} differences from seed and log:\n{shown}{rest}"
            )
        self.stdout.write(f"{found.rows} rows derived again, no difference")


def _seed(study: Study) -> str:
    return "secret until the arm key is unsealed" if seed_is_secret(study) else str(study.draw_seed)


def _line(lane: LaneCount) -> str:
    return (
        f"{lane.cohort:<20} {'test' if lane.is_test else 'live':<5} {lane.places:>7} "
        f"{lane.participants:>7} {lane.complete:>9} {lane.withdrawn:>10} {lane.expired:>8} "
        f"{lane.retaken:>8} {lane.trials:>7}"
    )

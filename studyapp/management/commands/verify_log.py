"""Check that a study's log was not changed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studyapp.models import Study
from studyapp.selectors.event_log import LogReport, log_verify


class Command(BaseCommand):
    """Verify digests, chain and sums; 0 if all hold, 1 with one line for each that does not."""

    help = "Verify the append-only log of a study, or of the site itself with --site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study."""
        named = parser.add_mutually_exclusive_group(required=True)
        named.add_argument("slug", nargs="?", default="", help="the study")
        named.add_argument(
            "--site", action="store_true", help="what concerns no study, such as accounts"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was found."""
        slug: str = options["slug"]
        if slug and not Study.objects.filter(slug=slug).exists():
            raise CommandError(f"there is no study {slug!r}", returncode=2)
        report = log_verify(slug)
        self.stdout.write(_summary(report))
        for finding in report.findings:
            self.stderr.write(finding)
        if report.findings:
            raise CommandError(f"{len(report.findings)} findings", returncode=1)


def _summary(report: LogReport) -> str:
    return (
        f"{report.study or 'site'}: {report.events} events ({report.erased} erased), "
        f"{report.seals} seals, {report.unsealed} events not sealed yet: "
        f"{'changed' if report.findings else 'verified'}"
    )

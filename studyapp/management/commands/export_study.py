"""Write a study's bundle to a file."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.models import Study
from studyapp.services.export import ExportReceipt, bundle_export


class Command(BaseCommand):
    """Export a study; the file appears whole or not at all."""

    help = "Export a study's answers as a bundle (zip) that analysis/ttest.py reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study, the file, and whether test participants are in."""
        parser.add_argument("slug")
        parser.add_argument("--out", type=Path, required=True, help="the zip to write")
        parser.add_argument(
            "--test-data",
            action=BooleanOptionalAction,
            help="whether test participants are in; unset: only if the study is a test study",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the bundle and say what is in it."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        out: Path = options["out"]
        try:
            receipt = _write(study.pk, out, include_test=options["test_data"])
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror}", returncode=2) from error
        self.stdout.write(
            f"{out}: {receipt.rows} rows, {receipt.participants} participants, "
            f"long.csv SHA-256 {receipt.long_sha256}"
        )


def _write(study_id: int, out: Path, *, include_test: bool | None) -> ExportReceipt:
    part = out.with_name(f".{out.name}.part")
    with part.open("wb") as target:
        receipt = bundle_export(
            study_id=study_id,
            target=target,
            actor="shell",
            now=timezone.now(),
            include_test=include_test,
        )
    part.rename(out)
    return receipt

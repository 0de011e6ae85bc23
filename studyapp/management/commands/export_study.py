"""Write a study's export to a file."""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.domain.export_options import (
    BUNDLE,
    COMPLETIONS,
    DATA,
    FORMS,
    HEADINGS,
    TABLES,
    ExportOptions,
    options_load,
)
from studyapp.errors import ExportError
from studyapp.models import Study
from studyapp.services.export import bundle_export, file_export


class Command(BaseCommand):
    """Export a study; the file appears whole or not at all."""

    help = "Export a study's answers as a bundle (zip) that analysis/ttest.py reads, or one table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study, the file, and what is in it."""
        parser.add_argument("slug")
        parser.add_argument("--out", type=Path, required=True, help="the file to write")
        parser.add_argument("--form", choices=FORMS, default=BUNDLE)
        parser.add_argument("--table", choices=TABLES, default="long", help="of a single file")
        parser.add_argument("--blind", action="store_true", help="leave out which arm stood where")
        parser.add_argument("--completion", choices=COMPLETIONS, default="all")
        parser.add_argument("--data", choices=DATA, help="unset: both in a test study, else live")
        parser.add_argument(
            "--test-data",
            action=BooleanOptionalAction,
            help="the same as --data both, or live",
        )
        parser.add_argument("--cohort", default="", help="one cohort's name; unset: all")
        parser.add_argument("--headings", choices=HEADINGS, default="codes")
        parser.add_argument(
            "--external-ids", action="store_true", help="include what panels call participants"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and say what is in it."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        out: Path = options["out"]
        try:
            chosen = _chosen(study, options)
            told = _bundle(study, out, chosen) if chosen.form == BUNDLE else ""
            told = told or _file(study, out, chosen)
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror}", returncode=2) from error
        except ExportError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"{out}: {told}")


def _chosen(study: Study, options: dict[str, Any]) -> ExportOptions:
    test = study.takes_test_data if options["test_data"] is None else options["test_data"]
    names = ("form", "table", "blind", "completion", "cohort", "headings", "external_ids")
    asked = {name: options[name] for name in names}
    return options_load({**asked, "data": options["data"] or ("both" if test else "live")})


def _bundle(study: Study, out: Path, chosen: ExportOptions) -> str:
    part = out.with_name(f".{out.name}.part")
    try:
        with part.open("w+b") as target:
            receipt = bundle_export(
                study_id=study.pk,
                target=target,
                actor_id=None,
                now=timezone.now(),
                options=chosen,
            )
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return (
        f"{receipt.rows} rows, {receipt.participants} participants, "
        f"long.csv SHA-256 {receipt.long_sha256}"
    )


def _file(study: Study, out: Path, chosen: ExportOptions) -> str:
    with tempfile.TemporaryDirectory(prefix="apg-export-") as folder:
        part = out.with_name(f".{out.name}.part")
        try:
            rows = file_export(
                study_id=study.pk,
                target=part,
                folder=Path(folder),
                actor_id=None,
                now=timezone.now(),
                options=chosen,
            )
            part.replace(out)
        finally:
            part.unlink(missing_ok=True)
    return f"{rows} rows"

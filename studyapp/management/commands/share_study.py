"""Write a study's design to one file that `load_study` and the site's upload take in."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studyapp.models import Study
from studyapp.services.study import study_share


class Command(BaseCommand):
    """Share a design; the file appears whole or not at all."""

    help = "Write a study's definition and debates to one zip, to share or to fork the study."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study and the file."""
        parser.add_argument("slug")
        parser.add_argument("--out", type=Path, required=True, help="the zip to write")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        out: Path = options["out"]
        part = out.with_name(f".{out.name}.part")
        try:
            with part.open("wb") as target:
                study_share(study_id=study.pk, target=target)
            part.rename(out)
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror}", returncode=2) from error
        self.stdout.write(f"{out}: {study.scenarios.count()} scenarios")

"""Bring a study's texts in a file, in place of generated ones."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.errors import StudyAppError
from studyapp.models import Study
from studyapp.services.study import UploadedFile, pairs_load


class Command(BaseCommand):
    """Store all pairs of a file, or none and say what is wrong with which row."""

    help = "Give scenarios of a draft the texts of a CSV or JSON file: scenario, arm, text."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study and the file."""
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the file and store its pairs."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        path: Path = options["file"]
        try:
            file = UploadedFile(path.name, path.read_bytes())
            keys = pairs_load(study_id=study.pk, file=file, actor_id=None, now=timezone.now())
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=2) from error
        except StudyAppError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"own texts stored for {', '.join(keys)}")

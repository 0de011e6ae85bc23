"""Make the next version of a study whose design is frozen."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.domain.seeds import SEED_LIMIT
from studyapp.errors import StudyAppError
from studyapp.models import Study
from studyapp.services.study import version_create


class Command(BaseCommand):
    """Copy a launched study's design into a draft with data of its own."""

    help = "Make a draft with the design of a launched study, as the next version of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study."""
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the version."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        seed = secrets.randbelow(SEED_LIMIT)
        try:
            made = version_create(study_id=study.pk, seed=seed, actor_id=None, now=timezone.now())
        except StudyAppError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"{made.slug}: version {made.version} of {made.family_slug}, a draft")

"""Load a study from its definition file and the debates it names."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.domain.seeds import SEED_LIMIT
from studyapp.errors import StudyAppError
from studyapp.services.study import study_load


class Command(BaseCommand):
    """Load a study, once; an equal study that exists is left as it is."""

    help = "Load a study from a definition file; traces are named relative to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the file and the owner."""
        parser.add_argument("file", type=Path, help="definition file, as fixtures/demo_study.json")
        parser.add_argument("--owner", help="user name of the researcher who will see the study")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load it, or say what is wrong with it and exit with status 2."""
        try:
            study = study_load(
                path=options["file"],
                seed=secrets.randbelow(SEED_LIMIT),
                owner_id=_owner_id(options["owner"]),
                now=timezone.now(),
            )
        except StudyAppError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"study {study.slug}: {study.scenarios.count()} scenarios")


def _owner_id(name: str | None) -> int | None:
    if name is None:
        return None
    user = get_user_model().objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"there is no user {name!r}; make one: createsuperuser", returncode=2)
    return int(user.pk)

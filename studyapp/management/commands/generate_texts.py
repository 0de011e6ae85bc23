"""Have both texts written for every scenario of a study that has none."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp import tasks
from studyapp.errors import StudyAppError
from studyapp.models import Study
from studyapp.selectors.generation import preset_config
from studyapp.services.study import study_generate, texts_generate


class Command(BaseCommand):
    """Queue the runs for a worker, or execute them in this process."""

    help = "Generate the texts of a study's scenarios; a worker does it unless --here is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study and the models."""
        parser.add_argument("slug")
        models = parser.add_mutually_exclusive_group()
        models.add_argument("--preset", default="offline", help="offline (default) or paper")
        models.add_argument("--config", type=Path, help="JSON file with a gate configuration")
        parser.add_argument("--here", action="store_true", help="work in this process")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the runs and have them executed."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        try:
            runs = study_generate(
                study_id=study.pk, config=_config(options), actor_id=None, now=timezone.now()
            )
        except StudyAppError as error:
            raise CommandError(str(error), returncode=2) from error
        for run_id in runs:
            self._start(run_id, here=options["here"])
        self.stdout.write(f"study {study.slug}: {len(runs)} runs")

    def _start(self, run_id: int, *, here: bool) -> None:
        if here:
            texts_generate(run_id=run_id, now=timezone.now, environment=os.environ)
        else:
            tasks.run_execute.delay_on_commit(run_id=run_id)


def _config(options: Mapping[str, Any]) -> dict[str, Any]:
    if options["config"] is None:
        return preset_config(options["preset"])
    try:
        config = json.loads(options["config"].read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{options['config']}: {error}; allowed: JSON", returncode=2) from error
    if not isinstance(config, dict):
        raise CommandError(f"{options['config']}: allowed: a JSON object", returncode=2)
    return config

"""Print what was written down at a study's launch."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from studyapp.models import Study
from studyapp.selectors.preregistration import FORMS, preregistration_file


class Command(BaseCommand):
    """Write a preregistration to the standard output."""

    help = "Print the preregistration that a study's launch stored, as JSON or Markdown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the study and the form."""
        parser.add_argument("slug")
        parser.add_argument("--format", choices=FORMS, default="md", help="default: md")
        parser.add_argument(
            "--language",
            choices=tuple(dict(settings.LANGUAGES)),
            default="",
            help="of the Markdown's own words; default: the study's",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it."""
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['slug']!r}", returncode=2)
        form, language = options["format"], options["language"]
        data = preregistration_file(study.pk, form, language=language)
        if data is None:
            raise CommandError(f"study {study.slug} was never launched", returncode=2)
        self.stdout.write(data.decode(), ending="")

"""Write the whole database to one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from studyapp.services.backup import backup_write


class Command(BaseCommand):
    """Back up; the file appears whole or not at all."""

    help = "Back up the database to a file that `restore` reads, on SQLite and PostgreSQL."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the file."""
        parser.add_argument("file", type=Path, help="the file to write, e.g. study.backup.gz")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and say what is in it."""
        file: Path = options["file"]
        part = file.with_name(f".{file.name}.part")
        try:
            with part.open("wb") as target:
                receipt = backup_write(target=target, now=timezone.now())
            part.rename(file)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=2) from error
        self.stdout.write(f"{file}: {receipt.total} rows, SHA-256 {receipt.sha256}")

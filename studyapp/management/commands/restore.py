"""Take a backup into an empty database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from studyapp.errors import BackupError
from studyapp.services.backup import backup_restore


class Command(BaseCommand):
    """Restore all or nothing."""

    help = "Restore a backup into an empty, migrated database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the file."""
        parser.add_argument("file", type=Path, help="a file that `backup` wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the file, then store its rows."""
        file: Path = options["file"]
        try:
            with file.open("rb") as source:
                receipt = backup_restore(source=source, name=str(file))
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=2) from error
        except BackupError as error:
            raise CommandError(str(error), returncode=2) from error
        self.stdout.write(f"{file}: {receipt.total} rows restored")

from __future__ import annotations

import contextlib
import gzip
import io
import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from studyapp.errors import BackupError
from studyapp.models import Event, Participant, Response, Study
from studyapp.services.assignment import Newcomer, participant_enrol
from studyapp.services.backup import backup_restore, backup_write
from tests.breaking import bytes_changed
from tests.sample_study import sample_study
from tests.studyapp.answering import person_enrolled, trials_answered

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[3]
COMMENT = "Zażółć gęślą jaźń 😀\n=1+1"


def backup_made() -> bytes:
    sample = sample_study()
    person = person_enrolled(sample, number=1)
    trials_answered(sample, person, trials=2, comment=COMMENT)
    participant_enrol(
        cohort_token=sample.cohort.token,
        visit="at a moment that no millisecond names",
        newcomer=Newcomer(),
        now=NOW.replace(microsecond=123_456),
    )
    target = io.BytesIO()
    backup_write(target=target, now=NOW)
    return target.getvalue()


def restored_elsewhere(data: bytes, folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Restore in a process of its own, into a new SQLite file."""
    file = folder / "made.backup.gz"
    file.write_bytes(data)
    environment = {
        "DATABASE_URL": f"sqlite:///{folder / 'new.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "studyapp.settings",
        "SECRET_KEY": "a-key-for-this-test-only",
        "INSECURE_HTTP": "1",
        "VAR_DIR": str(folder),
    }
    prelude = (
        "import django, sys; django.setup()\nfrom django.core.management import call_command\n"
    )
    return subprocess.run(
        [sys.executable, "-c", prelude + script, str(file)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_restored_into_another_kind_of_database(tmp_path: Path) -> None:
    data = backup_made()
    done = restored_elsewhere(
        data,
        tmp_path,
        """
call_command("migrate", verbosity=0)
call_command("restore", sys.argv[1])
from studyapp.models import Event, Participant, Response, Study
print(Study.objects.count(), Participant.objects.earliest("pk").code, Response.objects.count())
print(all(event.sha256 == event.digest() for event in Event.objects.all()))
print(repr(Response.objects.filter(measure="comment").first().value))
Study.objects.create(slug="next", title="x", seed=1, measures=[], created_at="2026-11-30T00:00Z")
""",
    )
    assert done.returncode == 0, done.stderr
    person = Participant.objects.earliest("pk")
    lines = done.stdout.splitlines()
    assert lines[1] == f"{Study.objects.count()} {person.code} {Response.objects.count()}"
    assert lines[2:] == ["True", repr(COMMENT)]
    assert Event.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_same_state_gives_the_same_bytes() -> None:
    first = backup_made()
    again = io.BytesIO()
    backup_write(target=again, now=NOW)
    assert again.getvalue() == first


@pytest.mark.django_db(transaction=True)
def test_a_database_that_holds_something_is_left_alone() -> None:
    data = backup_made()
    before = Participant.objects.count()
    with pytest.raises(BackupError, match="restore into an empty one"):
        backup_restore(source=io.BytesIO(data), name="made")
    assert Participant.objects.count() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda text: text.replace(b'"slug"', b'"sl_g"', 1), "the SHA-256 differs"),
        (lambda text: b"".join(text.splitlines(keepends=True)[:-1]), "the SHA-256 differs"),
        (lambda text: text.replace(b"apg-backup", b"other-file", 1), "is no apg-backup"),
        (lambda text: text.replace(b"0001_initial", b"0009_initial", 1), "holds other tables"),
        (lambda _: b"not json\n", "this is no backup"),
        (lambda _: b"[" * 200_000 + b"\n", "this is no backup"),
    ],
)
def test_a_file_that_is_not_a_whole_backup_is_refused(
    spoil: Callable[[bytes], bytes], problem: str
) -> None:
    broken = gzip.compress(spoil(gzip.decompress(backup_made())))
    with pytest.raises(BackupError, match=problem):
        backup_restore(source=io.BytesIO(broken), name="made")


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_cut_is_refused() -> None:
    data = backup_made()
    with pytest.raises(BackupError, match="is not a whole backup"):
        backup_restore(source=io.BytesIO(data[: len(data) // 2]), name="made")


@pytest.mark.django_db(transaction=True)
def test_whatever_bytes_of_a_backup_are_changed_it_is_refused() -> None:
    data = backup_made()
    head = gzip.decompress(data)
    for changed in bytes_changed(data, random.Random(1), times=300):
        with contextlib.suppress(OSError, EOFError, zlib.error):
            if gzip.decompress(changed) == head:
                continue
        with pytest.raises(BackupError, match=r"a\.gz|no backup"):
            backup_restore(source=io.BytesIO(changed), name="a.gz")


def test_the_command_names_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("backup", str(tmp_path / "none" / "x.gz"))

"""The whole database as one file that any of the site's databases can take in again.

A backup made on SQLite can be restored into PostgreSQL and the other way round. Its first line says
which version of the tables it holds, its last how many rows and which SHA-256 there must be.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any, Final

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from studyapp.errors import BackupError

FORMAT: Final = "apg-backup"
VERSION: Final = 1
_CHUNK: Final = 2000
# Sessions and counted logins end with a move; permissions and content types belong to the code.
_LEFT_OUT: Final = frozenset({"admin", "axes", "contenttypes", "sessions"})


@dataclass(frozen=True, slots=True)
class BackupReceipt:
    """What a backup holds: rows by table, all rows, and the SHA-256 of its lines."""

    rows: dict[str, int]
    sha256: str

    @property
    def total(self) -> int:
        """How many rows there are."""
        return sum(self.rows.values())


def backup_write(*, target: IO[bytes], now: datetime) -> BackupReceipt:
    """Write every row of one moment to `target`, compressed."""
    digest = hashlib.sha256()
    rows: Counter[str] = Counter()
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0) as file, transaction.atomic():
        _snapshot()
        for line in _lines(rows, now=now):
            digest.update(line)
            file.write(line)
        receipt = BackupReceipt(dict(rows), digest.hexdigest())
        file.write(_json({"rows": receipt.rows, "sha256": receipt.sha256}))
    return receipt


def backup_restore(*, source: IO[bytes], name: str) -> BackupReceipt:
    """Take a backup into an empty, migrated database; all of it or nothing.

    Args:
        source: the file, which is read twice.
        name: what errors call it.

    Raises:
        BackupError: the file is not whole, is of other tables, or the database is not empty.
    """
    receipt = _receipt_check(source, name)
    _empty_check()
    source.seek(0)
    with transaction.atomic():
        rows = Counter(_row_store(line, name) for line in _rows_read(source))
        if dict(rows) != receipt.rows:
            raise BackupError(f"{name}: {dict(rows)} rows were read; it says {receipt.rows}")
        _sequences_reset()
    return receipt


class _WholeTimes(DjangoJSONEncoder):
    """Keeps microseconds, which Django cuts to milliseconds: digests of events cover them."""

    def default(self, o: object) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def _snapshot() -> None:
    """Read one moment's state; SQLite does so in every transaction."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def _lines(rows: Counter[str], *, now: datetime) -> Iterator[bytes]:
    head = {"format": FORMAT, "version": VERSION, "made_at": now.isoformat()}
    yield _json({**head, "migrations": _migrations()})
    for model in _models():
        label = model._meta.label
        for row in model._base_manager.order_by("pk").iterator(chunk_size=_CHUNK):
            text = serializers.serialize(
                "jsonl", [row], use_natural_foreign_keys=True, cls=_WholeTimes
            )
            rows[label] += 1
            yield text.encode()


def _receipt_check(source: IO[bytes], name: str) -> BackupReceipt:
    digest = hashlib.sha256()
    head: dict[str, Any] = {}
    last = b""
    try:
        for number, line in enumerate(gzip.GzipFile(fileobj=source, mode="rb")):
            if number == 0:
                head = _object(line)
            digest.update(last)
            last = line
    except (OSError, EOFError, zlib.error) as error:
        raise BackupError(f"{name} is not a whole backup: {error}") from error
    _head_check(head, name)
    found = _object(last)
    if found.get("sha256") != digest.hexdigest():
        raise BackupError(f"{name} was changed, or its end is missing: the SHA-256 differs")
    return BackupReceipt(found["rows"], found["sha256"])


def _head_check(head: dict[str, Any], name: str) -> None:
    if (head.get("format"), head.get("version")) != (FORMAT, VERSION):
        raise BackupError(f"{name} is no {FORMAT} of version {VERSION}")
    theirs, ours = set(head["migrations"]), set(_migrations())
    if theirs != ours:
        differing = ", ".join(sorted(theirs ^ ours))
        raise BackupError(
            f"{name} holds other tables than this database ({differing}); restore it with the "
            "version of the site that made it, then migrate"
        )


def _empty_check() -> None:
    for model in _models():
        if model._base_manager.exists():
            raise BackupError(
                f"the database holds {model._meta.verbose_name_plural}; "
                "restore into an empty one, made by `manage.py migrate`"
            )


def _rows_read(source: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines between the first and the last."""
    before: bytes | None = None
    for number, line in enumerate(gzip.GzipFile(fileobj=source, mode="rb")):
        if before is not None:
            yield before
        before = line if number else None


def _row_store(line: bytes, name: str) -> str:
    try:
        (row,) = serializers.deserialize("jsonl", line.decode())
        row.save()
    except (serializers.base.DeserializationError, ValueError) as error:
        raise BackupError(f"{name}: a row cannot be read: {error}") from error
    return str(row.object._meta.label)


def _sequences_reset() -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)


def _models() -> list[type[models.Model]]:
    """List the tables to keep, those that others refer to first."""
    grouped = [
        (config, [model for model in config.get_models() if _is_kept(model)])
        for config in apps.get_app_configs()
        if config.label not in _LEFT_OUT
    ]
    ordered: list[type[models.Model]] = serializers.sort_dependencies(grouped, allow_cycles=True)
    return ordered


def _is_kept(model: type[models.Model]) -> bool:
    return model._meta.managed and not model._meta.proxy and model._meta.label != "auth.Permission"


def _migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{migration}" for app, migration in applied if app not in _LEFT_OUT)


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BackupError(f"this is no backup: {error}") from error
    return value if isinstance(value, dict) else {}


def _json(value: object) -> bytes:
    return (json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n").encode()

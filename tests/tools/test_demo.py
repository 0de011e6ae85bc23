"""The environment of the demo: its own, and nobody else's."""

from __future__ import annotations

from pathlib import Path

from tools.demo import demo_environment, secret_read


def test_the_demo_never_meets_a_database_or_broker_of_the_caller(tmp_path: Path) -> None:
    caller = {
        "PATH": "/bin",
        "DATABASE_URL": "postgres://live/study",
        "CELERY_BROKER_URL": "redis://live",
        "ALLOWED_HOSTS": "study.example",
        "DEBUG": "1",
    }
    environment = demo_environment(caller, var=tmp_path)
    assert environment["PATH"] == "/bin"
    assert environment["ALLOWED_HOSTS"] == "127.0.0.1,localhost"
    assert not {"DATABASE_URL", "CELERY_BROKER_URL", "DEBUG"} & environment.keys()


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "demo" / "password"
    first = secret_read(path, length=12)
    assert len(first) == 12
    assert secret_read(path, length=12) == first
    assert path.stat().st_mode & 0o777 == 0o600

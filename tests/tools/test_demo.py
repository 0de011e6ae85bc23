"""The environment of the demo: its own, and nobody else's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tools.demo import ROOT, demo_environment, secret_read


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


def test_manage_py_is_about_the_demo_where_no_settings_are_named(tmp_path: Path) -> None:
    demo_environment({}, var=tmp_path)
    done = _manage("check", VAR_DIR=str(tmp_path))
    assert (done.returncode, done.stderr.count("this is about the demo")) == (0, 1)


def test_manage_py_stays_shut_where_no_demo_was_made(tmp_path: Path) -> None:
    done = _manage("check", VAR_DIR=str(tmp_path))
    assert done.returncode == 1
    assert "SECRET_KEY is not set" in done.stderr
    assert "tools/demo.py" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_manage_py_never_mixes_the_demo_into_a_real_installation(tmp_path: Path) -> None:
    demo_environment({}, var=tmp_path)
    for name, value in (
        ("DATABASE_URL", "postgres://live/study"),
        ("ALLOWED_HOSTS", "study.example"),
        ("SECRET_KEY", ""),
    ):
        done = _manage("check", VAR_DIR=str(tmp_path), **{name: value})
        assert done.returncode == 1
        assert "SECRET_KEY is not set" in done.stderr


def _manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )

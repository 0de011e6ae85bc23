"""The settings: safe where nothing is said, and clear where something is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_SERVER = {
    "PATH": "/usr/bin:/bin",
    "SECRET_KEY": "a-key-of-the-tests-" * 4,
    "ALLOWED_HOSTS": "study.example",
    "DATABASE_URL": "sqlite://:memory:",
}


def _manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_server_without_a_secret_key_does_not_start_and_says_what_to_do() -> None:
    without = {name: value for name, value in _SERVER.items() if name != "SECRET_KEY"}
    done = _manage("check", **without)
    assert done.returncode != 0
    assert done.stderr.startswith("manage.py: SECRET_KEY is not set.")
    assert len(done.stderr.splitlines()) == 1


def test_a_server_with_a_key_and_a_host_passes_the_deployment_check(tmp_path: Path) -> None:
    done = _manage("check", "--deploy", "--fail-level", "WARNING", **_SERVER, VAR_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_what_is_unset_is_safe_for_a_server(tmp_path: Path) -> None:
    names = (
        "DEBUG", "DEMO", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE",
        "X_FRAME_OPTIONS", "SECURE_REFERRER_POLICY",
    )  # fmt: skip
    code = (
        "import json; from django.conf import settings as s; "
        f"print(json.dumps({{name: getattr(s, name) for name in {names!r}}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**_SERVER, "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "studyapp.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {
        "DEBUG": False,
        "DEMO": False,
        "SECURE_SSL_REDIRECT": True,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "X_FRAME_OPTIONS": "DENY",
        "SECURE_REFERRER_POLICY": "same-origin",
    }

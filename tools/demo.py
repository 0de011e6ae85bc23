"""Run a command of manage.py in the demo's environment; `make demo` runs `demo`.

    python tools/demo.py demo --port 8000
    python tools/demo.py export_study demo --out demo.zip

The demo never touches a database or a broker that the caller's environment names.
"""

from __future__ import annotations

import os
import secrets
import string
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What a shell may carry for a real installation, and what would lead Python elsewhere.
NOT_INHERITED = frozenset({
    "ALLOWED_HOSTS", "BEHIND_PROXY", "CELERY_BROKER_URL", "CELERY_QUEUE", "CSRF_TRUSTED_ORIGINS",
    "DATABASE_URL", "DEBUG", "DJANGO_SETTINGS_MODULE", "GUNICORN_CMD_ARGS", "PYTHONHOME",
    "PYTHONPATH", "RUN_LEASE_SECONDS", "SWEEP_SECONDS", "WEB_BIND", "WORKER_CONCURRENCY",
})  # fmt: skip


# Typed from one window into another: nothing that looks like something else.
_ALPHABET = "".join(sorted(set(string.ascii_letters + string.digits) - set("0O1lI")))


def demo_environment(inherited: Mapping[str, str], *, var: Path) -> dict[str, str]:
    """Return the variables of the demo's processes; makes its secret key when there is none."""
    kept = {name: value for name, value in inherited.items() if name not in NOT_INHERITED}
    return kept | {
        "VAR_DIR": str(var),
        "SECRET_KEY": secret_read(var / "demo" / "secret_key", length=64),
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "INSECURE_HTTP": "1",
        "DEMO": "1",
        # A stopped demo must not wait a minute before the next one takes its runs up.
        "RUN_LEASE_SECONDS": "10",
        "SWEEP_SECONDS": "3",
        "DJANGO_SETTINGS_MODULE": "studyapp.settings",
    }


def secret_read(path: Path, *, length: int) -> str:
    """Return the secret in `path`, made of `length` characters if it is not there (mode 600)."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        part.write_text("".join(secrets.choice(_ALPHABET) for _ in range(length)))
        part.rename(path)
    return path.read_text().strip()


def main() -> None:
    """Become manage.py with the arguments given."""
    var = Path(os.environ.get("VAR_DIR") or ROOT / "var").resolve()
    command = [sys.executable, str(ROOT / "manage.py"), *sys.argv[1:]]
    os.execve(command[0], command, demo_environment(os.environ, var=var))  # noqa: S606 - as meant


if __name__ == "__main__":
    main()

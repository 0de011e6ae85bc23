"""The arrow at run time: what import-linter reads from the source, seen in running processes."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
_SITE = ("django", "rest_framework", "celery", "kombu", "psycopg", "studyapp")
# A model's SDK may only be loaded by whoever calls a model.
_MODELS = ("openai", "httpx", "httpx2")
# Slow to load, and needed by one computation each.
_HEAVY = ("pingouin", "statsmodels", "matplotlib")


def _modules(package: str) -> list[str]:
    walked = pkgutil.walk_packages([str(ROOT / package)], prefix=f"{package}.")
    # A __main__ runs when it is imported.
    names = [info.name for info in walked if not info.name.endswith("__main__")]
    # Django finds migrations by file name; theirs are no names a statement can hold.
    return [package, *(name for name in names if ".migrations." not in name)]


def _loaded_after(statements: str, *, watched: tuple[str, ...]) -> set[str]:
    """Run statements in a fresh Python without our environment; return which names it loaded."""
    code = (
        f"{statements}\nimport sys\nprint('loaded', *sorted({set(watched)!r} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("loaded")[2].split())


def _imports(package: str) -> str:
    return "\n".join(f"import {name}" for name in _modules(package))


@pytest.mark.parametrize("package", ["apg_engine", "analysis"])
def test_every_module_is_importable_without_the_site(package: str) -> None:
    others = {"apg_engine", "analysis"} - {package}
    assert _loaded_after(_imports(package), watched=(*_SITE, *others)) == set()


def test_the_analysis_never_loads_a_models_client() -> None:
    assert _loaded_after(_imports("analysis"), watched=_MODELS) == set()


@pytest.mark.parametrize(
    ("statement", "watched"),
    [("import apg_engine", (*_MODELS, *_HEAVY, "numpy")), ("import analysis", _HEAVY)],
)
def test_a_public_door_opens_without_what_only_some_need(
    statement: str, watched: tuple[str, ...]
) -> None:
    assert _loaded_after(statement, watched=watched) == set()


def test_every_module_of_the_site_is_importable() -> None:
    setup = (
        "import os\n"
        "os.environ |= {'SECRET_KEY': 'x', 'DJANGO_SETTINGS_MODULE': 'studyapp.settings'}\n"
        "import django\ndjango.setup()\n"
    )
    assert _loaded_after(setup + _imports("studyapp"), watched=("studyapp",)) == {"studyapp"}


def test_nothing_of_the_project_imports_its_tests() -> None:
    for package in ("apg_engine", "analysis", "studyapp", "tools"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert "from tests" not in text, path
            assert "import tests" not in text, path

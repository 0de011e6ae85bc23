"""Which Python `make` takes, and what it says where none fits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Machine:
    """A PATH with Pythons of chosen versions and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()

    def python(self, name: str, version: str) -> Path:
        """Put a program `name` on the PATH that says it is Python `version`."""
        program = self.bin / name
        numbers = tuple(int(part) for part in version.split("."))
        code = f"import sys; sys.version_info = {numbers}; exec(sys.argv[1])"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$2"\n')
        program.chmod(0o755)
        return program

    def choose(
        self, task: str, wanted: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the script as `make` does."""
        return subprocess.run(
            ["/bin/sh", "tools/python.sh", task, str(self.bin.parent / "venv"), wanted],
            cwd=ROOT,
            env={"PATH": str(self.bin), **environment},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_plain_python3_is_taken_where_it_fits(machine: Machine) -> None:
    program = machine.python("python3", "3.13.1")
    machine.python("python3.11", "3.11.2")
    assert machine.choose("demo").stdout.strip() == str(program)


def test_another_one_is_taken_where_python3_is_too_old(machine: Machine) -> None:
    machine.python("python3", "3.9.2")
    program = machine.python("python3.12", "3.12.1")
    assert machine.choose("demo").stdout.strip() == str(program)


@pytest.mark.parametrize("version", ["3.10.14", "3.15.0", "2.7.18"])
def test_a_machine_without_a_fitting_python_is_refused_with_the_mend(
    machine: Machine, version: str
) -> None:
    machine.python("python3", version)
    done = machine.choose("demo")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Python 3.11 to 3.14 is needed; python3 is Python {version}" in done.stderr
    assert "make demo PYTHON=/path/to/python3.11" in done.stderr


def test_a_machine_without_any_python_is_told_so(machine: Machine) -> None:
    assert "there is no python3 on the PATH" in machine.choose("demo").stderr


def test_a_python_asked_for_is_refused_where_it_does_not_fit(machine: Machine) -> None:
    machine.python("python3", "3.11.2")
    old = machine.python("old", "3.8.1")
    done = machine.choose("demo", str(old))
    assert done.returncode == 2
    assert f"PYTHON={old} is Python 3.8.1" in done.stderr


def test_the_tests_prefer_a_python_that_the_private_redis_has_a_wheel_for(
    machine: Machine,
) -> None:
    machine.python("python3", "3.13.1")
    program = machine.python("python3.12", "3.12.1")
    assert machine.choose("test").stdout.strip() == str(program)


def test_the_tests_take_any_fitting_python_where_a_redis_is_at_hand(machine: Machine) -> None:
    program = machine.python("python3", "3.13.1")
    assert machine.choose("test").returncode == 2
    named = machine.choose("test", CELERY_BROKER_URL="redis://127.0.0.1/0")
    assert named.stdout.strip() == str(program)
    (machine.bin / "redis-server").write_text("#!/bin/sh\n")
    (machine.bin / "redis-server").chmod(0o755)
    assert machine.choose("test").stdout.strip() == str(program)


def test_the_tests_say_how_to_get_a_redis_where_there_is_none(machine: Machine) -> None:
    machine.python("python3", "3.14.0")
    done = machine.choose("test")
    assert done.returncode == 2
    assert "apt-get install redis-server" in done.stderr
    assert "CELERY_BROKER_URL" in done.stderr

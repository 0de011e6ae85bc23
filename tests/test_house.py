"""What the house says of itself is so: the settings it documents, the containers it describes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from studyapp.management.processes import beat_command, worker_command

ROOT = Path(__file__).resolve().parent.parent
# Not for a server's operator: the demo sets these, or Django's own documentation is for them.
_UNDOCUMENTED = {"DEBUG", "DEMO", "HSTS_SECONDS", "CONN_MAX_AGE"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text()))


def test_the_readme_names_every_setting_and_no_other() -> None:
    code = (ROOT / "studyapp/settings.py").read_text() + (ROOT / "gunicorn.conf.py").read_text()
    read = set(re.findall(r'env(?:iron)?\.\w+\(\s*"([A-Z_]+)"', code))
    rows = re.findall(r"^\| (`[A-Z_]+`[^|]*) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}
    assert named == read - _UNDOCUMENTED


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_the_files_that_a_document_names_exist(name: str) -> None:
    text = (ROOT / name).read_text()
    paths = re.findall(r"\]\(([\w./-]+)\)", text)
    paths += re.findall(r"`((?:apg_engine|studyapp|analysis|tests|tools|fixtures)/[\w./-]*)`", text)
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert missing == []


def test_the_containers_are_the_database_the_broker_the_site_a_worker_and_beat(
    compose: dict[str, Any],
) -> None:
    services = compose["services"]
    assert set(services) == {"db", "broker", "migrate", "web", "worker", "beat"}
    for name in ("db", "broker", "web", "worker", "beat"):
        assert "healthcheck" in services[name], name
    assert services["web"]["ports"] == ["127.0.0.1:8000:8000"], "TLS ends in front of it"


def test_sweeps_are_asked_for_once_however_many_workers_there_are(
    compose: dict[str, Any],
) -> None:
    services = compose["services"]
    for name in ("worker", "beat"):
        assert services[name]["environment"]["SWEEP_BY"] == "beat"
    told = beat_command(schedule="/tmp/beat-schedule")  # noqa: S108 - in the container
    assert services["beat"]["command"] == ["celery", *told[3:]]
    assert services["worker"]["command"][1:] == worker_command(name="x")[3:-2]


def test_every_secret_of_the_containers_comes_from_the_env_file(compose: dict[str, Any]) -> None:
    example = (ROOT / ".env.example").read_text()
    offered = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    wanted = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "compose.yaml").read_text()))
    assert wanted <= offered
    assert "SECRET_KEY" in offered
    assert re.search(r"^(SECRET_KEY|POSTGRES_PASSWORD)=.", example, re.MULTILINE) is None
    for name in ("web", "worker", "beat", "migrate"):
        assert compose["services"][name]["env_file"] == ".env"


def test_what_the_containers_run_exists(compose: dict[str, Any]) -> None:
    commands = [service.get("command", []) for service in compose["services"].values()]
    commands += [
        service["healthcheck"]["test"] for service in compose["services"].values()
        if "healthcheck" in service
    ]  # fmt: skip
    scripts = [part for command in commands for part in command if part.endswith(".py")]
    assert {"manage.py", "tools/health.py"} <= set(scripts)
    assert all((ROOT / script).exists() for script in scripts)

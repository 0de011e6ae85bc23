"""The OpenAPI document: what the repository holds is what the code is, and it is true."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.conf import LazySettings
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as bounds
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from studyapp.services.study import texts_generate
from tests.studyapp.api.calling import Caller
from tests.studyapp.api.operations import document, things_of
from tests.studyapp.debates import Clock
from tests.studyapp.lab import Lab

pytestmark = pytest.mark.django_db

_NAMES = sorted(
    operation["operationId"]
    for methods in document()["paths"].values()
    for operation in methods.values()
)


def test_the_repository_holds_the_document_of_this_code(tmp_path: Path) -> None:
    file = tmp_path / "openapi.yaml"
    call_command("spectacular", file=str(file), validate=True, fail_on_warn=True)
    kept = Path("docs/openapi.yaml")
    assert file.read_text() == kept.read_text(), (
        "run: manage.py spectacular --file docs/openapi.yaml"
    )


def test_every_operation_tells_its_errors_in_one_shape() -> None:
    shapes = {
        str(answer["content"])
        for methods in document()["paths"].values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        if status >= "400"
    }
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    assert shapes == {str(problem)}


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the test's connection, with its transaction, from one request to the next."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", _NAMES)
def test_what_the_document_says_is_so(
    lab: Lab, ada: Caller, settings: LazySettings, name: str
) -> None:
    """Right and wrong requests of each operation, in process; right ones about what is there."""
    settings.API_RATE = "100000/min"
    ada.post(f"/studies/{lab.study.slug}/runs")
    for run_id in lab.queued:
        texts_generate(run_id=run_id, now=Clock(), environment={})
    things = {key: value for key, value in things_of(lab).items() if value}
    things["id"] = things.get(name.partition("_")[0])
    schema = schemathesis.openapi.from_dict(document())
    schema.app = get_wsgi_application()
    found: Any = next(iter(schema.include(operation_id=name).get_all_operations()))
    operation = found.ok()

    for mode in GenerationMode:

        @seed(20261130)
        @bounds(
            max_examples=8,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            if case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE:
                case.path_parameters.update(
                    {key: things[key] for key in case.path_parameters if key in things}
                )
            case.call_and_validate(
                headers={"Authorization": f"Bearer {ada.secret}"},
                # A debate, a definition and the state of a study have rules beyond a JSON schema.
                excluded_checks=[positive_data_acceptance],
            )

        with one_connection():
            ask()

"""How a debate was held goes with its trace: into exports, and into a shared study."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from studyapp.errors import DefinitionError
from studyapp.models import DebateRun, DebateTrace, Scenario, Study
from studyapp.services.study import UploadedFile, study_share, study_upload
from tests.studyapp.debates import START
from tests.studyapp.held import committee_queued, draft_new, held
from tests.studyapp.lab import user_new
from tests.studyapp.services.export.packing import packed

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(settings: Any, tmp_path: Path) -> Study:
    settings.VAR_DIR = tmp_path
    study = Study.objects.get(pk=draft_new())
    held(committee_queued(study.pk))
    return study


def test_an_export_tells_system_seed_end_and_that_rules_spoke(study: Study, tmp_path: Path) -> None:
    scenario = study.scenarios.get()

    with zipfile.ZipFile(packed(study, tmp_path)) as archive:
        told = json.loads(archive.read(f"prov/{scenario.key}.debate.json"))

    holding = told["activity"]["apg:holding"]
    assert json.loads(holding["apg:system"]) == "committee"
    assert json.loads(holding["apg:seed"]) == 126
    assert json.loads(holding["apg:stop"]) == {"reason": "max_rounds", "is_whole": True}
    assert {agent["apg:kind"] for agent in told["agent"].values()} == {"rules"}


def test_a_shared_study_takes_it_to_another_site_as_something_told(study: Study) -> None:
    produced = study.scenarios.get().trace.produced
    file = UploadedFile("held.zip", _shared(study))
    _forget_everything()

    fork = _uploaded(file)

    told = fork.scenarios.get().trace.produced
    assert told == {**produced, "told_by": "shared file"}


def test_what_this_site_has_seen_itself_is_not_replaced_by_what_a_file_tells(study: Study) -> None:
    produced = study.scenarios.get().trace.produced

    fork = _uploaded(UploadedFile("held.zip", _changed(_shared(study), seed=7)))

    assert fork.scenarios.get().trace.produced == produced


@pytest.mark.parametrize("change", [{"seed": "126"}, {"speakers": [{}]}, {"stop": {}}])
def test_a_file_that_tells_it_in_another_shape_is_refused(
    study: Study, change: dict[str, Any]
) -> None:
    data = _changed(_shared(study), **change)
    _forget_everything()

    with pytest.raises(DefinitionError, match=r"held\.zip: produced\.json"):
        _uploaded(UploadedFile("held.zip", data))

    assert not Study.objects.exists()


@pytest.mark.parametrize(
    "content", [b"[" * 200_000, b"[]", b'{"a": "\\u0000"}', b"\xff", b'{"a": NaN}']
)
def test_a_file_that_tells_nothing_readable_is_refused(study: Study, content: bytes) -> None:
    data = _with_told(_shared(study), content)

    with pytest.raises(DefinitionError, match=r"held\.zip: produced\.json"):
        _uploaded(UploadedFile("held.zip", data))


def _shared(study: Study) -> bytes:
    target = io.BytesIO()
    study_share(study_id=study.pk, target=target)
    return target.getvalue()


def _changed(data: bytes, **change: Any) -> bytes:
    """Tell something else of every debate in a shared file."""
    with zipfile.ZipFile(io.BytesIO(data)) as given:
        told = json.loads(given.read("produced.json"))
    return _with_told(
        data, json.dumps({key: {**one, **change} for key, one in told.items()}).encode()
    )


def _with_told(data: bytes, content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(target, "w") as made:
        for name in given.namelist():
            made.writestr(name, content if name == "produced.json" else given.read(name))
    return target.getvalue()


def _uploaded(file: UploadedFile) -> Study:
    owner = user_new("bob")
    return study_upload(definition=file, debates=(), seed=5, owner_id=owner.pk, now=START)


def _forget_everything() -> None:
    """Be another site."""
    for model in (DebateRun, Scenario, Study, DebateTrace):
        model.objects.all().delete()

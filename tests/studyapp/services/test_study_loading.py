"""Studies are built from files, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studyapp.errors import (
    DefinitionError,
    StudyExistsError,
    TraceRefusedError,
)
from studyapp.models import (
    DebateTrace,
    Event,
    Scenario,
    Study,
    StudyState,
)
from studyapp.services.study import (
    UploadedFile,
    study_build,
    study_load,
    study_upload,
)
from tests.sample_study import DEMO
from tests.studyapp.debates import AGREES, START
from tests.studyapp.services.studies import (
    LATER,
    deadlock_file,
    definition_of,
    owner_stored,
    study_stored,
)

pytestmark = pytest.mark.django_db


class TestLoading:
    def test_the_demo_study_s_file_loads_and_is_marked_as_test_data(self) -> None:
        study = study_load(path=DEMO, seed=5, owner_id=None, now=START)

        assert (study.slug, study.kind, study.is_test) == ("demo", "demo", True)
        assert study.scenarios.count() == 2
        assert study.state == StudyState.DRAFT

    def test_loading_it_twice_changes_nothing(self) -> None:
        first = study_load(path=DEMO, seed=5, owner_id=None, now=START)
        second = study_load(path=DEMO, seed=5, owner_id=None, now=LATER)

        assert first.pk == second.pk
        assert (Study.objects.count(), Scenario.objects.count()) == (1, 2)
        assert Event.objects.filter(kind="study.created").count() == 1

    def test_a_different_design_under_the_same_slug_is_refused_and_told_apart(self) -> None:
        study_stored()

        with pytest.raises(StudyExistsError, match="title, seed"):
            study_stored(title="Another title", seed=99)

        assert Study.objects.get().title == "Two views"

    @pytest.mark.parametrize(
        ("change", "place"),
        [
            ({"version": 2}, "version"),
            ({"format": "other"}, "format"),
            ({"slug": "Not A Slug"}, "slug"),
            ({"slug": None}, "slug"),
            ({"title": " "}, "title"),
            ({"kind": "replica"}, "kind"),
            ({"seed": "7"}, "seed"),
            ({"seed": True}, "seed"),
            ({"arms": {"reference": "a", "treatment": "a"}}, "arms"),
            ({"arms": {"reference": "both", "treatment": "a"}}, "arms"),
            ({"cohorts": []}, "cohorts"),
            ({"cohorts": [{"name": "a", "quota": 0}]}, "quota"),
            ({"scenarios": "none"}, "scenarios"),
            ({"measures": [{"key": "x", "kind": "essay"}]}, "questions"),
            ({"texts": {"title": ""}}, "texts"),
            ({"test": "yes"}, "test"),
        ],
    )
    def test_a_definition_that_cannot_be_read_names_the_place(
        self, change: dict[str, Any], place: str
    ) -> None:
        with pytest.raises(DefinitionError, match=place) as refusal:
            study_stored(**change)

        assert "allowed" in str(refusal.value)
        assert not Study.objects.exists()

    def test_a_definition_that_names_a_missing_file_stores_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "study.json").write_text(json.dumps(definition_of()), encoding="utf-8")

        with pytest.raises(DefinitionError, match=r"study\.json: agrees\.json"):
            study_load(path=tmp_path / "study.json", seed=5, owner_id=None, now=START)

        assert not DebateTrace.objects.exists()

    def test_one_bad_debate_among_good_ones_stores_nothing(self) -> None:
        files = [_upload(AGREES), UploadedFile("broken.json", b'{"turns": [')]

        with pytest.raises(TraceRefusedError, match=r"broken\.json"):
            study_build(title="T", debates=files, seed=1, owner_id=owner_stored(), now=START)

        assert not DebateTrace.objects.exists()
        assert not Study.objects.exists()

    def test_a_study_built_from_debates_is_a_test_study_with_the_demo_questions(self) -> None:
        study = study_build(
            title="My first study",
            debates=[_upload(AGREES)],
            seed=1,
            owner_id=owner_stored(),
            now=START,
        )

        assert (study.slug, study.is_test, study.kind) == ("my-first-study", True, "study")
        assert study.measures

    def test_two_studies_of_one_title_get_two_slugs(self) -> None:
        slugs = [
            study_build(
                title="Same", debates=[_upload(AGREES)], seed=1, owner_id=None, now=START
            ).slug
            for _ in range(3)
        ]

        assert slugs == ["same", "same-2", "same-3"]

    def test_an_uploaded_definition_finds_its_debates_by_name(self) -> None:
        definition = UploadedFile("study.json", json.dumps(definition_of()).encode())
        debates = [UploadedFile("agrees.json", AGREES.read_bytes()), deadlock_file()]

        study = study_upload(
            definition=definition, debates=debates, seed=5, owner_id=owner_stored(), now=START
        )

        assert [row.key for row in study.scenarios.all()] == ["one", "two"]

    def test_an_uploaded_definition_cannot_take_an_existing_study_s_slug(self) -> None:
        study_stored()
        definition = UploadedFile("study.json", json.dumps(definition_of()).encode())

        with pytest.raises(StudyExistsError, match="taken"):
            study_upload(
                definition=definition,
                debates=[deadlock_file()],
                seed=5,
                owner_id=owner_stored(),
                now=START,
            )

    def test_an_uploaded_definition_without_its_debate_is_refused(self) -> None:
        definition = UploadedFile("study.json", json.dumps(definition_of()).encode())

        with pytest.raises(DefinitionError, match=r"agrees\.json"):
            study_upload(
                definition=definition,
                debates=[deadlock_file()],
                seed=5,
                owner_id=owner_stored(),
                now=START,
            )

        assert not DebateTrace.objects.exists()


def _upload(path: Path) -> UploadedFile:
    return UploadedFile(path.name, path.read_bytes())

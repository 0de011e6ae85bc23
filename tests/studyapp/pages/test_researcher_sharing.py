"""A design is shared as one file and comes back as the same design."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from studyapp.errors import DefinitionError
from studyapp.models import Study
from studyapp.services.study import UploadedFile, study_share, study_upload
from studyapp.services.study.sharing import definition_data, shared_read
from tests.breaking import bytes_changed
from tests.sample_study import THEN
from tests.studyapp.lab import Lab, browser_of, page_text, user_new


def shared(study: Study) -> bytes:
    target = io.BytesIO()
    study_share(study_id=study.pk, target=target)
    return target.getvalue()


@pytest.mark.django_db
def test_a_shared_study_comes_back_as_a_fork_with_the_same_design(lab: Lab) -> None:
    data = shared(lab.study)
    bob = user_new("bob")
    fork = study_upload(
        definition=UploadedFile("lab.zip", data), debates=(), seed=5, owner_id=bob.pk, now=THEN
    )
    before, after = definition_data(lab.study), definition_data(fork)
    assert after.pop("slug") != before.pop("slug")
    assert after == before
    assert fork.owner == bob
    traces = "scenarios__trace__sha256"
    assert set(Study.objects.filter(pk=fork.pk).values_list(traces)) == set(
        Study.objects.filter(pk=lab.study.pk).values_list(traces)
    )


@pytest.mark.django_db
def test_the_same_design_gives_the_same_bytes_and_no_link(lab: Lab) -> None:
    data = shared(lab.study)
    assert data == shared(lab.study)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert lab.study.cohorts.get().token not in text


@pytest.mark.django_db
def test_the_seed_of_a_sealed_study_is_not_told(lab: Lab) -> None:
    Study.objects.filter(pk=lab.study.pk).update(is_test=False, state="open", seed=987654321)
    lab.study.refresh_from_db()
    assert definition_data(lab.study)["seed"] is None


@pytest.mark.django_db
def test_nobody_who_brings_a_sealed_study_need_know_its_seed(lab: Lab) -> None:
    """Whoever knows the seed can draw the sides again: a definition may leave it to the site."""
    Study.objects.filter(pk=lab.study.pk).update(is_test=False, state="open", seed=987654321)
    ada, sent = lab.ada, {"from": "definition"}
    for name in ("one.zip", "two.zip"):
        file = SimpleUploadedFile(name, shared(Study.objects.get(pk=lab.study.pk)))
        assert ada.post(reverse("study-create"), {**sent, "definition": file}).status_code == 302
    seeds = set(Study.objects.values_list("seed", flat=True))
    assert len(seeds) == 3
    fork = Study.objects.latest("pk")
    assert str(fork.seed) not in page_text(ada, reverse("study-detail", args=[fork.slug]))


@pytest.mark.django_db
def test_a_forged_slug_does_not_bring_the_seed_of_the_study_that_has_it(lab: Lab) -> None:
    Study.objects.filter(pk=lab.study.pk).update(is_test=False, state="open", seed=987654321)
    definition = {**definition_data(Study.objects.get(pk=lab.study.pk)), "test": True}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("study.json", json.dumps({**definition, "scenarios": []}))
    file = UploadedFile("forged.zip", target.getvalue())
    bob = user_new("bob")
    fork = study_upload(definition=file, debates=(), seed=5, owner_id=bob.pk, now=THEN)
    assert (fork.seed, fork.is_test) == (5, True)


@pytest.mark.django_db
def test_the_page_gives_the_file_and_the_upload_takes_it(lab: Lab) -> None:
    response = lab.ada.get(lab.url("study-share"))
    data = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    client = browser_of(user_new("bob"))
    sent = {"from": "definition", "definition": SimpleUploadedFile("design.zip", data)}
    answer = client.post(reverse("study-create"), sent)
    assert answer.status_code == 302
    assert Study.objects.count() == 2


@pytest.mark.django_db
def test_the_shell_loads_it_once(lab: Lab, tmp_path: Path) -> None:
    file = tmp_path / "design.zip"
    call_command("share_study", lab.study.slug, out=file)
    call_command("load_study", file)
    assert Study.objects.count() == 1


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "study.json: found nothing"),
        ({"other.json": "{}"}, "study.json: found nothing"),
        ({f"debates/{number}.json": "{}" for number in range(201)}, "201 files"),
        ({"study.json": "x" * 2000}, "2000 bytes"),
    ],
)
def test_a_zip_that_is_none_is_refused(files: dict[str, str], problem: str) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    with pytest.raises(DefinitionError, match=problem):
        shared_read(file=UploadedFile("a.zip", target.getvalue()), most_bytes=1000)


def test_a_broken_zip_is_refused() -> None:
    with pytest.raises(DefinitionError, match="share_study"):
        shared_read(file=UploadedFile("a.zip", b"PK\x03\x04cut"), most_bytes=1000)


@pytest.mark.django_db
def test_whatever_bytes_of_a_zip_are_changed_it_is_read_or_refused(lab: Lab) -> None:
    refused = 0
    for data in bytes_changed(shared(lab.study), random.Random(1), times=400):
        try:
            shared_read(file=UploadedFile("a.zip", data), most_bytes=10_000_000)
        except DefinitionError:
            refused += 1
    assert refused > 300


@pytest.mark.django_db
def test_a_definition_without_debates_still_asks_for_them(lab: Lab) -> None:
    sent = {
        "from": "definition",
        "definition": SimpleUploadedFile("x.json", json.dumps({}).encode()),
    }
    page = lab.ada.post(reverse("study-create"), sent).content.decode()
    assert "Choose at least one debate file" in page

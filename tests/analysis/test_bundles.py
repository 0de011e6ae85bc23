"""Zips, folders and manifests: what a bundle must be to be read."""

from __future__ import annotations

import json
import random
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.bundle import bundle_files, bundle_zip
from analysis.dataset import pairs_of
from analysis.errors import BundleError
from analysis.load import LoadOptions, load
from tests.analysis.studies import (
    MANIFEST,
    bundle,
    choice,
    long_file,
    refusal,
    study,
)
from tests.breaking import bytes_changed


def test_a_bundle_gives_back_what_was_written(tmp_path: Path) -> None:
    rows = [*study([(2, 4), (3, 3)]), choice("p1", "apg"), choice("p2", "neither")]
    dataset = load(bundle(tmp_path, rows))
    assert dataset.rows == tuple(rows)
    assert dataset.title == "A small study"
    assert dataset.notices == ()


def test_zip_folder_and_long_file_give_the_same_pairs(tmp_path: Path) -> None:
    path = bundle(tmp_path, study([(2, 4), (3, 3), (1, 5)]))
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "folder")
    found = [load(p) for p in (path, tmp_path / "folder", tmp_path / "folder" / "long.csv")]
    assert pairs_of(found[0]) == pairs_of(found[1]) == pairs_of(found[2])


def test_a_missing_path_and_a_folder_without_a_bundle_are_refused(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "nowhere.csv")
    assert "no manifest.json" in refusal(tmp_path)


def test_a_cut_zip_is_refused(tmp_path: Path) -> None:
    path = bundle(tmp_path, study([(2, 4)]))
    path.write_bytes(path.read_bytes()[:200])
    assert "a whole zip file" in refusal(path)


def test_whatever_bytes_of_a_zip_are_changed_it_is_read_or_refused(tmp_path: Path) -> None:
    path, refused = bundle(tmp_path, study([(2, 4)])), 0
    for data in bytes_changed(path.read_bytes(), random.Random(1), times=400):
        path.write_bytes(data)
        try:
            load(path)
        except BundleError:
            refused += 1
    assert refused > 300


def test_another_version_of_the_bundle_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    with zipfile.ZipFile(bundle(tmp_path, study([(2, 4)]))) as archive:
        archive.extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["schema"]["version"] = 99
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert "manifest.json, schema: found" in refusal(folder)


@pytest.mark.parametrize("name", ["long.csv", "wide.csv", "codebook.csv", "README.txt"])
def test_a_file_that_is_not_the_manifest_s_is_refused_by_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "b"
    with zipfile.ZipFile(bundle(tmp_path, study([(2, 4), (1, 1)]))) as archive:
        archive.extractall(folder)
    assert load(folder).notices == ()
    (folder / name).write_bytes((folder / name).read_bytes() + b"\r\n")
    message = refusal(folder)
    assert f"b/{name}: found SHA-256" in message
    assert "--unverified" in message


def test_a_changed_long_file_is_read_where_that_is_asked_for_and_told(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    with zipfile.ZipFile(bundle(tmp_path, study([(2, 4), (1, 1)]))) as archive:
        archive.extractall(folder)
    long_file(folder, study([(2, 5), (1, 1)]))
    dataset = load(folder, LoadOptions(unverified=True))
    assert "NOT THE FILE ITS MANIFEST DESCRIBES" in dataset.notices[0]


def test_a_bundle_without_the_files_that_no_analysis_needs_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    with zipfile.ZipFile(bundle(tmp_path, study([(2, 4), (1, 1)]))) as archive:
        archive.extractall(folder)
    (folder / "wide.csv").unlink()
    assert load(folder).notices == ()


def test_a_broken_manifest_is_told_with_its_zip(tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", "{")
    assert "some.zip/manifest.json" in refusal(path)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"study": "small"}, "study"),
        ({"study": {"slug": "x"}}, "study"),
        ({"arms": ["baseline", "baseline"]}, "arms"),
        ({"arms": [1, 2]}, "arms"),
        ({"measures": [{"key": "trust", "kind": "rating"}]}, "measures"),
        ({"measures": [{"key": "trust", "kind": "rating", "scale": [5, 1]}]}, "measures"),
        ({"measures": {"trust": "rating"}}, "measures"),
        ({"participants": {"consented": -1}}, "participants"),
        ({"pairs": {"s1": {"fidelity_difference": "0.4"}}}, "pairs"),
        ({"pairs": {"s1": {"fidelity_difference": float("nan")}}}, "pairs"),
        ({"blind": "yes"}, "blind"),
        ({"plan": ["family"]}, "plan"),
        ({"plan": {"equivalence_bound": "half a point"}}, "plan, equivalence_bound"),
        ({"plan": {"equivalence_bound": 0}}, "plan, equivalence_bound"),
        ({"plan": {"equivalence_bound": 10**400}}, "plan, equivalence_bound"),
        ({"plan": {"family": "s1.trust"}}, "plan, family"),
        ({"plan": {"exclusions": ["incomplete"]}}, "plan, exclusions"),
        ({"plan": {"groups": {"g": {"of": "background.x"}}}}, "plan, groups"),
        ({"plan": {"calibration": {"rating": "trust"}}}, "plan, calibration"),
        ({"plan": {"preregistered": "yes"}}, "plan, preregistered"),
    ],
)
def test_a_manifest_of_another_form_is_refused_by_its_place(
    tmp_path: Path, change: dict[str, object], place: str
) -> None:
    files = bundle_files(rows=study([(2, 4)]), codebook=(), manifest=MANIFEST, readme="")
    manifest = {**json.loads(files["manifest.json"]), **change}
    path = tmp_path / "changed.zip"
    path.write_bytes(bundle_zip({**files, "manifest.json": json.dumps(manifest).encode()}))
    assert refusal(path).startswith(f"changed.zip/manifest.json, {place}: found ")


def test_more_answers_than_the_manifest_counts_consents_are_refused(tmp_path: Path) -> None:
    path = bundle(tmp_path, study([(2, 4), (3, 3), (1, 5)]), participants={"consented": 2})
    message = refusal(path)
    assert "bundle.zip/manifest.json, participants, consented: found 2, but 3" in message


def test_a_rating_without_a_declared_scale_is_refused(tmp_path: Path) -> None:
    # Its scale would be guessed, and every count and bound with it.
    rows = [replace(row, measure="zeal") for row in study([(2, 4), (3, 3)])]
    assert "measures: found no scale of zeal" in refusal(bundle(tmp_path, rows))


@pytest.mark.parametrize("bound", [4, 9.5])
def test_a_bound_as_wide_as_the_scale_is_refused(tmp_path: Path, bound: float) -> None:
    path = bundle(tmp_path, study([(2, 4), (3, 3)]), plan={"equivalence_bound": bound})
    assert "allowed: less than the width of the scale, 4" in refusal(path)


def test_a_scale_of_more_steps_than_can_be_counted_is_refused(tmp_path: Path) -> None:
    measures = [{"key": "trust", "kind": "rating", "scale": [0, 10**9]}]
    message = refusal(bundle(tmp_path, study([(2, 4), (3, 3)]), measures=measures))
    assert "at most 10000 apart" in message

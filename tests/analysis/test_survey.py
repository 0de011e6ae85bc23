"""The published study's survey file and the copy of its figures in `fixtures/`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from analysis.dataset import pairs_of
from analysis.errors import BundleError
from analysis.load import load
from analysis.sources.survey import fingerprint
from tests.analysis.studies import N33


@pytest.fixture
def survey(shared: Path) -> Path:
    return shared / "n33" / "human_study_results_n33.csv"


def test_the_fixture_is_the_survey_recoded(survey: Path) -> None:
    assert load(survey).rows == load(N33).rows


def test_it_is_read_with_either_line_end_and_with_a_mark(survey: Path, tmp_path: Path) -> None:
    lines = survey.read_bytes().replace(b"\r\n", b"\n")
    for name, data in (
        ("lf", lines),
        ("crlf", lines.replace(b"\n", b"\r\n")),
        ("bom", b"\xef\xbb\xbf" + lines.removeprefix(b"\xef\xbb\xbf")),
    ):
        path = tmp_path / f"{name}.csv"
        path.write_bytes(data)
        assert load(path).rows == load(survey).rows


def test_an_option_it_did_not_offer_is_refused(survey: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.csv"
    start, *ratings = survey.read_text(encoding="utf-8").rstrip().rsplit(",", 2)
    changed = ",".join((start.rpartition(",")[0], "C", *ratings))
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(BundleError, match="row 34, column 10: found 'C'"):
        load(path)


def test_a_fingerprint_ignores_blanks_and_composition() -> None:
    assert fingerprint("  za\u017c\u00f3\u0142\u0107  x ") == fingerprint(
        "zaz\u0307o\u0301\u0142c\u0301 x"
    )


def test_the_fixture_is_the_bundle_its_manifest_describes() -> None:
    manifest = json.loads((N33 / "manifest.json").read_bytes())
    for name, told in manifest["files"].items():
        assert hashlib.sha256((N33 / name).read_bytes()).hexdigest() == told["sha256"]


def test_the_fixture_holds_the_sums_of_the_published_study() -> None:
    # ../shared/field/statistics.md 1.1: sums and sums of squares, differences from -4 to 4.
    s009, s026 = pairs_of(load(N33))
    assert (sum(s026.treatment), sum(x * x for x in s026.treatment)) == (108, 400)
    assert (sum(s026.reference), sum(x * x for x in s026.reference)) == (81, 225)
    assert (sum(s009.treatment), sum(s009.reference)) == (90, 86)
    counts = [s026.differences.count(d) for d in range(-4, 5)]
    assert counts == [0, 0, 1, 6, 7, 9, 7, 0, 3]

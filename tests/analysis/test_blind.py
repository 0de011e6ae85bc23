"""Blind bundles, and answers that are about no arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import BundleError
from analysis.load import LoadOptions, load
from analysis.report.pages import design_page
from analysis.results.full import full
from analysis.schema import LongRow
from tests.analysis.record_rows import (
    ATTENTION,
    PEOPLE,
)
from tests.analysis.studies import ROW, bundle, choice, trial


def blinded() -> list[LongRow]:
    """The small study as it is exported while its arm key is sealed."""
    rows = [*PEOPLE, choice("p1", "left"), choice("p2", "neither")]
    return [replace(row, arm="", left_arm="") for row in rows]


def test_a_blind_bundle_has_a_design_check_and_no_report(tmp_path: Path) -> None:
    path = bundle(tmp_path, blinded(), blind=True)
    page = design_page(path)
    assert "which arm stood where is sealed" in page
    assert "baseline" not in page
    with pytest.raises(BundleError, match="a blind bundle, which names no arm"):
        load(path)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"arm": "apg"}, "column arm: found 'apg'"),
        ({"left_arm": "apg"}, "column left_arm: found 'apg'"),
        ({"position": ""}, "column position: found nothing"),
    ],
)
def test_a_blind_bundle_that_names_an_arm_is_refused(
    tmp_path: Path, change: Mapping[str, Any], place: str
) -> None:
    first, *others = blinded()
    path = bundle(tmp_path, [replace(first, **change), *others], blind=True)
    with pytest.raises(BundleError) as caught:
        load(path, LoadOptions(allow_blind=True))
    assert place in str(caught.value)


def test_confidence_is_read_on_its_scale_and_tested_by_no_arm(tmp_path: Path) -> None:
    sure = replace(ROW, measure="sure", kind="confidence", arm="", position="", value=3)
    measures = [
        {"key": "trust", "kind": "rating", "scale": [1, 5]},
        {"key": "sure", "kind": "confidence", "scale": [1, 3]},
    ]
    dataset = load(bundle(tmp_path, [*PEOPLE, sure], measures=measures))
    assert [row.value for row in dataset.rows if row.kind == "confidence"] == [3]
    assert {row.measure for row in full(dataset, models=False).core.ratings} == {"trust"}
    with pytest.raises(BundleError, match="a whole number from 1 to 3"):
        load(bundle(tmp_path, [*PEOPLE, replace(sure, value=4)], measures=measures))


def test_an_attention_check_is_passed_or_failed(tmp_path: Path) -> None:
    rows = [*trial("p1", 2, 3), replace(ATTENTION, value="yes")]
    with pytest.raises(BundleError, match="allowed: passed, failed"):
        load(bundle(tmp_path, rows))

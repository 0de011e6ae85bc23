from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from apg_engine.evaluating.check_covid import check_covid_read
from apg_engine.evaluating.claims import (
    BINARY,
    ClaimsError,
    Label,
    claims_choose,
    claims_read,
    claims_sha256,
)

_PUBLISHED = Path(__file__).resolve().parents[4] / "shared/data/check-covid"


def lines(path: Path, rows: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def covid(folder: Path, **changed: Any) -> Path:
    """Write a data set of one claim in the layout of Check-COVID."""
    claim = {
        "id": "a_0",
        "claim": "Masks help.",
        "cord_id": "x1",
        "label": "SUPPORT",
        "evidence_set": [{"sent_index": 1, "type": "PRIMARY"}],
    }
    lines(folder / "corpus.json", [{"cord_id": "x1", "title": "T", "abstract": ["One.", "Two."]}])
    lines(folder / "test/covidCheck_test_composed.json", [{**claim, **changed}])
    lines(folder / "test/covidCheck_test_extracted.json", [])
    return folder


def test_the_binary_test_of_check_covid_has_153_claims() -> None:
    if not _PUBLISHED.is_dir():
        pytest.skip("needs ../shared/data/check-covid")
    claims = check_covid_read(_PUBLISHED)

    binary = claims_choose(claims, labels=BINARY, count=None)

    assert Counter(claim.label for claim in binary) == {Label.SUPPORT: 77, Label.REFUTE: 76}
    assert len(claims) == 229
    assert all(claim.rationale for claim in claims)


def test_the_data_set_is_found_in_the_folder_around_it(tmp_path: Path) -> None:
    covid(tmp_path / "Check-COVID")
    (claim,) = check_covid_read(tmp_path)
    assert (claim.document, claim.rationale) == ("x1", ("Two.",))


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"claim": ""}, "row 1: claim"),
        ({"label": "TRUE"}, "row 1: label"),
        ({"cord_id": "gone"}, "row 1: cord_id"),
        ({"evidence_set": None}, "row 1: evidence_set"),
        ({"evidence_set": [{"sent_index": 2}]}, "row 1: evidence_set: sent_index"),
        ({"evidence_set": [{"sent_index": True}]}, "row 1: evidence_set: sent_index"),
        ({"evidence_set": ["1"]}, "row 1: evidence_set: sent_index"),
    ],
)
def test_an_error_names_file_row_and_field(
    tmp_path: Path, changed: dict[str, Any], place: str
) -> None:
    with pytest.raises(ClaimsError) as caught:
        check_covid_read(covid(tmp_path, **changed))
    assert caught.value.place == place
    assert caught.value.file.endswith("covidCheck_test_composed.json")


def test_a_missing_part_of_the_data_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(ClaimsError, match=r"corpus\.json"):
        check_covid_read(tmp_path)
    (covid(tmp_path) / "test/covidCheck_test_extracted.json").unlink()
    with pytest.raises(ClaimsError, match="covidCheck_test_composed"):
        check_covid_read(tmp_path)


def test_claims_of_ones_own_are_json_lines(tmp_path: Path) -> None:
    row = {"id": "1", "claim": "It rains.", "label": "NOTENOUGHINFO", "rationale": ["Snow."]}
    (claim,) = claims_read(lines(tmp_path / "own.jsonl", [row]))
    assert (claim.label, claim.rationale) == (Label.NOT_ENOUGH, ("Snow.",))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{", "row 1"),
        ("[1]", "row 1"),
        ('{"id": 4}', "row 1: id"),
        ('\n{"id": "1", "claim": "c", "label": "SUPPORT", "rationale": "r"}', "row 2: rationale"),
        ("", "file"),
        ('{"id": "1", "claim": "c", "label": "SUPPORT"}\n' * 2, "id"),
    ],
)
def test_what_is_no_claim_is_named(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(ClaimsError) as caught:
        claims_read(path)
    assert caught.value.place == place


def test_a_smaller_choice_begins_a_larger_one_whatever_the_order(tmp_path: Path) -> None:
    rows = [{"id": str(n), "claim": f"Claim {n}.", "label": "SUPPORT"} for n in range(20)]
    claims = claims_read(lines(tmp_path / "own.jsonl", rows))

    few = claims_choose(claims, labels=BINARY, count=5)

    assert claims_choose(claims[::-1], labels=BINARY, count=9)[:5] == few
    assert claims_sha256(claims) == claims_sha256(claims[::-1])
    with pytest.raises(ClaimsError, match="1 to 20"):
        claims_choose(claims, labels=BINARY, count=21)


def test_a_split_may_be_one_file(tmp_path: Path) -> None:
    folder = covid(tmp_path) / "test"
    (folder / "covidCheck_test_composed.json").rename(
        folder / "covidCheck_test_composed+extracted.json"
    )
    (folder / "covidCheck_test_extracted.json").unlink()
    assert len(check_covid_read(tmp_path)) == 1


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([{"cord_id": "x1", "abstract": "One."}], "row 1: abstract"),
        ([{"abstract": ["One."]}], "row 1: cord_id"),
        ([{"cord_id": "x1", "abstract": ["One."]}] * 2, "row 2: cord_id"),
    ],
)
def test_an_error_of_the_corpus_names_its_row(tmp_path: Path, rows: list[Any], place: str) -> None:
    lines(covid(tmp_path) / "corpus.json", rows)
    with pytest.raises(ClaimsError) as caught:
        check_covid_read(tmp_path)
    assert caught.value.place == place


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ClaimsError, match="UTF-8"):
        claims_read(tmp_path / "own.jsonl")

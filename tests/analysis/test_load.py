"""What may come in, and what is refused with file, place, found and allowed."""

from __future__ import annotations

import unicodedata
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.dataset import choices_of, pairs_of
from analysis.load import LoadOptions, load
from analysis.schema import text_escape, text_unescape
from tests.analysis.studies import (
    ROW,
    bundle,
    choice,
    long_file,
    rating,
    refusal,
    study,
    text_file,
    trial,
)

LONG_HEAD = "participant_id,scenario,measure,arm,value\n"


def long_text(folder: Path, *lines: str) -> Path:
    return text_file(folder, LONG_HEAD + "".join(f"{line}\n" for line in lines))


def test_the_wide_file_of_a_bundle_gives_the_same_pairs_and_choices(tmp_path: Path) -> None:
    rows = [*study([(2, 4), (3, 3), (1, 5)]), choice("p1", "both"), choice("p2", "apg")]
    background = replace(
        ROW, participant_id="p1", scenario="", trial_order=None, kind="background", arm="",
        measure="background.age", position="", value="26_35", left_arm="",
    )  # fmt: skip
    path = bundle(tmp_path, [*rows, background])
    with zipfile.ZipFile(path) as archive:
        archive.extract("wide.csv", tmp_path)
    wide, whole = load(tmp_path / "wide.csv"), load(path)
    assert wide.source.format == "wide"
    assert pairs_of(wide) == pairs_of(whole)
    assert choices_of(wide) == choices_of(whole)
    assert background.value in {row.value for row in wide.rows if row.kind == "background"}


def test_pairs_are_matched_by_participant_and_not_by_row_order(tmp_path: Path) -> None:
    # rstatix #104, #175, #192: shuffled rows of one condition were mis-paired.
    rows = study([(1, 5), (2, 3), (4, 4), (5, 1)])
    shuffled = sorted(rows, key=lambda row: (row.arm, row.value))
    assert pairs_of(load(long_file(tmp_path, rows))) == pairs_of(load(bundle(tmp_path, shuffled)))


def test_a_half_pair_is_left_out_of_its_measure_and_listed(tmp_path: Path) -> None:
    rows = [*study([(2, 4), (3, 3)]), rating("p3", "apg", 5)]
    (pairs,) = pairs_of(load(bundle(tmp_path, rows)))
    assert pairs.ids == ("p1", "p2")
    assert pairs.incomplete == ("p3",)


def test_strict_makes_a_half_pair_an_error_that_names_it(tmp_path: Path) -> None:
    rows = [*study([(2, 4), (3, 3)]), rating("p3", "apg", 5)]
    message = refusal(bundle(tmp_path, rows), LoadOptions(strict=True))
    assert "scenario s1, measure trust" in message
    assert "p3" in message
    assert "--strict" in message


def test_an_empty_cell_in_a_wide_file_is_a_missing_half(tmp_path: Path) -> None:
    path = text_file(tmp_path, "participant_id,trust_baseline,trust_apg\na,3,4\nb,,2\nc,,\n")
    (pairs,) = pairs_of(load(path))
    assert (pairs.ids, pairs.incomplete) == (("a",), ("b",))


@pytest.mark.parametrize("text", ["3", " 3 ", "3.0", '"3,0"'])
def test_whole_numbers_are_read_in_any_spelling_that_is_one(tmp_path: Path, text: str) -> None:
    path = long_text(tmp_path, f"a,s,trust,baseline,{text}", "a,s,trust,apg,4")
    assert pairs_of(load(path))[0].reference == (3,)


@pytest.mark.parametrize(
    "text", ['"3,5"', "five", "NA", "NaN", "0", "6", "3.5", "inf", "True", "٣", "1_0", "1e0"]
)
def test_anything_else_is_refused_with_row_and_column(tmp_path: Path, text: str) -> None:
    path = long_text(tmp_path, "a,s,trust,baseline,3", f"a,s,trust,apg,{text}")
    message = refusal(path)
    assert message.startswith("data.csv, row 3, column value (trust): found ")
    assert "a whole number from 1 to 5" in message


def test_a_bad_rating_in_a_wide_file_names_its_own_column(tmp_path: Path) -> None:
    path = text_file(tmp_path, "participant_id,trust_baseline,trust_apg\na,3,4\nb,2,6\n")
    assert refusal(path).startswith("data.csv, row 3, column trust_apg: found '6'")


def test_a_duplicate_answer_is_refused_with_both_rows_and_the_id(tmp_path: Path) -> None:
    # Edge case 18: never keep the first or the last silently.
    path = long_file(tmp_path, [*study([(2, 4)]), rating("p1", "apg", 4)])
    message = refusal(path)
    assert "rows 3 and 4" in message
    assert "two answers to s1 trust apg" in message
    assert "Participants: p1." in message


def test_an_unknown_arm_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    message = refusal(long_text(tmp_path, "a,s,trust,baseline,3", "a,s,trust,control,4"))
    assert "row 3, column arm: found 'control'; allowed: baseline or apg" in message


def test_other_arms_can_be_named(tmp_path: Path) -> None:
    path = long_text(tmp_path, "a,s,trust,old,3", "a,s,trust,new,5")
    (pairs,) = pairs_of(load(path, LoadOptions(arms=("old", "new"))))
    assert pairs.differences == (2,)


def test_an_unknown_choice_is_refused(tmp_path: Path) -> None:
    path = bundle(tmp_path, [choice("p1", "apg"), choice("p2", "left")])
    assert "found 'left'; allowed: baseline, apg, neither, both" in refusal(path)


def test_a_position_that_contradicts_the_trial_is_refused(tmp_path: Path) -> None:
    path = bundle(tmp_path, [replace(ROW, position="right")])
    assert "baseline shown right although baseline was left" in refusal(path)


def test_two_sides_for_one_trial_are_refused(tmp_path: Path) -> None:
    rows = [rating("p1", "baseline", 3, left="apg"), rating("p1", "apg", 3, left="baseline")]
    assert "one value for each participant and scenario" in refusal(bundle(tmp_path, rows))


def test_one_measure_of_two_kinds_is_refused(tmp_path: Path) -> None:
    rows = [rating("p1", "apg", 3), choice("p2", "apg", measure="trust")]
    assert "choice for trust, which is rating in row 2" in refusal(bundle(tmp_path, rows))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("comma", [",", ";", "\t"])
def test_line_ends_marks_and_delimiters_do_not_matter(
    tmp_path: Path, end: str, mark: str, comma: str
) -> None:
    text = "participant_id, trust_baseline ,trust_apg\na,3,4\nb,2,5\n"
    text = mark + text.replace(",", comma).replace("\n", end)
    assert pairs_of(load(text_file(tmp_path, text)))[0].differences == (1, 3)


def test_quoted_newlines_do_not_shift_row_numbers(tmp_path: Path) -> None:
    lines = ['a,s,comment,,"one\ntwo"', "a,s,trust,apg,6"]
    assert "row 3" in refusal(long_text(tmp_path, *lines))


def test_letters_composed_and_decomposed_are_one_participant(tmp_path: Path) -> None:
    composed, decomposed = "Żółw", unicodedata.normalize("NFD", "Żółw")
    path = long_text(tmp_path, f"{composed},s,trust,apg,4", f"{decomposed},s,trust,baseline,2")
    assert pairs_of(load(path))[0].differences == (2,)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no rows"),
        (LONG_HEAD, "no answers"),
        ("participant_id,a,a\n1,2,3\n", "the name 'a' twice"),
        ("participant_id,x\n1,2\n", "participant_id, x; allowed: a long table"),
        (LONG_HEAD + "a,s,trust,apg\n", "row 2: found 4 cells; allowed: 5 cells"),
        (LONG_HEAD + ",s,trust,apg,3\n", "row 2, column participant_id: found nothing"),
        (LONG_HEAD + 'a,s,trust,apg,"3', "allowed: CSV as in RFC 4180"),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, text: str, part: str) -> None:
    assert part in refusal(text_file(tmp_path, text))


def test_other_encodings_are_refused_at_their_byte(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes((LONG_HEAD + "a,s,comment,,za\u017c\u00f3\u0142\u0107\n").encode("cp1250"))
    assert "text in UTF-8" in refusal(path)


def test_test_rows_are_left_out_beside_real_ones(tmp_path: Path) -> None:
    rows = [*study([(2, 4), (3, 3)]), *(replace(r, is_test=True) for r in trial("p9", 1, 5))]
    dataset = load(bundle(tmp_path, rows))
    assert dataset.participants == ("p1", "p2")
    assert [(out.rule, out.ids) for out in dataset.left_out] == [("test data", ("p9",))]
    assert load(bundle(tmp_path, rows), LoadOptions(include_test=True)).participants[-1] == "p9"


def test_data_of_tests_alone_are_analysed_and_loudly_named(tmp_path: Path) -> None:
    rows = [replace(row, is_test=True) for row in study([(2, 4), (3, 3)])]
    dataset = load(bundle(tmp_path, rows))
    assert len(dataset.participants) == 2
    assert "ALL PARTICIPANTS ARE TEST DATA" in dataset.notices[0]


def test_two_studies_in_one_file_are_refused(tmp_path: Path) -> None:
    rows = [*trial("p1", 2, 3), *(replace(r, study="other") for r in trial("p2", 2, 3))]
    assert "small, other; allowed: one study" in refusal(long_file(tmp_path, rows))


@pytest.mark.parametrize("text", ["=1+1", "'=1+1", "@x", "-3", "+", "\tx", "'", "it's", "''-", ""])
def test_a_text_cell_survives_the_formula_guard(text: str) -> None:
    escaped = text_escape(text)
    assert text_unescape(escaped) == text
    assert not escaped.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_comment_that_looks_like_a_formula_comes_back_whole(tmp_path: Path) -> None:
    comment = replace(ROW, measure="comment", kind="text", arm="", position="", value="=A1")
    path = bundle(tmp_path, [comment])
    with zipfile.ZipFile(path) as archive:
        assert b",'=A1," in archive.read("long.csv")
    assert load(path).rows == (comment,)


def test_an_empty_column_that_a_spreadsheet_left_behind_is_no_column(tmp_path: Path) -> None:
    text = "participant_id,trust_baseline,trust_apg,,\na,3,4,,\nb,2,5,, \n"
    assert pairs_of(load(text_file(tmp_path, text)))[0].treatment == (4, 5)
    filled = text.replace("b,2,5,, ", "b,2,5,,x")
    assert "row 1, column 4: found no name" in refusal(text_file(tmp_path, filled))


def test_a_nul_is_refused(tmp_path: Path) -> None:
    message = refusal(long_text(tmp_path, "a\0,s,trust,baseline,3"))
    assert "found a NUL at character 44; allowed: text without NUL" in message


def test_names_in_two_spellings_of_unicode_are_one_name(tmp_path: Path) -> None:
    composed, apart = (unicodedata.normalize(form, "ścena") for form in ("NFC", "NFD"))
    path = long_text(tmp_path, f"p,{composed},trust,baseline,3", f"p,{apart},trust,apg,4")
    (pairs,) = pairs_of(load(path))
    assert (pairs.ids, pairs.scenario) == (("p",), composed)


def test_a_polish_spreadsheet_with_semicolons_and_decimal_commas_is_read(tmp_path: Path) -> None:
    path = text_file(tmp_path, "participant_id;trust_baseline;trust_apg\nżółw;3,0;4,00\nb;2;5\n")
    (pairs,) = pairs_of(load(path))
    assert sorted(zip(pairs.ids, pairs.differences, strict=True)) == [("b", 3), ("żółw", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "participant_id,faithful,trust_baseline,trust_apg\na,neither,3,4\nb,both,2,2\n",
        "participant_id,measure,arm,value\na,faithful,,neither\nb,faithful,,both\n",
    ],
)
def test_a_choice_in_which_nobody_named_an_arm_is_a_choice(tmp_path: Path, text: str) -> None:
    (choices,) = choices_of(load(text_file(tmp_path, text)))
    assert choices.answers == {"a": "neither", "b": "both"}


def test_a_word_for_a_missing_answer_is_refused_with_what_is_one(tmp_path: Path) -> None:
    message = refusal(text_file(tmp_path, "participant_id,trust_baseline,trust_apg\na,NA,4\n"))
    assert "found 'NA'; allowed: a whole number from 1 to 5, or an empty cell" in message

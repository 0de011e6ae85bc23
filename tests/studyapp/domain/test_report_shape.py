"""Counting a report's outer shape, and telling two shapes apart."""

from __future__ import annotations

import pytest

from studyapp.domain.report_shape import ReportShape, imbalance_notes, report_shape


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", ReportShape(0, 0, 0)),
        ("One two three.", ReportShape(3, 0, 0)),
        ("# Title\n\n- one\n- two\n\n1. three", ReportShape(4, 1, 3)),
        ("It isn't 3,600 MW-hours.", ReportShape(4, 0, 0)),
        ("#hashtag is no heading\n-5 is no item", ReportShape(8, 0, 0)),
        ("   ### Deep\n    * item", ReportShape(2, 1, 1)),
    ],
)
def test_words_headings_and_items_are_counted(text: str, shape: ReportShape) -> None:
    assert report_shape(text) == shape


def test_equal_shapes_have_no_note() -> None:
    assert imbalance_notes(ReportShape(100, 2, 3), ReportShape(120, 1, 9)) == ()


@pytest.mark.parametrize(
    ("first", "second", "note"),
    [
        (ReportShape(100, 0, 0), ReportShape(126, 0, 0), "length: 100 words against 126"),
        (ReportShape(0, 0, 0), ReportShape(5, 0, 0), "length: 0 words against 5"),
        (ReportShape(100, 0, 0), ReportShape(100, 2, 0), "headings: 0 against 2"),
        (ReportShape(100, 0, 4), ReportShape(100, 0, 0), "list items: 4 against 0"),
    ],
)
def test_what_a_reader_would_notice_is_noted(
    first: ReportShape, second: ReportShape, note: str
) -> None:
    assert imbalance_notes(first, second) == (note,)

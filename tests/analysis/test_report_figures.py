"""The figures and tables of a report, and how they fit a page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from analysis.report.design_figures import reading_times
from analysis.report.drawing import Dot
from analysis.report.words import Words
from tests.analysis.reports import plain_signs, report
from tests.analysis.studies import bundle, study, text_file

# A whole report takes seconds, and many of them on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_every_figure_is_well_formed_and_says_itself_in_words(n33: Path) -> None:
    page = (n33 / "report.html").read_text(encoding="utf-8")
    drawings = re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)
    ids: list[str] = []
    for text in drawings:
        root = ET.fromstring(text)  # noqa: S314 # written by us
        name = "{http://www.w3.org/2000/svg}"
        title, desc = root.find(f"{name}title"), root.find(f"{name}desc")
        assert title is not None
        assert desc is not None
        assert title.text
        assert desc.text
        assert root.get("role") == "img"
        ids += [str(title.get("id")), str(desc.get("id"))]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("scale", "name", "arms"),
    [
        (
            "1-5",
            "a debate about who may use the last of the river's water in a dry year",
            "old,new",
        ),
        ("0-100", "s1", "what a person wrote at a desk,what a machine wrote in one night"),
        ("1-2", "s1", "a,b"),
    ],
)
def test_no_label_of_a_figure_leaves_its_canvas(
    tmp_path: Path, scale: str, name: str, arms: str
) -> None:
    low, high = map(int, scale.split("-"))
    first, second = arms.split(",")
    lines = [
        f'p{n},"{name}",{low + n * 7 % (high - low + 1)},{low + n * 11 % (high - low + 1)}'
        for n in range(30)
    ]
    text = "\n".join([f"participant_id,scenario,trust_{first},trust_{second}", *lines])
    path = text_file(tmp_path, text)
    out = report(tmp_path, path, "--scale", scale, "--arms", arms, "--no-models", "--no-pdf")
    for file in (out / "figures").iterdir():
        root = ET.parse(file).getroot()  # noqa: S314 # written by us
        width = float(str(root.get("viewBox")).split()[2])
        for label in root.iter("{http://www.w3.org/2000/svg}text"):
            size, x = float(label.get("font-size", "12")), float(str(label.get("x")))
            length = 0.62 * size * len(label.text or "")
            start = {"start": x, "middle": x - length / 2, "end": x - length}
            left = start[str(label.get("text-anchor"))]
            assert -1 <= left <= left + length <= width + 1, label.text


def test_a_wide_scale_keeps_figures_of_ordinary_height(tmp_path: Path) -> None:
    lines = "".join(f"p{n},{n * 7 % 101},{n * 11 % 101}\n" for n in range(30))
    path = text_file(tmp_path, f"participant_id,trust_baseline,trust_apg\n{lines}")
    out = report(tmp_path, path, "--scale", "0-100", "--no-models", "--no-pdf")
    for file in (out / "figures").iterdir():
        height = float(str(ET.parse(file).getroot().get("viewBox")).split()[3])  # noqa: S314
        assert height < 600


def test_figures_and_tables_are_numbered_and_say_what_they_show(n33: Path) -> None:
    page = plain_signs(n33)
    for kind in ("Table", "Figure"):
        numbers = [
            int(n) for n in re.findall(rf"<(?:caption><span|figcaption)>{kind} (\d+)\.", page)
        ]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > 5
    captions = re.findall(r"<figcaption>Figure \d+\. ([^<]+)", page)
    assert len(captions) == len(set(captions))


def test_a_phone_gets_regions_that_scroll_and_a_dark_page_has_colours(n33: Path) -> None:
    page = (n33 / "report.html").read_text(encoding="utf-8")
    regions = re.findall(
        r'<div class="scroll" tabindex="0" role="region" aria-label="([^"]*)"', page
    )
    assert len(regions) == page.count("<table") + page.count("<svg")
    assert all(regions)
    assert "prefers-color-scheme:dark" in page


def test_a_wide_scale_is_told_by_its_ends_and_not_by_a_thousand_counts(tmp_path: Path) -> None:
    lines = [f"p{n},{n * 37 % 1001},{n * 91 % 1001}" for n in range(60)]
    path = text_file(tmp_path, "\n".join(["participant_id,ease_baseline,ease_apg", *lines]))
    out = report(tmp_path, path, "--scale", "0-1000", "--no-pdf")
    assert "0 to 999 |" in (out / "report.md").read_text(encoding="utf-8")
    likert = (out / "figures" / "likert.svg").read_text(encoding="utf-8")
    assert "37 1" in likert
    assert "38 0" not in likert


def test_measures_of_different_scales_have_figures_of_their_own(tmp_path: Path) -> None:
    rows = study([(2, 4), (3, 3), (1, 5)])
    eased = [replace(row, measure="ease", value=int(row.value) + 2) for row in rows]
    measures = [
        {"key": "trust", "kind": "rating", "scale": [1, 5]},
        {"key": "ease", "kind": "rating", "scale": [1, 7]},
    ]
    path = bundle(tmp_path, [*rows, *eased], measures=measures)
    out = report(tmp_path, path, "--no-models", "--no-pdf")
    found = sorted(file.name for file in (out / "figures").glob("likert*"))
    assert found == ["likert-1-5.svg", "likert-1-7.svg"]


def test_nothing_is_drawn_of_positions_that_were_not_recorded(tmp_path: Path) -> None:
    path = text_file(tmp_path, "participant_id,trust_baseline,trust_apg\na,3,4\nb,2,5\n")
    out = report(tmp_path, path, "--no-models", "--no-pdf")
    assert "Positions were not recorded" in plain_signs(out)
    assert not (out / "figures" / "balance.svg").exists()


def test_the_times_of_many_people_are_dots_at_places_of_their_own() -> None:
    drawing = reading_times({"s1": [60.0] * 30 + [600.0, 620.0]}, Words("en"))
    dots = [shape for shape in drawing.shapes if isinstance(shape, Dot)]
    assert len({(dot.x, dot.y) for dot in dots}) == 32
    assert "n = 32, median 60 s" in drawing.alt


def test_a_question_is_one_line_of_the_codebook(n33: Path) -> None:
    lines = (n33 / "report.md").read_text(encoding="utf-8").splitlines()
    (trust,) = [line for line in lines if line.startswith("| s009 | trust |")]
    assert trust.endswith("| 1 = no trust at all; 2; 3; 4; 5 = full trust |")

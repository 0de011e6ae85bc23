"""`python -m analysis report`: one study in, one set of files out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.commands import run
from tests.analysis.reports import plain_signs, report
from tests.analysis.studies import bundle, choice, study, trial

# A whole report takes seconds, and many of them on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_it_writes_every_form(n33: Path) -> None:
    names = {path.name for path in n33.iterdir()}
    assert names == {"report.html", "report.md", "report.json", "report.pdf", "figures"}
    assert (n33 / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_the_html_needs_nothing_else(n33: Path) -> None:
    page = (n33 / "report.html").read_text(encoding="utf-8")
    named = re.findall(r'(?:src|href|url)\s*[=(]\s*["\']?([^"\')>\s]+)', page)
    assert named
    # A link may lead to a section of the page itself.
    assert {link.removeprefix("#") for link in named} <= set(re.findall(r' id="([^"]+)"', page))
    assert all(link.startswith("#") for link in named)
    assert "<script" not in page
    assert page.count("<svg") == page.count("</svg>") >= 7


def test_the_sections_stand_in_order(n33: Path) -> None:
    page = (n33 / "report.html").read_text(encoding="utf-8")
    numbers = [int(n) for n in re.findall(r"<h2[^>]*>(\d+)\.", page)]
    assert numbers == list(range(1, 17))


@pytest.mark.parametrize(
    "text",
    [
        "t(32) = 3.11, p = .004, d_z = 0.54 [0.17, 0.90], g_av = 0.75, BF10 = 9.84",
        "exact Wilcoxon W+ = 283.5, p = .004, r_rb = .62 [.32, .80]",
        "no difference in trust was detected between apg",
        "equivalence within 0.5 was not shown (TOST p = .066)",
        "baseline always stood left. The position is confounded with the arm",
        "Every scenario had one fixed place in the order",
        "The methods fall on both sides of .05",
        "Fluency was not rated on a scale in this study",
        "3.12 cannot be: next to it, these M, SD and n allow 3.07, 3.11 and 3.16",
        "the variance between participants is estimated as zero",
        "No preregistration is known",
        "python -m analysis report",
    ],
)
def test_the_published_study_is_told_as_it_is(n33: Path, text: str) -> None:
    assert text in plain_signs(n33)


def test_the_json_has_all_results_with_full_precision(n33: Path) -> None:
    found = json.loads((n33 / "report.json").read_bytes())
    assert found["scenarios"]["s026"]["trust"]["t_test"]["t"] == pytest.approx(3.11380163120642)
    (interaction,) = found["interactions"]
    assert len(interaction["methods"]) == 8
    family = {member["name"]: member["holm"] for member in found["family"]}
    # R 4.2.2, p.adjust by Holm
    assert family["s026.trust"] == pytest.approx(0.0193815593217936)
    assert found["software"]["scipy"]


def test_the_markdown_shows_its_figures_beside_it(n33: Path) -> None:
    text = (n33 / "report.md").read_text(encoding="utf-8")
    for name in re.findall(r"\]\((figures/[^)]+)\)", text):
        assert (n33 / name).is_file()
    assert "# The N=33 study" in text


def test_the_same_data_give_the_same_files(tmp_path: Path) -> None:
    path = bundle(tmp_path, study([(1, 2), (2, 4), (3, 3), (2, 5)]))
    first, again = (
        {file.name: file.read_bytes() for file in report(tmp_path, path, "--no-models").glob("*.*")}
        for _ in range(2)
    )
    assert first == again
    assert len(first) == 4


def test_a_balanced_study_gets_position_carry_over_and_order(whole: Path) -> None:
    page = (whole / "report.html").read_text(encoding="utf-8")
    assert "confounded" not in page
    found = json.loads((whole / "report.json").read_bytes())
    for cross in found["crossovers"]:
        assert cross["position"]["p"] is not None
        assert cross["carry_over"]["p"] is not None
        assert cross["order"]["p"] is not None


def test_exclusions_are_counted_named_and_gone_from_every_test(whole: Path) -> None:
    found = json.loads((whole / "report.json").read_bytes())
    (out,) = found["data"]["left_out"]
    assert out["rule"] == "answered a pair in under 90 s"
    assert found["data"]["participants"] == 24 - len(out["ids"])
    assert found["scenarios"]["energy"]["trust"]["n"] == 24 - len(out["ids"])
    page = (whole / "report.html").read_text(encoding="utf-8")
    assert all(person in page for person in out["ids"])


def test_cohorts_are_compared_by_three_methods(whole: Path) -> None:
    found = json.loads((whole / "report.json").read_bytes())
    assert {entry["grouping"] for entry in found["cohorts"]} == {"cohort"}
    models = found["group_models"]
    assert {row["source"] for row in models[0]["anova"]} >= {"cohort", "arm", "cohort:arm"}
    assert models[0]["ordinal"]["df"] == 1


def test_reading_time_is_a_sensitivity_row(whole: Path) -> None:
    found = json.loads((whole / "report.json").read_bytes())
    assert {row["seconds"] for row in found["reading"]} == {30, 60, 120}
    page = (whole / "report.html").read_text(encoding="utf-8")
    assert "Time on a pair" in page


@pytest.mark.parametrize(
    "pairs",
    [
        [(3, 3)] * 5,
        [(2, 3)] * 5,
        [(1, 5)] * 6,
        [(3, 4)],
        [(1, 2), (3, 3)],
    ],
    ids=["identical", "constant shift", "separated", "one person", "two people"],
)
def test_degenerate_studies_are_reported_without_a_number_that_is_none(
    tmp_path: Path, pairs: list[tuple[int, int]]
) -> None:
    out = report(tmp_path, bundle(tmp_path, study(pairs)), "--no-pdf")
    for name in ("report.html", "report.md", "report.json"):
        text = (out / name).read_text(encoding="utf-8")
        assert not re.search(r"\b(nan|inf|None|NaN|Infinity)\b", text)


def test_a_study_of_choices_alone_is_reported(tmp_path: Path) -> None:
    rows = [choice(f"p{n}", "apg" if n % 3 else "both") for n in range(1, 10)]
    page = plain_signs(report(tmp_path, bundle(tmp_path, rows), "--no-pdf"))
    assert "6 of 9 chose apg (66.7 %)" in page


def test_test_data_are_named_on_top(tmp_path: Path) -> None:
    rows = [replace(row, is_test=True) for row in study([(1, 2), (2, 4), (3, 3)])]
    page = (report(tmp_path, bundle(tmp_path, rows), "--no-pdf") / "report.html").read_text()
    assert page.index("ALL PARTICIPANTS ARE TEST DATA") < page.index("<h2")


def test_an_answer_that_is_markup_stays_text(tmp_path: Path) -> None:
    rows = [replace(row, scenario="<b>x</b>") for row in study([(1, 2), (2, 4), (3, 3)])]
    out = report(tmp_path, bundle(tmp_path, rows), "--no-models", "--no-pdf")
    page = (out / "report.html").read_text()
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_a_scenario_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    rows = [replace(row, scenario="../../up") for row in study([(1, 2), (2, 4), (3, 3)])]
    out = report(tmp_path, bundle(tmp_path, rows), "--no-models", "--no-pdf")
    assert {path.parent for path in tmp_path.rglob("*.svg")} == {out / "figures"}


def test_the_plan_s_primary_outcome_is_marked(tmp_path: Path) -> None:
    plan = {"primary": ["s1.trust"], "family": ["s1.trust"], "preregistered": True}
    rows = study([(1, 2), (2, 3), (2, 2)])
    out = report(tmp_path, bundle(tmp_path, rows, plan=plan), "--no-pdf", "--no-models")

    lines = (out / "report.md").read_text(encoding="utf-8").splitlines()
    assert "| s1.trust (primary outcome of the plan) | confirmatory |" in lines


def test_bad_input_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert run(["report", str(tmp_path / "none.csv"), "--out", str(out)]) == 2
    assert "No such file" in capsys.readouterr().err
    assert not out.exists()


def test_an_unknown_exclusion_rule_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bundle(tmp_path, study([(1, 2), (2, 3)]), plan={"exclusions": [{"rule": "mood"}]})
    assert run(["report", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "'mood' in the plan; known: incomplete, too_fast" in capsys.readouterr().err


def test_what_a_plan_names_and_the_data_do_not_hold_is_said_on_top(tmp_path: Path) -> None:
    plan = {
        "family": ["s1.trust", "s1.trsut"],
        "groups": {"old": {"of": "background.age", "levels": {"yes": ["60"], "no": ["20"]}}},
        "calibration": {"rating": "trust", "choice": "faithfull"},
    }
    path = bundle(tmp_path, study([(1, 2), (2, 3), (2, 2)]), plan=plan)
    page = plain_signs(report(tmp_path, path, "--no-models", "--no-pdf"))
    first = page[: page.index("<h2")]
    for part, names in (
        ("family", "s1.trsut"), ("groups", "background.age"), ("calibration", "faithfull"),
    ):  # fmt: skip
        assert f"THE PLAN&#x27;S {part} NAMES WHAT THESE DATA DO NOT HOLD: {names}." in first


def test_the_wilcoxon_row_names_its_method_above_the_exact_limit(tmp_path: Path) -> None:
    rows = study([(1 + n % 3, 4 + n % 2) for n in range(250)])
    out = report(tmp_path, bundle(tmp_path, rows), "--no-models", "--no-pdf")
    lines = (out / "report.md").read_text(encoding="utf-8").splitlines()
    rows_of = [line for line in lines if "| Wilcoxon, zeros" in line]
    assert len(rows_of) == 2
    assert all("normal with continuity correction" in line for line in rows_of)


def test_pairs_of_scenarios_that_are_not_shown_are_counted(tmp_path: Path) -> None:
    rows = [
        row
        for number in range(6)
        for person, (x, y) in enumerate([(2, 4), (3, 3), (1, 5), (4, 2)], start=1)
        for row in trial(f"p{person}", x, 1 + (y + number * person) % 5, scenario=f"s{number}")
    ]
    page = plain_signs(report(tmp_path, bundle(tmp_path, rows), "--no-models", "--no-pdf"))
    assert "of 15 pairs of scenarios the first 10 are shown" in page


def test_an_undefined_test_is_told_without_an_empty_interval(tmp_path: Path) -> None:
    page = plain_signs(report(tmp_path, bundle(tmp_path, study([(3, 4)])), "--no-pdf"))
    assert "= +1.00 points (n = 1); no t test: too few complete pairs." in page


def test_rules_that_leave_nobody_are_a_report_of_that(tmp_path: Path) -> None:
    rows = [replace(row, status="partial") for row in study([(1, 2), (2, 3), (2, 2)])]
    path = bundle(tmp_path, rows, plan={"exclusions": [{"rule": "incomplete"}]})
    page = plain_signs(report(tmp_path, path))
    assert "Left out (did not reach the end): p1, p2, p3" in page
    assert "This study has no ratings." in page

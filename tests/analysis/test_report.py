"""`python -m analysis report`: one study in, one set of files out."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from analysis.commands import run
from analysis.report.pages import design_page
from analysis.report.typesetting import typeset
from analysis.report.words import LANGUAGES, texts
from analysis.saying import ENGLISH
from analysis.schema import LongRow
from tests.analysis.studies import N33, bundle, choice, rating, study, text_file

# A whole report takes seconds, and many of them on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def report(folder: Path, path: Path, *arguments: str) -> Path:
    out = folder / "out"
    assert run(["report", str(path), "--out", str(out), *arguments]) == 0
    return out


@pytest.fixture(scope="module")
def n33(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(tmp_path_factory.mktemp("n33"), N33)


def crossed(people: int = 24) -> list[LongRow]:
    """Two scenarios, two cohorts, both positions and orders, times: a whole study."""
    dice = random.Random(3)
    rows: list[LongRow] = []
    for number in range(1, people + 1):
        for place, scenario in enumerate(("energy", "stalemate"), start=1):
            left = "baseline" if (number + place) % 2 else "apg"
            first, second = dice.randint(1, 4), dice.randint(2, 5)
            order = place if number % 3 else 3 - place
            trial = [
                rating(f"p{number}", "baseline", first, scenario=scenario, left=left),
                rating(f"p{number}", "apg", second, scenario=scenario, left=left),
                replace(
                    choice(f"p{number}", dice.choice(["apg", "apg", "baseline", "neither"])),
                    scenario=scenario, left_arm=left,
                ),
            ]  # fmt: skip
            minutes = 1 + dice.randint(0, 8)
            rows += [
                replace(
                    row, trial_order=order, cohort="expert" if number % 2 else "crowd",
                    answered_at=f"2026-11-30T10:{minutes:02d}:00Z",
                )
                for row in trial
            ]  # fmt: skip
    return rows


def plain_signs(folder: Path) -> str:
    """The page with its hard blanks and minus signs as they are typed."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    return page.replace("\u00a0", " ").replace("\u2212", "-")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    plan = {"exclusions": [{"rule": "too_fast", "value": 90}], "preregistered": True}
    pairs = {"energy": {"fidelity_difference": 0.3}, "stalemate": {"fidelity_difference": 0.7}}
    return report(folder, bundle(folder, crossed(), plan=plan, pairs=pairs), "--no-pdf")


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
        "the variance between participants is at zero",
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


def test_it_speaks_polish(tmp_path: Path) -> None:
    page = (
        report(tmp_path, N33, "--lang", "pl", "--no-models", "--no-pdf") / "report.html"
    ).read_text()
    assert '<html lang="pl">' in page
    assert "Sprawdzenie planu" in page
    assert "Ograniczenia, których dane nie naprawią" in page


def test_all_languages_have_the_same_texts_and_fields() -> None:
    first, *others = (texts(language) for language in LANGUAGES)
    for other in others:
        # A sentence that results carry has its English beside the code that says it.
        english = {**first, **{f"say_{key}": text for key, text in ENGLISH.items()}}
        assert other.keys() == english.keys()
        for key, text in english.items():
            assert set(re.findall(r"{(\w+)}", other[key])) == set(re.findall(r"{(\w+)}", text)), key


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


def test_a_running_study_shows_its_design_and_no_outcome_by_arm(tmp_path: Path) -> None:
    path = bundle(tmp_path, crossed())
    page = design_page(path)
    assert "Balance of positions and orders" in page
    assert "This page shows no outcome by arm" in page
    # Other ratings under the same design give the same page, but for the file's hash.
    turned = [
        replace(row, value=6 - int(row.value)) if row.kind == "rating" else row for row in crossed()
    ]
    (tmp_path / "other").mkdir()
    other = design_page(bundle(tmp_path / "other", turned))
    hashes = re.compile(r"[0-9a-f]{64}")
    assert hashes.sub("", page) == hashes.sub("", other)


def test_the_check_of_a_running_study_is_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bundle(tmp_path, crossed())

    assert run(["design", str(path), "--out", str(tmp_path / "check"), "--lang", "pl"]) == 0

    page = tmp_path / "check" / "design.html"
    assert capsys.readouterr().out == f"{page}\n"
    assert page.read_text(encoding="utf-8") == design_page(path, language="pl")


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
        numbers = [int(n) for n in re.findall(rf"<(?:caption|figcaption)>{kind} (\d+)\.", page)]
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


def test_markup_in_names_stays_text_in_markdown(tmp_path: Path) -> None:
    rows = [replace(row, scenario="a|`x`*y*\n# z") for row in study([(1, 2), (2, 4), (3, 3)])]
    out = report(tmp_path, bundle(tmp_path, rows), "--no-models", "--no-pdf")
    text = (out / "report.md").read_text(encoding="utf-8")
    assert "\n# z" not in text
    assert "`x`" not in text.replace("\\`", "")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("M = -0.38, [-.5, -1]", "M\u00a0=\u00a0\u22120.38, [\u2212.5, \u22121]"),
        ("2026-11-30 and 1-5", "2026-11-30 and 1-5"),
        ("p < .001, 95 % CI", "p\u00a0<\u00a0.001, 95\u00a0% CI"),
        ("W+ = 3, W- = 0", "W+\u00a0=\u00a03, W\u2212\u00a0=\u00a00"),
        ("a-3 b_-1 sub-2b", "a-3 b_-1 sub-2b"),
    ],
)
def test_minus_signs_and_hard_blanks(typed: str, shown: str) -> None:
    assert typeset(typed) == shown


ENGLISH_WORDS = re.compile(
    r"\b(the|and|of|with|is|was|for|from|not|than|between|paired|undefined|which|report|all|none"
    r"|CI|out|share|difference|exact|neither|both)\b",
    re.IGNORECASE,
)


def test_the_polish_report_is_polish_with_decimal_commas(tmp_path: Path) -> None:
    page = plain_signs(report(tmp_path, N33, "--lang", "pl", "--no-pdf"))
    body, software = page[page.index("<body>") :].split("Oprogramowanie i odtworzenie</h2>")
    said = [unescape(text) for text in re.findall(r">([^<]+)<", body)]
    codes = {"neither", "both"}  # as they stand in the data, beside their label
    assert [text for text in said if ENGLISH_WORDS.search(text) and text not in codes] == []
    assert [text for text in said if re.search(r"\.\d", text)] == []
    assert "p = 0,004" in body
    assert "95% PU [0,28; 1,35]" in body
    assert "żaden warunek w s009 ani w s026 nie ma takiej średniej (2,61; 2,73; 2,45; 3,27)" in body
    assert "Wersja" in software


def test_every_sentence_of_results_has_a_polish_one(tmp_path: Path) -> None:
    # Notices, rules, reasons: whatever a small, odd study makes results say.
    rows = [
        *(replace(row, models="offline") for row in study([(1, 2), (2, 3), (3, 4)])),
        replace(rating("p8", "apg", 3), status="partial"),
    ]
    plan = {"exclusions": [{"rule": "incomplete"}]}
    out = report(tmp_path, bundle(tmp_path, rows, plan=plan), "--lang", "pl", "--no-pdf")
    body = plain_signs(out).split("Oprogramowanie i odtworzenie</h2>")[0].split("<body>")[1]
    body = body.replace("a study made up for a test", "").replace("A small study", "")
    said = [unescape(text) for text in re.findall(r">([^<]+)<", body)]
    assert [text for text in said if ENGLISH_WORDS.search(text)] == []
    assert "nie dotarli do końca" in body
    assert "każda różnica w mierze trust, apg minus baseline, wynosi +1,00 (n = 3)" in body

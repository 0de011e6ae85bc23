"""Reports in Polish, and signs and markup in any language."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from analysis.report.typesetting import typeset
from analysis.report.words import LANGUAGES, texts
from analysis.saying import ENGLISH
from tests.analysis.reports import plain_signs, report
from tests.analysis.studies import N33, bundle, rating, study

# A whole report takes seconds, and many of them on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


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
    codes = re.compile(r"\b(neither|both) = ")  # as they stand in the data, beside their label
    assert [text for text in said if ENGLISH_WORDS.search(codes.sub("", text))] == []
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

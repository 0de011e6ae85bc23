from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from apg_engine import (
    GateConfig,
    GateResult,
    Label,
    MemoryJournal,
    ModelSpec,
    Quote,
    SentenceKind,
    Trace,
    gate,
    models_from_config,
    result_to_dict,
)
from apg_engine.cli.parser import main
from apg_engine.provenance.verification import run_load
from apg_engine.reporting.markdown import report_markdown
from apg_engine.reporting.page import page_render
from apg_engine.reporting.words import REPORT_WORDS
from apg_engine.results import Outcome
from tests.apg_engine.provenance.runs import offline_run
from tests.apg_engine.traces_for_tests import agreeing, two_sided


def result_of(trace: Trace, **settings: object) -> GateResult:
    config = replace(GateConfig(), **settings)  # type: ignore[arg-type]  # a test's own fields
    models = models_from_config(config, environment={})
    return gate(trace, config=config, models=models, journal=MemoryJournal())


def told(result: GateResult, language: str = "en") -> str:
    return report_markdown(
        result, title="The valley", question="How should it be shared?", language=language
    )


def test_a_divergence_is_told_with_history_sentences_conflicts_and_gaps() -> None:
    result = result_of(two_sided())

    text = told(result)

    assert result.apg_text in text
    assert result.baseline_text in text
    for pair in result.pairs:
        assert pair.counts is not None
        row = next(line for line in text.split("\n") if line.startswith(f"| {pair.number} |"))
        ways = (pair.counts.paper, pair.counts.strict, pair.counts.pf_all)
        assert [cell.split(" ")[1] for cell in row.split("|")[2:5]] == [
            f"{count.supported}/{count.total}" for count in ways
        ]
    assert "Demands of 48 MW (26 + 22) meet 40 MW; 8 MW are missing." in text
    assert "The flow of the river has not been measured." in text
    assert "It does not say what is true" in text
    assert "rules, no language model" in text
    assert result.trace_sha256 in text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "one party's claim told alone can pass"), ("pl", "twierdzenie jednej strony może")],
)
def test_what_the_policy_of_the_paper_lets_pass_is_said(language: str, words: str) -> None:
    assert words in told(result_of(two_sided()), language)


def test_who_steered_and_who_measured_is_told() -> None:
    text = told(result_of(two_sided(), measured_by=ModelSpec()))

    assert "offline ladder auditor 1 measured, and steered nothing: first draft" in text
    assert "Stances of the debate in the draft of pair 3: 2 of 2." in text


def test_every_quote_of_the_shown_draft_stands_beside_its_address() -> None:
    result = result_of(agreeing())
    text = told(result)

    quotes = [quote for v in result.pairs[-1].verdicts for quote in v.supporting]
    assert quotes
    for quote in quotes:
        assert f"{quote.address}\\[{quote.start}:{quote.end}\\] “{quote.text}”" in text


def test_a_run_that_was_not_judged_is_told_too() -> None:
    polite = ModelSpec(kind="scripted", name="polite", script=("Thank you.",))

    text = told(result_of(two_sided(), proposer=polite))

    assert "could not be judged" in text
    assert "no_claims" in text
    assert "not counted" in text


def test_the_whole_report_is_there_in_polish() -> None:
    result = result_of(two_sided())
    text = told(result, "pl")

    for english in ("Published text", "Sentences", "Missing evidence", "supported by", "Threshold"):
        assert english not in text
    for polish in ("Opublikowany tekst", "Zdania", "Brakujące dane", "Próg"):
        assert polish in text


@pytest.mark.parametrize("language", REPORT_WORDS)
def test_each_language_has_a_word_for_everything(language: str) -> None:
    words = REPORT_WORDS[language]

    assert set(words.labels) == set(Label)
    assert set(words.kinds) == set(SentenceKind)
    assert set(words.outcomes) == set(Outcome)


def test_private_traces_are_named_and_never_repeated() -> None:
    result = result_of(agreeing())
    secret = Quote("P1.1", 0, 6, "secret")
    pair = result.pairs[-1]
    first = replace(pair.verdicts[0], nearest=(secret,))
    shown = replace(pair, verdicts=(first, *pair.verdicts[1:]))
    text = told(replace(result, pairs=(*result.pairs[:-1], shown)))

    assert "P1.1" in text
    assert "secret" not in text


class Tags(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_a_hostile_text_makes_no_element_of_its_own() -> None:
    bad = (
        '<script>alert(1)</script> ![x](http://example.org/x.png "t") [y](javascript:alert(1)) '
        "<img src=x onerror=alert(1)> <http://example.org> | a | b |"
    )
    result = result_of(two_sided())
    result = replace(result, baseline_text=bad, detail=bad)
    page = page_render(
        report_markdown(result, title=bad, question=bad, language="en"), title=bad, language="en"
    )

    names = {name for name, _ in Tags(page).tags}
    assert not names & {"script", "img", "a", "iframe", "link"}
    for name, attributes in Tags(page).tags:
        assert not {key for key in attributes if key.startswith("on")}, name
    assert "default-src 'none'" in page


def test_tables_and_languages_reach_the_page() -> None:
    page = page_render(told(result_of(two_sided()), "pl"), title="Ż", language="pl")

    assert ("html", {"lang": "pl"}) in Tags(page).tags
    assert "table" in {name for name, _ in Tags(page).tags}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return offline_run(tmp_path / "run", two_sided())


def test_the_command_tells_a_run_in_any_form(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run_load(run).result
    assert main(["report", str(run)], environment={}) == 3
    assert result.apg_text in capsys.readouterr().out

    assert main(["report", str(run), "--published"], environment={}) == 3
    assert capsys.readouterr().out.strip() == result.apg_text

    assert main(["report", str(run), "--json"], environment={}) == 3
    assert json.loads(capsys.readouterr().out) == result_to_dict(result)

    out = tmp_path / "page.html"
    arguments = ["report", str(run), "--format", "html", "--language", "pl", "--out", str(out)]
    assert main(arguments, environment={}) == 3
    assert capsys.readouterr().out == ""
    assert '<html lang="pl">' in out.read_text("utf-8")


def test_a_run_that_does_not_hold_is_not_told(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "report.md").write_text("All is well.")

    assert main(["report", str(run)], environment={}) == 2
    told_so = capsys.readouterr()
    assert "report.md" in told_so.err
    assert told_so.out == ""

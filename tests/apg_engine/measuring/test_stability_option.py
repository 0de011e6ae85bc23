from __future__ import annotations

import json
from pathlib import Path

import pytest

from apg_engine import trace_to_dict
from apg_engine.auditors.nli_settings import NliSettings, settings_to_dict
from apg_engine.calibration.card_files import card_read
from apg_engine.cli.parser import main
from tests.apg_engine.auditors.scorers import bag_folder
from tests.apg_engine.traces_for_tests import agreeing

DRAFT = "The clinic can run on 16 MW without the old boiler. A fair plan serves everyone.\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    text, trace = tmp_path / "draft.md", tmp_path / "trace.json"
    text.write_text(DRAFT)
    trace.write_text(json.dumps(trace_to_dict(agreeing())))
    return str(text), str(trace)


def test_flips_are_told_and_stand_on_the_card(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, trace = files
    card = tmp_path / "card.json"
    options = ["--repeat", "3", "--prompts", "2", "--write-card", str(card)]

    main(["audit", text, "--corpus", trace, *options], environment={})

    assert "verdicts changed on repeat: 0 of 4 (no rate under 30)" in capsys.readouterr().out
    assert [(one.what, one.changed, one.n) for one in card_read(card).flips] == [
        ("repeat", 0, 4),
        ("order", 0, 2),
        ("padding", 0, 2),
    ]


def test_flips_are_part_of_the_json(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    text, trace = files

    main(["audit", text, "--corpus", trace, "--repeat", "2", "--json"], environment={})
    told = json.loads(capsys.readouterr().out)
    main(["audit", text, "--corpus", trace, "--json"], environment={})

    assert [one["what"] for one in told["flips"]] == ["repeat", "order", "padding"]
    assert "flips" not in json.loads(capsys.readouterr().out)


def test_without_a_card_none_is_written(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, trace = files
    script, card = tmp_path / "script.json", tmp_path / "card.json"
    script.write_text('["{}", "{}"]')
    judge = ["--auditor", f"scripted:{script}", "--write-card", str(card)]

    status = main(["audit", text, "--corpus", trace, *judge], environment={})

    assert status == 2
    assert "--auditor-card" in capsys.readouterr().err
    assert not card.exists()


def test_a_local_cross_encoder_is_named_from_the_shell(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, trace = files
    folder = bag_folder(tmp_path)

    for named, shown in (("nli", "auditor: nli bag"), ("ladder+nli", "with veto by nli bag")):
        main(["audit", text, "--corpus", trace, "--auditor", f"{named}:{folder}"], environment={})

        assert shown in capsys.readouterr().out


def test_thresholds_of_another_model_are_refused_from_the_shell(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, trace = files
    thresholds = tmp_path / "thresholds.json"
    thresholds.write_text(json.dumps(settings_to_dict(NliSettings(model_sha256="a" * 64))))
    named = ["--auditor", f"nli:{bag_folder(tmp_path)}", "--auditor-thresholds", str(thresholds)]

    assert main(["audit", text, "--corpus", trace, *named], environment={}) == 2
    assert "measured with model aaaaaaaaaaaa" in capsys.readouterr().err

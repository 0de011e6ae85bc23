"""Settings and files that make no sense are refused; unusual ones work."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import AnalysisError, BundleError, OptionError, ids_shorten
from analysis.load import LoadOptions, load
from analysis.report.numbers import Numbers
from analysis.report.words import Words
from analysis.reproduce import run
from analysis.results.plain import lookup, plain
from analysis.results.published import published_compare
from analysis.stats.agreement import icc, krippendorff
from analysis.stats.bayes import jzs
from analysis.stats.binomial import binomial_p_half
from analysis.stats.consistency import Printed, sums_possible
from analysis.stats.describe import correlation
from analysis.stats.effects import d_av, d_av_normal_ci, g_av, g_z, hedges_factor
from analysis.stats.equivalence import tost
from analysis.stats.groups import one_way, rank_correlation, two_sample
from analysis.stats.likelihood import OrdinalData
from analysis.stats.mixed import ordinal_clustered, ordinal_gee
from analysis.stats.paired import Interval, paired_t
from analysis.stats.power import power, sensitivity
from analysis.stats.ranks import hodges_lehmann, superiority
from analysis.stats.undefined import Reason
from tests.analysis.studies import MANIFEST, N33, ROW, bundle, study, text_file

EN, PL = Numbers("en"), Numbers("pl")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_t([1, 2], level=95), "confidence level 95 must lie between 0 and 1"),
        (lambda: tost([1, 2], bound=0), "equivalence bound 0 must be a positive number"),
        (lambda: jzs(paired_t([1, 2]), scale=-1), "prior scale -1 must be positive"),
        (lambda: power(0.5, 1), "n = 1 must be more than 1"),
        (lambda: sensitivity(20, wanted=1.2), "power 1.2 must lie between alpha"),
        (lambda: sums_possible(Printed("3", "1"), n=1, scale=(1, 5)), "n = 1 must be at least 2"),
        (lambda: sums_possible(Printed("3", "1"), n=9, scale=(5, 1)), "scale 5-1 must run"),
        (lambda: Words("tlh"), "language 'tlh'; known: en, pl"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        call()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--arms", "apg"], "must be two names"),
        (["--arms", "apg,apg"], "must be two names"),
        (["--scale", "5-1"], "must be two whole numbers"),
        (["--columns", "trust_apg"], "must be OURS=THEIRS"),
    ],
)
def test_a_word_of_the_command_line_that_makes_no_sense_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(arguments, reference=N33)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_undefined_results_are_null_with_a_reason() -> None:
    flat = [2, 2, 2]
    test = paired_t([0, 0, 0])
    assert (d_av(flat, flat, test).value, d_av_normal_ci(flat, flat)) == (None, None)
    assert d_av([3, 3], [3, 4], paired_t([0, 1])).value is not None
    # R: exp(lgamma(df / 2) - log(sqrt(df / 2)) - lgamma((df - 1) / 2)) is 0 for df = 1.
    assert hedges_factor(1) is None
    two = paired_t([1, 3])
    assert (g_z(two).value, g_av([1, 2], [2, 5], two).reason) == (None, Reason.TOO_FEW)
    assert correlation(flat, [1, 2, 3]) is None
    assert two_sample([1], []).reason is Reason.TOO_FEW
    assert two_sample([1, 1], [2, 2]).reason is Reason.ZERO_VARIANCE
    assert one_way({"a": [1], "b": [2]}).reason is Reason.TOO_FEW
    assert one_way({"a": [1, 1], "b": [2, 2]}).reason is Reason.ZERO_VARIANCE
    assert one_way({"a": [1, 1], "b": [1, 1]}).kruskal_h is None
    assert rank_correlation([1, 2], [1, 2]).reason is Reason.TOO_FEW
    assert rank_correlation([1, 2, 3], [2, 2, 2]).reason is Reason.ZERO_VARIANCE
    assert rank_correlation(range(9), range(9)).reason is Reason.DEGENERATE
    assert icc([[1, 2]]).reason is Reason.TOO_FEW
    assert icc([[3, 3], [3, 3]]).reason is Reason.ZERO_VARIANCE
    assert icc([[1, 1], [3, 3]]).ci is None
    assert krippendorff({"a": [1]}).reason is Reason.TOO_FEW
    assert krippendorff({"a": [1, 1], "b": [1, 1]}).reason is Reason.ZERO_VARIANCE
    assert (hodges_lehmann([]), superiority([])) == (None, None)


def test_large_samples_use_a_fast_form_with_the_same_digits() -> None:
    exact = binomial_p_half(960, 2000)
    assert exact is not None
    # Just past the switch the p of nearly the same share is nearly the same.
    assert binomial_p_half(961, 2002) == pytest.approx(exact, rel=0.02)


def test_no_result_that_is_no_number_can_be_written() -> None:
    with pytest.raises(AnalysisError, match="undefined values must be null"):
        plain({"t": math.nan})
    with pytest.raises(AnalysisError, match="'t' is missing"):
        lookup({"a": {}}, "a/t")


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (EN.fixed(-0.001), "0.00"),
        (EN.fixed(None), "-"),
        (EN.bare(-0.5, 2), "-.50"),
        (EN.bare(1.0, 2), "1.00"),
        (EN.p_equals(0.00004), "p < .0001"),
        (EN.p_equals(None), "p undefined"),
        (EN.p_equals(0.0004, 3), "p < .001"),
        (EN.log10_text(14.2), "10^14.2"),
        (EN.log10_text(-0.68), "0.209"),
        (EN.log10_text(None), "-"),
        (EN.p_equals(0.99996), "p > .9999"),
        (EN.p_equals(1.0), "p = 1.0000"),
        (PL.p_equals(0.0039), "p = 0,0039"),
        (PL.p_equals(0.00001), "p < 0,0001"),
        (PL.fixed(-0.001, sign=True), "+0,00"),
        (PL.bracket(Interval(-0.5, 1.25)), "[-0,50; 1,25]"),
        (PL.with_ci(Interval(0, 1, 0.9)), "90% PU [0,00; 1,00]"),
        (PL.percent(0.7576), "75,8%"),
        (
            PL.quoted("t = 3.12, p < .01, 66.7 %, Python 3.11.7"),
            "t = 3,12, p < 0,01, 66,7%, Python 3.11.7",
        ),
        (ids_shorten(("a", "b", "c"), at_most=2), "a, b and 1 more"),
    ],
)
def test_numbers_are_written_as_a_results_section_does(found: str, wanted: str) -> None:
    assert found == wanted


def test_a_reference_with_an_unknown_result_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "published.json"
    claim = {"claim": "x", "printed": "1", "shown": "-", "result": "no/such"}
    path.write_text(json.dumps({"claims": [claim]}))
    with pytest.raises(BundleError, match="no result 'no/such'"):
        published_compare(path, {})


@pytest.mark.parametrize("column", ["background.age", "background.field"])
def test_a_background_answer_that_changes_between_rows_is_refused(
    tmp_path: Path, column: str
) -> None:
    head = f"participant_id,scenario,trust_baseline,trust_apg,{column}\n"
    path = text_file(tmp_path, f"{head}a,s1,2,3,x\na,s2,2,3,y\n")
    with pytest.raises(BundleError, match=f"row 3, column {column}: found 'y', but 'x'"):
        load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trial_order": "first"}, "column trial_order: found 'first'"),
        ({"status": "done"}, "column status: found 'done'; allowed: complete or partial"),
        ({"is_test": "maybe"}, "column is_test: found 'maybe'; allowed: true or false"),
        ({"kind": "rank"}, "column kind: found 'rank'"),
        ({"position": "top"}, "column position: found 'top'"),
    ],
)
def test_each_column_refuses_what_it_cannot_hold(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    cells = {
        "participant_id": "a", "measure": "trust", "arm": "apg", "value": "3", "kind": "rating",
        "trial_order": "1", "status": "complete", "is_test": "false", "position": "left", **change,
    }  # fmt: skip
    path = text_file(tmp_path, f"{','.join(cells)}\n{','.join(cells.values())}\n")
    with pytest.raises(BundleError, match=message):
        load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arms": ["apg", "apg"]}, "two different names"),
        ({"arms": ["apg"]}, "two different names"),
    ],
)
def test_a_manifest_with_broken_arms_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = bundle(tmp_path, study([(1, 2)]))
    folder = tmp_path / "b"
    folder.mkdir()
    (folder / "long.csv").write_text("x")
    head = {"schema": {"name": "apg-bundle", "version": 1}, "difference": "", "files": {}}
    (folder / "manifest.json").write_text(json.dumps({**head, **MANIFEST, **change}))
    with pytest.raises(BundleError, match=message):
        load(folder)
    assert load(path).participants == ("p1",)


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": {"name": "apg-bundle", "version": 1}}'])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(BundleError, match=r"manifest\.json"):
        load(tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("scale", [(1, 2), (1, 4), (1, 7), (0, 10)])
def test_other_scales_are_read_drawn_and_reported(tmp_path: Path, scale: tuple[int, int]) -> None:
    from analysis.commands import run as command

    low, high = scale
    pairs = [(low, high), (low + 1, low), (high, high), (low, low + 1)]
    measures = [{"key": "trust", "kind": "rating", "scale": list(scale)}]
    path = bundle(tmp_path, study(pairs), measures=measures)
    out = tmp_path / "out"
    assert command(["report", str(path), "--out", str(out), "--no-models", "--no-pdf"]) == 0
    assert (out / "figures" / "likert.svg").is_file()


def test_a_scale_of_a_plain_file_can_be_named(tmp_path: Path) -> None:
    path = text_file(tmp_path, "participant_id,trust_baseline,trust_apg\na,0,10\n")
    assert load(path, LoadOptions(scale=(0, 10))).measures[0].scale == (0, 10)


def test_times_that_are_no_times_are_no_times(tmp_path: Path) -> None:
    from analysis.results.exclusions import reading_sensitivity

    first = replace(ROW, presented_at="noon")
    rows = [first, replace(first, arm="apg", position="right")]
    assert reading_sensitivity(load(bundle(tmp_path, rows))) == ()


def test_models_of_tables_too_small_for_them_have_no_slope_and_no_crash() -> None:
    # Both found by random small studies: an SE of zero, and a variance below zero.
    people = ("a", "a", "b", "b")
    flat = OrdinalData((1, 2, 1, 2), {"arm": (0.0, 1.0, 0.0, 1.0)}, people)
    for method in (ordinal_clustered, ordinal_gee):
        found = method(flat, "arm")
        assert found is None or (math.isfinite(found.se or 0) and found.p is not None)
    spread = OrdinalData((1, 2, 3, 4), {"arm": (0.0, 1.0, 0.0, 1.0)}, people)
    assert ordinal_clustered(spread, "arm") is None
    alone = OrdinalData((1, 2, 1, 2), {"arm": (0.0, 1.0, 0.0, 1.0)}, ("a",) * 4)
    assert ordinal_clustered(alone, "arm") is None


def test_agreement_on_columns_that_do_not_vary_has_no_interval() -> None:
    found = icc([[1, 2], [2, 1]])
    assert found.ci is None
    assert found.reason is not Reason.NONE

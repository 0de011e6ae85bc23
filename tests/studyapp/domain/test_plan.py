"""A plan in a study's definition: what it may say, and how a fault in it is told."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from analysis.errors import OptionError
from analysis.load import load
from analysis.results.exclusions import exclusions_apply
from studyapp.domain.definition import StudyDefinition, definition_load
from studyapp.domain.plan import EXCLUSION_RULES
from studyapp.errors import DefinitionError
from tests.analysis.studies import N33
from tests.sample_study import DEMO


def _loaded(plan: object) -> StudyDefinition:
    data = {**json.loads(DEMO.read_text(encoding="utf-8")), "plan": plan}
    return definition_load(data, file_name="study.json")


def test_the_demo_study_states_its_plan() -> None:
    plan = definition_load(
        json.loads(DEMO.read_text(encoding="utf-8")), file_name="study.json"
    ).plan

    assert plan["equivalence_bound"] == 0.5
    assert set(plan["primary"]) <= set(plan["family"])
    assert plan["preregistered"] is False


def test_a_study_needs_no_plan() -> None:
    data = json.loads(DEMO.read_text(encoding="utf-8"))
    del data["plan"]

    assert definition_load(data, file_name="study.json").plan == {}


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ([], "plan: found []; allowed: a JSON object"),
        ({"familly": []}, "plan: found 'familly'; allowed: the keys preregistered, note, primary"),
        (
            {"family": ["moon.trust"]},
            "plan: family: found 'moon.trust'; allowed: <scenario>.<measure>, each once: energy.a",
        ),
        ({"family": ["energy.comment"]}, "plan: family: found 'energy.comment'"),
        ({"family": ["energy.trust", "energy.trust"]}, "plan: family: found 'energy.trust'"),
        ({"family": []}, "plan: family: found []"),
        ({"family": [["energy.trust"]]}, "plan: family: found ['energy.trust']"),
        (
            {"family": ["energy.trust"], "primary": ["energy.faithful"]},
            "plan: primary: found 'energy.faithful'; allowed: a test of the plan's family",
        ),
        ({"equivalence_bound": 0}, "plan: equivalence_bound: found 0; allowed: scale points above"),
        ({"equivalence_bound": 4}, "found 4; allowed: scale points above 0 and below 4"),
        ({"equivalence_bound": True}, "plan: equivalence_bound: found True"),
        ({"equivalence_bound": float("nan")}, "plan: equivalence_bound: found nan"),
        ({"exclusions": [{"rule": "mood"}]}, "one of incomplete, too_fast, straight_lining"),
        ({"exclusions": [{"rule": ["mood"]}]}, "one of incomplete, too_fast, straight_lining"),
        ({"exclusions": [{"rule": "attention"}]}, 'attention with a whole "value" from 0'),
        (
            {"exclusions": [{"rule": "minimum_exposure", "item_kind": "turn", "value": 9}]},
            'minimum_exposure with an "item_kind" of trace, report, pair',
        ),
        (
            {"exclusions": [{"rule": "scroll_coverage", "item_kind": "trace", "value": 1.5}]},
            'scroll_coverage with a "value" above 0, at most 1',
        ),
        ({"exclusions": ["incomplete"]}, "plan: exclusions: found 'incomplete'"),
        ({"exclusions": [{"rule": "too_fast"}]}, 'too_fast with a whole "value" from 1'),
        ({"exclusions": [{"rule": "incomplete", "value": 3}]}, "incomplete without a value"),
        ({"ordered": ["background.mood"]}, "plan: ordered: found 'background.mood'"),
        ({"preregistered": "yes"}, "plan: preregistered: found 'yes'; allowed: true or false"),
        ({"note": " "}, "plan: note: found ' '; allowed: text of 1 to 1000 characters"),
        ({"limits": "few"}, "plan: limits: found 'few'; allowed: a list"),
        ({"calibration": {"rating": "faithful", "choice": "trust"}}, "plan: calibration: found"),
        (
            {"groups": {"g": {"of": "background.mood", "levels": {}}}},
            "plan: groups: g: found",
        ),
        (
            {"groups": {"g": {"of": "background.field", "levels": {"a": ["law"], "b": []}}}},
            "plan: groups: g: found 'law'; allowed: each once: computing",
        ),
        (
            {"groups": {"g": {"of": "background.field", "levels": {"a": ["health"]}}}},
            "two groups of answers or more",
        ),
    ],
)
def test_it_names_the_key_what_was_found_and_what_is_allowed(plan: object, message: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        _loaded(plan)

    assert str(refused.value).startswith("study.json: plan")
    assert message in str(refused.value)


def test_an_order_may_name_a_group_of_the_plan() -> None:
    rule = {"of": "background.field", "levels": {"a": ["health"], "b": ["computing"]}}

    plan = {"groups": {"g": rule}, "ordered": ["g", "background.age_group"]}

    assert _loaded(plan).plan == plan


@pytest.mark.parametrize("rule", sorted(EXCLUSION_RULES))
def test_analysis_knows_every_rule_a_plan_may_state(rule: str) -> None:
    least = EXCLUSION_RULES[rule]
    entry: dict[str, object] = {"rule": rule} if least is None else {"rule": rule, "value": least}
    if rule in ("minimum_exposure", "scroll_coverage"):
        entry["item_kind"] = "report"
    dataset = replace(load(N33), plan={"exclusions": [entry]})

    # Of the published answers neither times nor attention are known: such rules are known too, and
    # refused for want of them.
    if rule in ("incomplete", "straight_lining"):
        assert exclusions_apply(dataset).participants
    else:
        with pytest.raises(OptionError, match="which the data do not hold"):
            exclusions_apply(dataset)

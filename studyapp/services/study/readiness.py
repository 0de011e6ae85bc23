"""What a study needs before anybody may walk it, in a pilot or live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studyapp.domain.background import background_load
from studyapp.domain.measures import measures_load
from studyapp.domain.passages import gaps_list
from studyapp.domain.plan import PlanScope, plan_check
from studyapp.domain.rules import rules_load
from studyapp.domain.texts import texts_load
from studyapp.domain.time_pressure import AtZero, time_pressure_load
from studyapp.domain.titles import title_problem
from studyapp.errors import MeasureError, NoContrastError, PlanError, StudyNotReadyError
from studyapp.models import Scenario, Study
from studyapp.selectors.texts import texts_of
from studyapp.selectors.wording import content_of

_NAMED: Final = 5


def ready_check(study: Study) -> None:
    """Refuse a study in which something is missing.

    Raises:
        NoContrastError: both texts of a scenario are one text.
        StudyNotReadyError: something a participant needs is missing; lists everything.
    """
    scenarios = list(study.scenarios.select_related("pair", "trace").order_by("position"))
    equal = [row.label for row in scenarios if row.pair and not row.pair.has_contrast]
    if equal:
        raise NoContrastError(
            f"no contrast in {', '.join(equal)}: the first draft passed the gate, so both reports "
            "are one text and there is nothing to compare. Take the scenario out of the study."
        )
    problems = [f"{row.label} has no texts yet." for row in scenarios if row.pair is None]
    if not scenarios:
        problems.append("The study has no scenario.")
    problems += _titles_problems(study, scenarios)
    problems += _questions_problems(study)
    problems += _translations_problems(study)
    problems += _time_problems(study, scenarios)
    if problems:
        raise StudyNotReadyError(problems)


def _titles_problems(study: Study, scenarios: Sequence[Scenario]) -> list[str]:
    arms = (study.reference_arm, study.treatment_arm)
    found = ((row.title, title_problem(row.title, arms=arms)) for row in scenarios)
    return [
        f"Participants would read the title {title!r}: {problem}."
        for title, problem in found
        if problem
    ]


def _questions_problems(study: Study) -> list[str]:
    try:
        measures = measures_load(study.measures)
        background = background_load(study.background)
        texts_load(texts_of(study))
    except MeasureError as error:
        return [f"The questions or texts are not complete: {error}."]
    if not measures:
        return ["The study asks nothing about its reports."]
    return _plan_problems(study, PlanScope(measures, background, _scenario_keys(study)))


def _translations_problems(study: Study) -> list[str]:
    """A language that is offered is whole: nobody meets two languages on one page."""
    content = content_of(study)
    lacking: dict[str, list[str]] = {}
    for language, passage in gaps_list(content):
        if language != content.language:
            lacking.setdefault(language, []).append(passage.name)
    return [
        f"The translation {language} lacks {len(names)} texts: {', '.join(names[:_NAMED])}"
        f"{' and more' if len(names) > _NAMED else ''}."
        for language, names in lacking.items()
    ]


def _time_problems(study: Study, scenarios: Sequence[Scenario]) -> list[str]:
    """Where answers are locked at zero, there must be time to see what they are about."""
    rules = rules_load(study.rules)
    turns = max((len(row.trace.content["turns"]) for row in scenarios), default=0)
    problems = []
    for cohort in study.cohorts.order_by("pk"):
        pressure = time_pressure_load(cohort.time_pressure)
        least = max(pressure.unfolding_seconds(turns), rules.debate_seconds) + rules.reports_seconds
        if pressure.at_zero is AtZero.LOCK and 0 < pressure.seconds <= least:
            problems.append(
                f"Cohort {cohort.name} locks answers after {pressure.seconds} seconds, but the "
                f"turns at their pace and the least times need {least}: nobody could answer."
            )
    return problems


def _plan_problems(study: Study, scope: PlanScope) -> list[str]:
    """A scenario may have been taken out since the plan was read."""
    try:
        plan_check(study.plan, scope)
    except PlanError as error:
        return [f"The plan does not fit the study: {error}."]
    return []


def _scenario_keys(study: Study) -> list[str]:
    return list(study.scenarios.order_by("position").values_list("key", flat=True))

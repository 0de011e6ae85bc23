"""A study's definition as one JSON file: read, checked and brought into one form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studyapp.domain.background import background_load
from studyapp.domain.instruments import instruments_expand
from studyapp.domain.measures import measures_load
from studyapp.domain.panel import panel_load
from studyapp.domain.plan import PlanScope, plan_check
from studyapp.domain.question_keys import keys_check
from studyapp.domain.rules import rules_load
from studyapp.domain.screening import ScreeningKind, screening_load
from studyapp.domain.study_content import CohortContent, StudyContent
from studyapp.domain.texts import texts_check
from studyapp.domain.time_pressure import time_pressure_load
from studyapp.domain.titles import title_problem
from studyapp.domain.translations import translations_check
from studyapp.errors import DefinitionError, MeasureError, PlanError

FORMAT: Final = "apg-study"
VERSION: Final = 1
DEMO: Final = "demo"
KINDS: Final = ("study", DEMO)
COHORT_KINDS: Final = ("open", "crowd", "students", "experts")
OPEN, BROWSER, PERSONAL, PANEL = "open", "browser", "personal", "panel"
LINK_KINDS: Final = (OPEN, BROWSER, PERSONAL, PANEL)
# Column names and answers of the bundle; an arm called "both" could not be told from an answer.
_RESERVED_ARMS: Final = frozenset({"neither", "both", "left", "right"})
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SEED_LIMIT: Final = 2**63


@dataclass(frozen=True, slots=True)
class CohortPlan:
    """A cohort to create; no quota means no limit, and no background the study's questions."""

    name: str
    quota: int | None = None
    kind: str = "open"
    link: str = "browser"
    panel: Mapping[str, Any] = field(default_factory=dict)
    background: tuple[Mapping[str, Any], ...] | None = None
    instructions: str = ""
    time_pressure: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScenarioPlan:
    """A scenario to create; `trace` names its debate's file relative to the definition."""

    key: str
    title: str
    trace: str


@dataclass(frozen=True, slots=True)
class StudyDefinition:
    """What a study compares, asks and shows; the questions, texts and plan stay JSON data."""

    slug: str
    title: str
    kind: str
    is_test: bool
    seed: int
    reference_arm: str
    treatment_arm: str
    cohorts: tuple[CohortPlan, ...]
    scenarios: tuple[ScenarioPlan, ...]
    measures: tuple[Mapping[str, Any], ...]
    background: tuple[Mapping[str, Any], ...]
    texts: Mapping[str, Any]
    plan: Mapping[str, Any]
    screening: tuple[Mapping[str, Any], ...] = ()
    translations: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    quota: int | None = None


def definition_load(data: object, *, file_name: str) -> StudyDefinition:
    """Read a definition.

    Raises:
        DefinitionError: a key is missing or holds something that is not allowed.
    """
    reader = _Reader(file_name)
    row = reader.mapping(data, "the file")
    _format_check(reader, row)
    arms = reader.mapping(row.get("arms"), "arms")
    definition = StudyDefinition(
        slug=reader.name(row, "slug"),
        title=reader.text(row, "title", limit=200),
        kind=reader.one_of(row, "kind", KINDS),
        # The demo study is for trying things out: its answers are never evidence.
        is_test=reader.flag(row, "test") or row.get("kind") == DEMO,
        seed=reader.integer(row, "seed"),
        reference_arm=reader.name(arms, "reference"),
        treatment_arm=reader.name(arms, "treatment"),
        cohorts=tuple(_cohort(reader, item) for item in reader.rows(row, "cohorts")),
        scenarios=tuple(_scenario(reader, item) for item in reader.rows(row, "scenarios")),
        measures=_measures(reader, row),
        background=tuple(reader.rows(row, "background")),
        texts=reader.mapping(row.get("texts"), "texts"),
        plan=reader.mapping(row.get("plan", {}), "plan"),
        screening=tuple(reader.rows({"screening": [], **row}, "screening")),
        translations=reader.mapping(row.get("translations", {}), "translations"),
        rules=reader.mapping(row.get("rules", {}), "rules"),
        quota=_quota(reader, row, "quota"),
    )
    _definition_check(reader, definition)
    return definition


class _Reader:
    """Reads JSON values and says where one is not what it must be."""

    def __init__(self, file_name: str) -> None:
        self.file = file_name

    def refuse(self, place: str, found: object, allowed: str) -> DefinitionError:
        shown = "nothing" if found is None else repr(found)[:80]
        return DefinitionError(file=self.file, place=place, found=shown, allowed=allowed)

    def mapping(self, value: object, place: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise self.refuse(place, value, "a JSON object")
        return value

    def rows(self, row: Mapping[str, Any], place: str) -> Sequence[Mapping[str, Any]]:
        value = row.get(place)
        if not isinstance(value, list | tuple):
            raise self.refuse(place, value, "a list of JSON objects")
        return [self.mapping(item, f"{place}[{index}]") for index, item in enumerate(value)]

    def text(self, row: Mapping[str, Any], place: str, *, limit: int) -> str:
        value = row.get(place)
        if not isinstance(value, str) or not 0 < len(value.strip()) <= limit:
            raise self.refuse(place, value, f"text of 1 to {limit} characters")
        return value.strip()

    def name(self, row: Mapping[str, Any], place: str) -> str:
        value = row.get(place)
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise self.refuse(place, value, "1 to 40 of a-z, 0-9, - and _")
        return value

    def integer(self, row: Mapping[str, Any], place: str) -> int:
        value = row.get(place)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= _SEED_LIMIT:
            raise self.refuse(place, value, "a whole number below 2**63")
        return value

    def flag(self, row: Mapping[str, Any], place: str) -> bool:
        value = row.get(place, False)
        if not isinstance(value, bool):
            raise self.refuse(place, value, "true or false")
        return value

    def one_of(self, row: Mapping[str, Any], place: str, allowed: Sequence[str]) -> str:
        value = row.get(place)
        if value not in allowed:
            raise self.refuse(place, value, " or ".join(allowed))
        return str(value)

    def distinct(self, place: str, names: Sequence[str]) -> None:
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise self.refuse(place, ", ".join(doubled), "each name once")


def _format_check(reader: _Reader, row: Mapping[str, Any]) -> None:
    if row.get("format") != FORMAT:
        raise reader.refuse("format", row.get("format"), FORMAT)
    if row.get("version") != VERSION:
        raise reader.refuse("version", row.get("version"), str(VERSION))


def _measures(reader: _Reader, row: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    try:
        return instruments_expand(reader.rows(row, "measures"))
    except MeasureError as error:
        raise reader.refuse("measures: use", str(error), "the name of an instrument") from error


def _cohort(reader: _Reader, row: Mapping[str, Any]) -> CohortPlan:
    background = row.get("background")
    cohort = CohortPlan(
        name=reader.name(row, "name"),
        quota=_quota(reader, row, "cohorts: quota"),
        kind=reader.one_of({"kind": "open", **row}, "kind", COHORT_KINDS),
        link=reader.one_of({"link": "browser", **row}, "link", LINK_KINDS),
        panel=reader.mapping(row.get("panel", {}), "cohorts: panel"),
        background=None if background is None else tuple(reader.rows(row, "background")),
        instructions=str(row.get("instructions", "")).strip(),
        time_pressure=reader.mapping(row.get("time_pressure", {}), "cohorts: time_pressure"),
    )
    if (cohort.link == PANEL) != bool(cohort.panel):
        raise reader.refuse("cohorts: panel", cohort.panel, "an object where link is panel")
    return cohort


def _quota(reader: _Reader, row: Mapping[str, Any], place: str) -> int | None:
    quota = row.get("quota")
    if quota is None:
        return None
    if not isinstance(quota, int) or isinstance(quota, bool) or quota < 1:
        raise reader.refuse(place, quota, "a whole number from 1, or null")
    return quota


def _scenario(reader: _Reader, row: Mapping[str, Any]) -> ScenarioPlan:
    return ScenarioPlan(
        key=reader.name(row, "key"),
        # Without a title participants read which of their debates it is.
        title=reader.text(row, "title", limit=200) if row.get("title") else "",
        trace=reader.text(row, "trace", limit=255),
    )


def _definition_check(reader: _Reader, definition: StudyDefinition) -> None:
    arms = (definition.reference_arm, definition.treatment_arm)
    reader.distinct("arms", arms)
    for arm in arms:
        if arm in _RESERVED_ARMS:
            raise reader.refuse("arms", arm, "a name other than neither, both, left and right")
    if not definition.cohorts:
        raise reader.refuse("cohorts", [], "at least one cohort")
    reader.distinct("cohorts", [cohort.name for cohort in definition.cohorts])
    reader.distinct("scenarios", [scenario.key for scenario in definition.scenarios])
    _titles_check(reader, definition)
    try:
        measures = measures_load(definition.measures)
        background = background_load(definition.background)
        keys_check("measures", [row.key for row in measures])
        keys_check("background", [row.key for row in background])
        _cohorts_check(definition)
        _rules_check(definition)
        texts_check(definition.texts)
        translations_check(_content(definition), arms=arms)
    except MeasureError as error:
        raise reader.refuse("questions or texts", str(error), "the demo study's form") from error
    try:
        keys = [scenario.key for scenario in definition.scenarios]
        plan_check(definition.plan, PlanScope(measures, background, keys))
    except PlanError as error:
        raise DefinitionError(
            file=reader.file, place=error.place, found=error.found, allowed=error.allowed
        ) from error


def _cohorts_check(definition: StudyDefinition) -> None:
    for cohort in definition.cohorts:
        asked = background_load(cohort.background or ())
        keys_check(f"cohorts: {cohort.name}: background", [row.key for row in asked])
        time_pressure_load(cohort.time_pressure)
        if cohort.panel:
            panel_load(cohort.panel)


def _content(definition: StudyDefinition) -> StudyContent:
    return StudyContent(
        texts=definition.texts,
        measures=definition.measures,
        background=definition.background,
        screening=definition.screening,
        scenarios={row.key: row.title for row in definition.scenarios},
        cohorts={
            row.name: CohortContent(row.instructions, row.background) for row in definition.cohorts
        },
        translations=definition.translations,
    )


def _rules_check(definition: StudyDefinition) -> None:
    asked = {question.key: question for question in screening_load(definition.screening)}
    keys_check("screening", asked)
    for key, quotas in rules_load(definition.rules).strata.items():
        if key not in asked:
            raise MeasureError(f"rules: strata names {key!r}, which is no screening question")
        if asked[key].kind is not ScreeningKind.ELIGIBILITY:
            raise MeasureError(f"rules: strata names {key!r}, which does not ask for eligibility")
        offered = {option.value for option in asked[key].options}
        if set(quotas) - offered:
            raise MeasureError(f"rules: strata: {key} has quotas for values that it does not offer")


def _titles_check(reader: _Reader, definition: StudyDefinition) -> None:
    arms = (definition.reference_arm, definition.treatment_arm)
    for scenario in definition.scenarios:
        problem = title_problem(scenario.title, arms=arms)
        if problem:
            allowed = f"a title that participants may read ({problem})"
            raise reader.refuse("scenarios: title", scenario.title, allowed)

"""What all rows of an export share, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from studyapp.domain.background import background_load
from studyapp.domain.measures import Measure, MeasureKind, measures_load
from studyapp.domain.panel import panel_load
from studyapp.domain.time_pressure import time_pressure_load
from studyapp.models import Cohort, LinkKind, Study
from studyapp.seams import analysis, engine
from studyapp.selectors.words import cohort_background

# Enough of a hash to tell the pairs of any study apart.
_TOKEN_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class CohortHead:
    """A cohort as its rows name it: where its link was, and its countdown."""

    name: str
    source: str
    time_pressure: str


@dataclass(frozen=True, slots=True)
class ScenarioHead:
    """A scenario as its rows name it; `pair_token` is the beginning of its pair's hash."""

    key: str
    mode: str
    pair_token: str


@dataclass(frozen=True, slots=True)
class StudyHead:
    """What all rows of a study share.

    `background` lists the keys of all cohorts' questions in their order; `cohorts` and
    `scenarios` go by primary key.
    """

    slug: str
    design_hash: str
    reference_arm: str
    treatment_arm: str
    measures: Mapping[str, Measure]
    background: tuple[str, ...]
    cohorts: Mapping[int, CohortHead]
    scenarios: Mapping[int, ScenarioHead]
    blind: bool

    @property
    def mode(self) -> str:
        """`offline` where rules wrote any text, else `own` where researchers brought any."""
        modes = {row.mode for row in self.scenarios.values()}
        return next((mode for mode in (engine.OFFLINE, engine.OWN) if mode in modes), engine.LIVE)

    @property
    def attention(self) -> Mapping[str, str]:
        """The right answer of each attention check, by its key."""
        return {
            measure.key: measure.correct
            for measure in self.measures.values()
            if measure.kind is MeasureKind.ATTENTION
        }

    def arm_at(self, *, left: bool, treatment_is_left: bool) -> str:
        """Name the arm that stood at a position; nothing where the export is blind."""
        if self.blind:
            return ""
        return self.treatment_arm if left == treatment_is_left else self.reference_arm


def study_head(study: Study, *, blind: bool = False) -> StudyHead:
    """Read once what all rows share."""
    cohorts = list(study.cohorts.order_by("pk"))
    return StudyHead(
        slug=study.slug,
        design_hash=study.design_sha256,
        reference_arm=study.reference_arm,
        treatment_arm=study.treatment_arm,
        measures={measure.key: measure for measure in measures_load(study.measures)},
        background=background_keys(study, cohorts),
        cohorts={row.pk: _cohort_head(row) for row in cohorts},
        scenarios=_scenario_heads(study),
        blind=blind,
    )


def background_keys(study: Study, cohorts: list[Cohort]) -> tuple[str, ...]:
    """List the keys of the study's questions, then of those that only a cohort asks."""
    asked = [study.background, *(cohort_background(row) for row in cohorts)]
    return tuple(
        dict.fromkeys(question.key for rows in asked for question in background_load(rows))
    )


def _cohort_head(cohort: Cohort) -> CohortHead:
    seconds = time_pressure_load(cohort.time_pressure).seconds
    return CohortHead(
        name=cohort.name,
        source=_source(cohort),
        time_pressure=str(seconds) if seconds else analysis.NO_PRESSURE,
    )


def _source(cohort: Cohort) -> str:
    if cohort.link_kind == LinkKind.PANEL:
        return panel_load(cohort.panel).provider
    return "invitation" if cohort.link_kind == LinkKind.PERSONAL else "link"


def _scenario_heads(study: Study) -> dict[int, ScenarioHead]:
    rows = study.scenarios.filter(pair__isnull=False).order_by("position")
    values = rows.values_list("pk", "key", "pair__manifest", "pair__sha256")
    return {
        pk: ScenarioHead(key, manifest["models"]["mode"], sha256[:_TOKEN_LENGTH])
        for pk, key, manifest, sha256 in values
    }

"""What the researcher's page of a study shows, if the reader may see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from studyapp.domain.permissions import ALLOWED, Action, Role
from studyapp.domain.states import ENDED
from studyapp.models import Study, StudyKind, StudyState
from studyapp.selectors.arm_key import key_is_sealed, seed_is_secret
from studyapp.selectors.measure_rows import MeasureRow, measure_rows
from studyapp.selectors.permissions import role_of, studies_of
from studyapp.selectors.scenario_rows import ScenarioRow, TextsState, scenario_rows
from studyapp.selectors.spending import RunSpent, spent_sum

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    Reader = AbstractBaseUser | AnonymousUser

_WITH_TEXTS: Final = (TextsState.READY, TextsState.NO_CONTRAST)


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a study, as the pages of the others name it."""

    slug: str
    version: int
    state: str


@dataclass(frozen=True, slots=True)
class StudyPage:
    """Everything the page of a study shows besides its counts, and what its reader may do."""

    id: int
    role: Role
    actions: frozenset[Action]
    slug: str
    title: str
    state: str
    is_demo: bool
    is_test: bool
    takes_test_data: bool
    is_frozen: bool
    family: str
    version: int
    versions: tuple[VersionRow, ...]
    reference_arm: str
    treatment_arm: str
    seed: int | None
    is_sealed: bool
    design_sha256: str
    has_preregistration: bool
    opened_at: datetime | None
    scenarios: tuple[ScenarioRow, ...]
    spent: RunSpent
    measures: tuple[MeasureRow, ...]

    @property
    def is_generating(self) -> bool:
        """Whether a worker is busy for this study, so that its page should look again."""
        return any(row.state.moves for row in self.scenarios)

    @property
    def scenarios_ready(self) -> int:
        """How many scenarios have their two texts."""
        return sum(row.state in _WITH_TEXTS for row in self.scenarios)

    @property
    def can_generate(self) -> bool:
        """Whether a scenario still waits to have its texts asked for."""
        wanted = (TextsState.NONE, TextsState.NOT_JUDGED)
        return self.is_buildable and any(row.state in wanted for row in self.scenarios)

    @property
    def can_open(self) -> bool:
        """Whether nothing is known that stands against opening."""
        if self.state == StudyState.PAUSED:
            return True
        ready = all(row.state is TextsState.READY for row in self.scenarios)
        return (
            self.state in (StudyState.DRAFT, StudyState.PILOTING) and bool(self.scenarios) and ready
        )

    @property
    def is_buildable(self) -> bool:
        """Whether the design can be edited now."""
        return self.state == StudyState.DRAFT and not self.is_frozen

    @property
    def has_ended(self) -> bool:
        """Whether data collection is over for good."""
        return self.state in ENDED

    @property
    def has_people(self) -> bool:
        """Whether somebody may have taken part, in a pilot or live."""
        return self.is_frozen or self.state == StudyState.PILOTING

    @property
    def offline_models(self) -> tuple[str, ...]:
        """Names of the models behind the texts that rules wrote or judged."""
        offline = (row for row in self.scenarios if row.wrote_offline or row.judged_offline)
        return tuple(dict.fromkeys(name for row in offline for name in row.models))

    @property
    def wrote_offline(self) -> bool:
        """Whether rules wrote texts of this study in place of a language model."""
        return any(row.wrote_offline for row in self.scenarios)

    @property
    def judged_offline(self) -> bool:
        """Whether rules judged texts of this study in place of a language model."""
        return any(row.judged_offline for row in self.scenarios)


def study_find(reader: Reader, slug: str) -> StudyPage | None:
    """Return a study's page, or None where the reader may not even know that it exists."""
    study = studies_of(reader).filter(slug=slug).first()
    role = None if study is None else role_of(reader, study.pk)
    if study is None or role is None:
        return None
    return _study_page(study, role, versions=_versions(reader, study))


def _versions(reader: Reader, study: Study) -> tuple[VersionRow, ...]:
    """List the versions of a study's family that the reader may see, where there are several."""
    family = Q(slug=study.family_slug) | Q(family=study.family_slug)
    rows = studies_of(reader).filter(family).order_by("version")
    found = tuple(VersionRow(row.slug, row.version, row.state) for row in rows)
    return found if len(found) > 1 else ()


def _study_page(study: Study, role: Role, *, versions: tuple[VersionRow, ...]) -> StudyPage:
    scenarios = scenario_rows(study)
    return StudyPage(
        id=study.pk,
        role=role,
        actions=ALLOWED[role],
        slug=study.slug,
        title=study.title,
        state=study.state,
        is_demo=study.kind == StudyKind.DEMO,
        is_test=study.is_test,
        takes_test_data=study.takes_test_data,
        is_frozen=study.opened_at is not None,
        family=study.family_slug,
        version=study.version,
        versions=versions,
        reference_arm=study.reference_arm,
        treatment_arm=study.treatment_arm,
        seed=None if seed_is_secret(study) else study.seed,
        is_sealed=key_is_sealed(study),
        design_sha256=study.design_sha256,
        has_preregistration=study.preregistration is not None,
        opened_at=study.opened_at,
        scenarios=scenarios,
        spent=spent_sum(row.spent for row in scenarios),
        measures=measure_rows(study.measures),
    )

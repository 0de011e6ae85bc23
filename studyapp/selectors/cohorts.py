"""A study's cohorts for its researchers: how each is entered, how full it is, whom it invited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Case, Count, F, Q, QuerySet, Value, When

from studyapp.domain.panel import PanelLink, panel_load
from studyapp.domain.time_pressure import TimePressure, time_pressure_load
from studyapp.models import Cohort, Invitation, LinkKind, Outcome, Participant, Place, Study
from studyapp.selectors.rows import Rows
from studyapp.selectors.words import cohort_background

# How far somebody who was invited is; the first that fits counts.
_STATE: Final = Case(
    When(revoked_at__isnull=False, then=Value("revoked")),
    When(used_at__isnull=True, then=Value("sent")),
    When(participant__isnull=True, then=Value("withdrawn")),
    When(participant__outcome=Outcome.IN_PROGRESS, then=Value("used")),
    default=F("participant__outcome"),
)
INVITATION_STATES: Final = (
    *("sent", "used", "revoked", "withdrawn"),
    *(outcome for outcome in Outcome.values if outcome != Outcome.IN_PROGRESS),
)


@dataclass(frozen=True, slots=True)
class CohortCounts:
    """Live participants by where they are, and `test` ones apart; no arm is behind any number.

    `here` hold a fresh place, `away` were gone for so long that their place may be given on.
    """

    complete: int = 0
    here: int = 0
    away: int = 0
    screened_out: int = 0
    failed_attention: int = 0
    test: int = 0

    @property
    def taken(self) -> int:
        """Places that count against the quota now."""
        return self.complete + self.here


@dataclass(frozen=True, slots=True)
class CohortPage:
    """One cohort with its way in and its own rules; `questions` counts its background questions."""

    id: int
    name: str
    kind: str
    link_kind: str
    state: str
    token: str
    quota: int | None
    panel: PanelLink | None
    instructions: str
    pressure: TimePressure
    has_own_questions: bool
    questions: int
    invited: int
    counts: CohortCounts

    @property
    def is_personal(self) -> bool:
        """Whether people come in by invitations."""
        return self.link_kind == LinkKind.PERSONAL


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """One personal link: for whom it is, and how far they are."""

    id: int
    token: str
    name: str
    role: str
    experience_years: int | None
    credential: str
    state: str
    used_at: datetime | None

    @property
    def is_live(self) -> bool:
        """Whether it can still be taken back."""
        return self.state not in ("revoked", "withdrawn")


@dataclass(frozen=True, slots=True)
class StratumRow:
    """One quota of the study's strata and how much of it is taken."""

    name: str
    taken: int
    quota: int


def cohorts_list(study_id: int, *, now: datetime) -> tuple[CohortPage, ...]:
    """List a study's cohorts with their counts, in a fixed number of queries."""
    return tuple(cohorts_rows(study_id, now=now))


def cohorts_rows(
    study_id: int, *, now: datetime, state: str | None = None, order: str = "pk"
) -> Rows[CohortPage]:
    """Return a study's cohorts with their counts."""
    study = Study.objects.get(pk=study_id)
    cohorts = study.cohorts.annotate(invited=Count("invitations")).order_by(order)
    counts = _counts(study, now=now)
    return Rows(
        cohorts if state is None else cohorts.filter(state=state),
        lambda cohort: _page(cohort, study, counts.get(cohort.pk, CohortCounts())),
    )


def cohort_find(study_id: int, name: str, *, now: datetime) -> CohortPage | None:
    """Return one cohort of a study, or None."""
    rows = cohorts_rows(study_id, now=now)
    cohort = rows.stored.filter(name=name).first()
    return None if cohort is None else rows.row(cohort)


def cohort_tokens(study_id: int) -> dict[str, str]:
    """Return the token of each cohort's link by its name, the first cohort first."""
    return dict(Cohort.objects.filter(study=study_id).order_by("pk").values_list("name", "token"))


def invitations_list(cohort_id: int) -> tuple[InvitationRow, ...]:
    """List a cohort's invitations in the order they were made."""
    return tuple(invitations_rows(cohort_id))


def invitations_rows(
    cohort_id: int, *, state: str | None = None, order: str = "pk"
) -> Rows[InvitationRow]:
    """Return a cohort's invitations, all or those in one state."""
    rows = Invitation.objects.filter(cohort=cohort_id).annotate(state=_STATE)
    return Rows((rows if state is None else rows.filter(state=state)).order_by(order), _invitation)


def invitation_find(cohort_id: int, invitation_id: int) -> InvitationRow | None:
    """Return one invitation of a cohort, or None."""
    row = invitations_rows(cohort_id).stored.filter(pk=invitation_id).first()
    return None if row is None else _invitation(row)


def strata_list(study_id: int, *, now: datetime) -> tuple[StratumRow, ...]:
    """List how much of each stratum's quota is taken."""
    study = Study.objects.get(pk=study_id)
    held = Q(is_complete=True) | Q(participant__isnull=False, reserved_until__gte=now)
    places = Place.objects.filter(held, cohort__study=study, is_test=study.takes_test_data)
    by_stratum = places.values_list("participant__stratum").annotate(times=Count("pk"))
    taken: dict[str | None, int] = dict(by_stratum.order_by())
    return tuple(
        StratumRow(f"{key} = {value}", taken.get(f"{key}={value}", 0), quota)
        for key, quotas in study.rules.get("strata", {}).items()
        for value, quota in quotas.items()
    )


def _page(cohort: Cohort, study: Study, counts: CohortCounts) -> CohortPage:
    cohort.study = study
    return CohortPage(
        id=cohort.pk,
        name=cohort.name,
        kind=cohort.kind,
        link_kind=cohort.link_kind,
        state=cohort.state,
        token=cohort.token,
        quota=cohort.quota,
        panel=panel_load(cohort.panel) if cohort.panel else None,
        instructions=cohort.instructions,
        pressure=time_pressure_load(cohort.time_pressure),
        has_own_questions=cohort.background is not None,
        questions=len(cohort_background(cohort)),
        invited=getattr(cohort, "invited", 0),
        counts=counts,
    )


def _counts(study: Study, *, now: datetime) -> Mapping[int, CohortCounts]:
    lane = Q(is_test=study.takes_test_data)
    sitting = Q(participant__isnull=False, is_complete=False)
    places = Place.objects.filter(lane, cohort__study=study)
    seats = _by_cohort(
        places,
        complete=Count("pk", filter=Q(is_complete=True)),
        here=Count("pk", filter=sitting & Q(reserved_until__gte=now)),
        away=Count("pk", filter=sitting & Q(reserved_until__lt=now)),
    )
    people = _by_cohort(
        Participant.objects.filter(study=study),
        screened_out=Count("pk", filter=lane & Q(outcome=Outcome.SCREENED_OUT)),
        failed_attention=Count("pk", filter=lane & Q(outcome=Outcome.FAILED_ATTENTION)),
        test=Count("pk", filter=Q(is_test=True)),
    )
    return {
        key: CohortCounts(**{**seats.get(key, {}), **people.get(key, {})})
        for key in seats.keys() | people.keys()
    }


def _by_cohort(
    rows: QuerySet[Place] | QuerySet[Participant], **counts: Count
) -> dict[int, dict[str, int]]:
    grouped = rows.order_by().values("cohort").annotate(**counts)
    found = grouped.values_list("cohort", *counts)
    return {row[0]: dict(zip(counts, row[1:], strict=True)) for row in found}


def _invitation(row: Any) -> InvitationRow:
    return InvitationRow(
        id=row.pk,
        token=row.token,
        name=row.name,
        role=row.role,
        experience_years=row.experience_years,
        credential=row.credential,
        state=row.state,
        used_at=row.used_at,
    )

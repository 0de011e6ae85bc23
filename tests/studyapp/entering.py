"""Studies that people enter by a panel, an invitation or screening questions."""

from __future__ import annotations

from typing import Any, Final

from studyapp.models import Cohort, CohortKind, Invitation, LinkKind, Participant, Study
from tests.sample_study import THEN, SampleStudy, sample_study
from tests.walking import Walker

CODES: Final = {
    "complete": "DONE-1",
    "screened_out": "OUT-2",
    "failed_attention": "FAIL-3",
    "no_consent": "NO-4",
}
PROLIFIC: Final = {"provider": "prolific", "codes": CODES}
SCREENING: Final[list[dict[str, Any]]] = [
    {
        "key": "adult",
        "kind": "eligibility",
        "question": "Are you 18 or older?",
        "options": [{"value": "yes", "label": "Yes"}, {"value": "no", "label": "No"}],
        "accepts": ["yes"],
    },
    {
        "key": "region",
        "kind": "eligibility",
        "question": "Where do you live?",
        "options": [{"value": "north", "label": "North"}, {"value": "south", "label": "South"}],
        "accepts": ["north", "south"],
    },
    {
        "key": "task",
        "kind": "comprehension",
        "question": "What will you compare?",
        "options": [
            {"value": "reports", "label": "Two reports about one debate"},
            {"value": "debates", "label": "Two debates about one report"},
        ],
        "accepts": ["reports"],
        "hint": "It stands in what you have just read.",
    },
]


def panel_study(panel: dict[str, Any] | None = None, *, quota: int | None = None) -> SampleStudy:
    """Store a study that collects data from a panel's people."""
    study = live_study(quota=quota)
    Cohort.objects.update(link_kind=LinkKind.PANEL, panel=panel or PROLIFIC)
    return study


def live_study(*, quota: int | None = None) -> SampleStudy:
    """Store a study whose participants count."""
    study = sample_study(quota=quota)
    Study.objects.update(is_test=False, kind="study")
    return study


def expert_study() -> SampleStudy:
    """Store a study that experts enter by invitation."""
    study = live_study()
    Cohort.objects.update(kind=CohortKind.EXPERTS, link_kind=LinkKind.PERSONAL)
    return study


def screened_study(**rules: Any) -> SampleStudy:
    """Store a study with eligibility and comprehension questions."""
    study = live_study()
    Study.objects.update(screening=SCREENING, rules=rules)
    return study


def invited(study: SampleStudy, name: str = "Ann Lee") -> Invitation:
    """Store one invitation."""
    return Invitation.objects.create(cohort=study.cohort, name=name, created_at=THEN)


def sent_by_panel(study: SampleStudy, person: str, *, session: str = "s1") -> str:
    """Return a panel's link for one person."""
    return f"{study.link}?PROLIFIC_PID={person}&STUDY_ID=st&SESSION_ID={session}"


def entered(address: str) -> Walker:
    """Open a link in a browser of its own and consent."""
    return Walker().get(address).send()


def nothing_happened() -> bool:
    """Say whether nobody is stored and no counter moved."""
    counters = Cohort.objects.values_list("enrolled", "enrolled_test")
    return not Participant.objects.exists() and all(pair == (0, 0) for pair in counters)

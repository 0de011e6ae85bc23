"""What is written down at launch, before anybody answers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from studyapp.domain.background import background_load
from studyapp.domain.measures import measures_load
from studyapp.domain.plan import PlanScope
from studyapp.models import Study
from studyapp.selectors.arm_key import arm_key
from studyapp.services.study.sharing import cohort_data

FORMAT: Final = "apg-preregistration"
VERSION: Final = 1


def preregistration_record(study: Study, *, nonce: str, now: datetime) -> dict[str, Any]:
    """Return the preregistration of a study that is being launched, as JSON data.

    The seed is not in it. `seed_nonce` is kept with it and told only where the seed may be told.

    Args:
        study: with the texts and the hash that the launch stores.
        nonce: a random word, so that the promise about a small seed cannot be guessed.
        now: when the study is launched.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "study": {
            "slug": study.slug,
            "title": study.title,
            "family": study.family_slug,
            "version": study.version,
            "test": study.is_test,
        },
        "registered_at": now.astimezone(UTC).isoformat(),
        "design_sha256": study.design_sha256,
        "arms": {"reference": study.reference_arm, "treatment": study.treatment_arm},
        "difference": f"{study.treatment_arm} - {study.reference_arm}",
        "scenarios": _scenarios(study),
        "cohorts": [cohort_data(cohort) for cohort in study.cohorts.order_by("pk")],
        "planned_n": arm_key(study.pk).planned,
        **_analysis(study),
        "measures": study.measures,
        "background": study.background,
        "screening": study.screening,
        "rules": study.rules,
        "texts": study.texts,
        "translations": study.translations,
        "seed_nonce": nonce,
    }


def _scenarios(study: Study) -> list[dict[str, Any]]:
    rows = study.scenarios.select_related("trace", "pair").order_by("position")
    return [
        {
            "key": row.key,
            "title": row.title,
            "trace_sha256": row.trace.sha256,
            "pair_sha256": row.pair.sha256 if row.pair else "",
            "texts": row.pair.manifest["models"]["mode"] if row.pair else "",
        }
        for row in rows
    ]


def _analysis(study: Study) -> dict[str, Any]:
    """What the plan says; where it names no family, every test of the study is in it."""
    keys = list(study.scenarios.order_by("position").values_list("key", flat=True))
    scope = PlanScope(measures_load(study.measures), background_load(study.background), keys)
    return {
        "primary": list(study.plan.get("primary", ())),
        "tests": list(study.plan.get("family", scope.tests())),
        "exclusions": list(study.plan.get("exclusions", ())),
        "plan": study.plan,
    }

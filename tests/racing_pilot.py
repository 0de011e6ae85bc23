"""A pilot that ends while people come in and walk on, on whichever database there is.

`python -m tests.racing_pilot FILE END PEOPLE` runs it on a SQLite file of its own and prints as
JSON what came of it; END is draft or open.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import Any

from tests.parallel import at_once


def race(end: str, *, people: int) -> dict[str, Any]:
    """Let people consent, go on and answer, and end the pilot in the midst of them.

    Those who answer were away for so long that their places may be given to those who come.
    """
    from django.utils import timezone

    from studyapp.models import Cohort, Participant, Place, Study
    from studyapp.selectors.event_log import log_verify
    from studyapp.selectors.verification import assignment_verify
    from studyapp.services.study import study_open, study_pilot, study_redraft
    from tests.sample_study import sample_study
    from tests.studyapp.answering import person_enrolled
    from tests.studyapp.entering import entered
    from tests.walking import Walker

    sample = sample_study(state="draft")
    link = sample.link
    Study.objects.update(kind="study", is_test=False)
    ids: dict[str, Any] = {"study_id": Study.objects.get().pk, "actor_id": None}
    study_pilot(**ids, now=timezone.now())
    move = study_redraft if end == "draft" else study_open
    jobs: list[Any] = []
    for number in range(people):
        person = person_enrolled(sample, number=number)
        jobs += [Walker().get(link).send, entered(link).send, partial(_answer, sample, person)]
    jobs.insert(len(jobs) // 2, lambda: move(**ids, now=timezone.now()))
    at_once(jobs, at_a_time=16)

    left = Participant.objects.all()
    counters = Cohort.objects.values_list("enrolled", "enrolled_test").get()
    study = Study.objects.get()
    return {
        "state": study.state,
        "of_the_pilot": left.filter(is_test=True).count(),
        "of_another_design": left.exclude(design_sha256=study.design_sha256).count(),
        "counted_as_stored": counters == (left.count(), 0),
        "places_as_stored": Place.objects.count() == left.count(),
        "log": list(log_verify(study.slug).findings),
        "verified": not assignment_verify(study.pk, now=timezone.now()).differences,
    }


def _answer(sample: Any, person: Any) -> None:
    """Answer until the pilot is over; then every step is refused, and that is fine."""
    from django.utils import timezone

    from studyapp.errors import StudyAppError
    from studyapp.models import Assignment
    from tests.studyapp.answering import trials_answered

    person.consented_at = timezone.now()
    try:
        trials_answered(sample, person, trials=2)
    except (StudyAppError, Assignment.DoesNotExist):
        return


def main(file: str, end: str, people: int) -> None:
    """Run the race on a fresh SQLite file and print what came of it."""
    import django

    os.environ["DATABASE_URL"] = f"sqlite:///{file}"
    os.environ["DJANGO_SETTINGS_MODULE"] = "studyapp.settings"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    sys.stdout.write(json.dumps(race(end, people=people)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

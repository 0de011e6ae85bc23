"""Races into the last places of a cohort, a study and a stratum, on whichever database there is.

`python -m tests.racing_places FILE SCENE PLACES PEOPLE` runs one on a SQLite file of its own and
prints as JSON what came of it.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from tests.parallel import at_once

# As many as a server of this size would let in; each holds a connection.
AT_A_TIME: Final = 48


def race(scene: str, *, places: int, people: int) -> dict[str, Any]:
    """Let people run for the places; say who got in, and what is stored."""
    from studyapp.models import Cohort, Participant, Place

    endings = _SCENES[scene](places, people)
    held = Place.objects.filter(participant__isnull=False)
    return {
        "endings": dict(sorted(Counter(endings).items())),
        "participants": Participant.objects.filter(outcome="in_progress").count(),
        "held": held.count(),
        "numbers_have_no_gap": all(
            sorted(cohort.places.values_list("number", flat=True))
            == list(range(1, cohort.enrolled + 1))
            for cohort in Cohort.objects.all()
        ),
    }


def _cohort(places: int, people: int) -> list[str]:
    from tests.studyapp.entering import live_study

    return _consents([live_study(quota=places).link] * people)


def _total(places: int, people: int) -> list[str]:
    from studyapp.models import Cohort, Study
    from tests.studyapp.entering import live_study

    study = live_study()
    Study.objects.update(quota=places)
    other = Cohort.objects.create(study=study.study, name="other")
    links = [study.link, f"/s/{other.token}/"]
    return _consents([links[number % 2] for number in range(people)])


def _stratum(places: int, people: int) -> list[str]:
    from tests.studyapp.entering import entered, screened_study

    study = screened_study(strata={"region": {"north": places}})
    walkers = [entered(study.link) for _ in range(people)]
    jobs = [lambda walker=walker: walker.send(region="north") for walker in walkers]
    return [_ending(walker) for walker in at_once(jobs, at_a_time=AT_A_TIME)]


def _consents(links: list[str]) -> list[str]:
    from tests.walking import Walker

    walkers = [Walker().get(link) for link in links]
    sent = at_once([walker.send for walker in walkers], at_a_time=AT_A_TIME)
    return [_ending(walker) for walker in sent]


def _ending(walker: Any) -> str:
    """The last word of the page's address, or the status of a refusal."""
    return walker.address.rstrip("/").rpartition("/")[2] if walker.status == 200 else "refused"


_SCENES: Final[dict[str, Callable[[int, int], list[str]]]] = {
    "cohort": _cohort,
    "total": _total,
    "stratum": _stratum,
}


def main(file: str, scene: str, places: int, people: int) -> None:
    """Run a race on a fresh SQLite file and print what came of it."""
    import django

    os.environ["DATABASE_URL"] = f"sqlite:///{file}"
    os.environ["DJANGO_SETTINGS_MODULE"] = "studyapp.settings"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    sys.stdout.write(json.dumps(race(scene, places=places, people=people)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

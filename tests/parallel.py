"""Many participants at the same moment; run as a program, on a SQLite file of its own.

`python -m tests.parallel FILE PLACES PEOPLE` prints as JSON what came of it. A test process holds
its SQLite database in memory, where threads cannot meet as they do in a file.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any


def at_once(jobs: Sequence[Callable[[], Any]], *, at_a_time: int | None = None) -> list[Any]:
    """Start all jobs at the same moment, each in its thread; return what they returned.

    `at_a_time` lets no more of them in at a time, as the threads of a server do: every one needs a
    connection to the database.
    """
    from django.db import connections

    barrier = threading.Barrier(len(jobs))
    gate = threading.Semaphore(at_a_time or len(jobs))
    results: list[Any] = [None] * len(jobs)

    def run(place: int) -> None:
        try:
            barrier.wait()
            with gate:
                try:
                    results[place] = jobs[place]()
                finally:
                    connections.close_all()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def consents_sent(link: str, people: int) -> Counter[int]:
    """Let `people` open the link and consent at the same moment; count the answers' statuses."""
    from tests.walking import Walker

    walkers = [Walker().get(link) for _ in range(people)]
    return Counter(walker.status for walker in at_once([walker.send for walker in walkers]))


def main(file: str, places: int, people: int) -> None:
    """Enrol on a fresh SQLite file and print the outcome."""
    import django

    os.environ["DATABASE_URL"] = f"sqlite:///{file}"
    os.environ["DJANGO_SETTINGS_MODULE"] = "studyapp.settings"
    django.setup()
    from django.core.management import call_command

    from studyapp.models import Cohort, Participant
    from tests.sample_study import sample_study

    call_command("migrate", verbosity=0)
    study = sample_study(quota=places)
    statuses = consents_sent(study.link, people)
    outcome = {
        "statuses": {str(status): count for status, count in sorted(statuses.items())},
        "enrolled": Cohort.objects.get().enrolled_test,
        "numbers": sorted(Participant.objects.values_list("enrolment", flat=True)),
    }
    sys.stdout.write(json.dumps(outcome))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

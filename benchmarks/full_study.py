"""A study with as many participants as wanted, in a PostgreSQL of its own, for measurements."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from benchmarks.private_database import database_new
from tests.private_servers import Slot, postgres_start, slot_take

ANSWERS: Final = 40
TRIALS: Final = 4


@contextmanager
def database_running() -> Iterator[None]:
    """Start an empty database with the site's tables; children find it in the environment."""
    slot = slot_take()
    server = postgres_start(slot)
    try:
        os.environ |= _environment(database_new(server), slot)
        django_start()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        yield
    finally:
        server.stop()
        slot.lock.close()


def django_start() -> None:
    """Make the site's code usable, on the database that the environment names."""
    import django

    django.setup()


def study_fill(people: int) -> int:
    """Store a study in the sample study's words, its people written by the database itself.

    Each person has finished TRIALS trials and given ANSWERS answers. Returns the study's key.
    """
    from django.db import connection

    from tests.sample_study import sample_study

    study = sample_study(slug=f"size-{people}-{time.monotonic_ns()}", debates=TRIALS)
    study.study.measures = [_measure(number) for number in range(ANSWERS // TRIALS // 2)]
    study.study.background = []
    study.study.save()
    values = {"study": study.study.pk, "cohort": study.cohort.pk, "people": people}
    with connection.cursor() as cursor:
        for statement in _FILL:
            cursor.execute(statement, values)
        # VACUUM also sets what a long-lived table has: hint bits and statistics.
        cursor.execute("VACUUM ANALYZE")
    return study.study.pk


def _environment(url: str, slot: Slot) -> dict[str, str]:
    return {
        "VAR_DIR": str(slot.var),
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "studyapp.settings",
        "SECRET_KEY": "only-for-a-measurement",
        "INSECURE_HTTP": "1",
        "ALLOWED_HOSTS": "testserver",
        "LOG_LEVEL": "WARNING",
    }


def _measure(number: int) -> dict[str, Any]:
    anchors = ["not at all", "a little", "half", "much", "fully"]
    return {"key": f"m{number}", "kind": "rating", "question": "How much?", "anchors": anchors}


_FILL = (
    """INSERT INTO studyapp_participant (study_id, cohort_id, code, token, external_id, captured,
      enrolment, language, device, is_test, is_bot, outcome, screening_attempts, stratum,
      design_sha256, consented_at, completed_at, completion_code)
    SELECT %(study)s, %(cohort)s, 'P' || %(study)s || '-' || n, md5(%(study)s || '-' || n), '',
      '{}', n, 'en', 'phone', false, false, 'complete', 0, '', '', now(), now(), 'code'
    FROM generate_series(1, %(people)s) n""",
    """INSERT INTO studyapp_assignment (participant_id, scenario_id, token, "order",
      treatment_is_left, measure_order, timed_out, pair_opened_at, answered_at)
    SELECT p.id, s.id, md5(p.id || '-' || s.id), s.position, (p.id + s.position) %% 2 = 0, '[]',
      false, now(), now()
    FROM studyapp_participant p JOIN studyapp_scenario s ON s.study_id = p.study_id
    WHERE p.study_id = %(study)s""",
    """INSERT INTO studyapp_response (assignment_id, measure, side, value, answered_at)
    SELECT a.id, 'm' || m, side, (1 + (a.id + m) %% 5)::text, now()
    FROM studyapp_assignment a JOIN studyapp_participant p ON p.id = a.participant_id
    CROSS JOIN generate_series(0, 4) m CROSS JOIN (VALUES ('left'), ('right')) sides(side)
    WHERE p.study_id = %(study)s""",
    """INSERT INTO studyapp_exposure (assignment_id, view, item, visible_ms, scrolled)
    SELECT a.id, 'v', item, 1000 + a.id %% 9000, 100
    FROM studyapp_assignment a JOIN studyapp_participant p ON p.id = a.participant_id
    CROSS JOIN (VALUES ('page:debate'), ('page:reports'), ('left'), ('right')) items(item)
    WHERE p.study_id = %(study)s""",
)

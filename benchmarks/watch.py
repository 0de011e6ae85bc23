"""How long does the server take for a researcher's pages of a large study?

`python -m benchmarks.watch` fills a study in a PostgreSQL of its own with 10,000 participants, a
third of them on the way, and asks for its pages as a browser does, through all middleware. Each
figure is printed beside what the limit takes in the same run: one bare query that reads the
study's participants and trials once and counts them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, Final

from benchmarks.full_study import TRIALS, database_running, study_fill
from benchmarks.tables import line_print, table_print

_AIM_MILLISECONDS: Final = 300
_PAGES: Final = ("study-watch", "watch-live", "study-detail", "study-live", "study-exports")
_API: Final = ("watch", "progress")


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=20, help="the middle one of so many counts")
    options = parser.parse_args(arguments)
    with database_running():
        from django.core.management import call_command

        # Pages name their static files by hash.
        call_command("collectstatic", interactive=False, verbosity=0)
        study_id = study_fill(options.people)
        _people_stop(study_id)
        _report(study_id, options.people, options.repeat)
    return 0


def _report(study_id: int, people: int, repeat: int) -> None:
    limit = _milliseconds(lambda: _bare_count(study_id), repeat)
    rows = [["bare query (the limit)", f"{limit:.0f}", "1.0", "1"]]
    slowest = 0.0
    for name, ask in _askers(study_id).items():
        took, queries = _milliseconds(ask, repeat), _queries(ask)
        slowest = max(slowest, took)
        rows.append([name, f"{took:.0f}", f"{took / limit:.1f}", str(queries)])
    line_print(f"{people:,} participants with {TRIALS} trials each")
    table_print(("what", "ms", "x limit", "queries"), rows)
    line_print(f"slowest: {slowest:.0f} ms (aim: under {_AIM_MILLISECONDS} at 10,000)")


def _askers(study_id: int) -> dict[str, Callable[[], Any]]:
    """Every page and operation that counts participants, by its name."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    from studyapp.models import Study

    slug = Study.objects.get(pk=study_id).slug
    client = Client()
    client.force_login(
        User.objects.create_superuser("watcher"), "django.contrib.auth.backends.ModelBackend"
    )
    paths = {name: reverse(name, kwargs={"slug": slug}) for name in _PAGES}
    askers = {name: _asker(client, path, {}) for name, path in paths.items()}
    token = {"Authorization": f"Bearer {_token()}"}
    for name in _API:
        askers[f"API {name}"] = _asker(Client(), f"/api/v1/studies/{slug}/{name}", token)
    return askers


def _asker(client: Any, path: str, headers: dict[str, str]) -> Callable[[], Any]:
    def ask() -> None:
        answer = client.get(path, headers=headers)
        if answer.status_code != 200:
            raise SystemExit(f"{path} answered {answer.status_code}")

    return ask


def _token() -> str:
    from django.contrib.auth.models import User
    from django.utils import timezone

    from studyapp.domain.api_scopes import SCOPES
    from studyapp.services.api_access import api_token_create

    user = User.objects.get(username="watcher")
    made = api_token_create(
        user_id=user.pk, name="watch", scopes=SCOPES, days=7, now=timezone.now()
    )
    return str(made.secret)


def _milliseconds(act: Callable[[], Any], repeat: int) -> float:
    act()
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        act()
        times.append(1000 * (time.perf_counter() - began))
    return median(times)


def _queries(act: Callable[[], Any]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        act()
    return len(asked)


def _bare_count(study_id: int) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(_BARE, {"study": study_id})
        cursor.fetchall()


def _people_stop(study_id: int) -> None:
    """Spread people over two weeks, and have a third of them stop at one trial or another."""
    from django.db import connection

    with connection.cursor() as cursor:
        for statement in _STOP:
            cursor.execute(statement, {"study": study_id})
        cursor.execute("VACUUM ANALYZE")


_BARE: Final = """
SELECT p.outcome, count(DISTINCT p.id), count(a.answered_at)
FROM studyapp_participant p JOIN studyapp_assignment a ON a.participant_id = p.id
WHERE p.study_id = %(study)s GROUP BY p.outcome"""

_STOP: Final = (
    "UPDATE studyapp_study SET is_test = false, state = 'open' WHERE id = %(study)s",
    """UPDATE studyapp_participant SET
      consented_at = now() - enrolment %% 20160 * interval '1 minute',
      completed_at = CASE WHEN enrolment %% 3 = 0 THEN NULL
        ELSE now() - enrolment %% 20160 * interval '1 minute' + interval '20 minutes' END,
      outcome = CASE WHEN enrolment %% 3 = 0 THEN 'in_progress' ELSE 'complete' END
    WHERE study_id = %(study)s""",
    """UPDATE studyapp_assignment a SET
      trace_opened_at = CASE WHEN p.outcome = 'complete' OR a."order" <= 1 + p.id %% 4
        THEN p.consented_at + a."order" * interval '4 minutes' END,
      pair_opened_at = CASE WHEN p.outcome = 'complete' OR a."order" < 1 + p.id %% 4
        THEN p.consented_at + a."order" * interval '5 minutes' END,
      answered_at = CASE WHEN p.outcome = 'complete' OR a."order" < 1 + p.id %% 4
        THEN p.consented_at + a."order" * interval '6 minutes' + p.id %% 90 * interval '1 second'
        END
    FROM studyapp_participant p WHERE p.id = a.participant_id AND p.study_id = %(study)s""",
    """INSERT INTO studyapp_place (cohort_id, is_test, number, participant_id, reserved_until,
      is_complete)
    SELECT cohort_id, false, enrolment, id, consented_at + interval '2 hours',
      outcome = 'complete' FROM studyapp_participant WHERE study_id = %(study)s""",
)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

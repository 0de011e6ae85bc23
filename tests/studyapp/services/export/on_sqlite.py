"""An export on a SQLite file while people withdraw; run as a program.

`python -m tests.studyapp.services.export.on_sqlite FOLDER` prints as JSON what came of it. A test
process holds its SQLite database in memory, where a second connection sees nothing.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path


def main(folder: Path) -> None:
    """Build an export by a job, and write tables while everybody is deleted."""
    site_begin(folder)

    from studyapp.domain.export_options import ExportOptions
    from studyapp.models import ExportJob, Study
    from studyapp.selectors.export import export_file
    from studyapp.services.export.bundle import tables_write
    from studyapp.services.export.jobs import export_build, export_request
    from tests.parallel import at_once
    from tests.studyapp.debates import START, Clock
    from tests.studyapp.exporting import study_state
    from tests.studyapp.lab import member_of

    study = study_state(random.Random(4), people=10).study
    Study.objects.update(state="closed")
    ada = member_of(study)
    both = ExportOptions(data="both")
    job_id = export_request(study_id=study.pk, options=both, actor_id=ada.pk, now=START)
    export_build(job_id=job_id, now=Clock())
    job = ExportJob.objects.get(pk=job_id)
    people = study.participants.count()
    work = folder / "work"
    work.mkdir()

    def meanwhile(stage: str, rows: int) -> None:
        if study.participants.exists():
            at_once([study.participants.all().delete])

    tables_write(study_id=study.pk, options=both, folder=work, progress=meanwhile)
    outcome = {
        "state": job.state,
        "file": str(export_file(job.pk, job.sha256)),
        "people": people,
        "left": study.participants.count(),
        "lines": (work / "participants.csv").read_bytes().count(b"\r\n") - 1,
    }
    sys.stdout.write(json.dumps(outcome))


def site_begin(folder: Path) -> None:
    """Put the site on a SQLite file in the folder."""
    import django

    os.environ |= {
        "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "studyapp.settings",
        "VAR_DIR": str(folder),
    }
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

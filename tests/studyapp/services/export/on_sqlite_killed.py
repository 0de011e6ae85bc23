"""An export whose worker is killed; run as a program on a SQLite file, step by step.

`python -m tests.studyapp.services.export.on_sqlite_killed FOLDER STEP`: `begin` stores
a study and asks for an export, `build` builds it, `resume` is the sweep and the next worker.
"""

from __future__ import annotations

import json
import random
import sys
from datetime import timedelta
from pathlib import Path

from tests.studyapp.services.export.on_sqlite import site_begin


def main(folder: Path, step: str) -> None:
    """Do one step and print as JSON what came of it."""
    site_begin(folder)
    from django.conf import settings

    # A mark after each participant, so that there is a middle to be killed in.
    settings.EXPORT_PORTION = 1
    told = {"begin": _begin, "build": _build, "resume": _resume}[step]()
    sys.stdout.write(json.dumps(told))


def _begin() -> dict[str, object]:

    from studyapp.domain.export_options import ExportOptions
    from studyapp.models import Study
    from studyapp.services.export.jobs import export_request
    from tests.studyapp.debates import START
    from tests.studyapp.exporting import study_state
    from tests.studyapp.lab import member_of

    study = study_state(random.Random(6), people=60).study
    Study.objects.update(state="closed")
    ada = member_of(study)
    both = ExportOptions(data="both")
    return {"job": export_request(study_id=study.pk, options=both, actor_id=ada.pk, now=START)}


def _build() -> dict[str, object]:
    from studyapp.models import ExportJob
    from studyapp.services.export.jobs import export_build
    from tests.studyapp.debates import Clock

    export_build(job_id=ExportJob.objects.get().pk, now=Clock())
    return {}


def _resume() -> dict[str, object]:
    from studyapp.models import ExportJob, Study
    from studyapp.selectors.export import export_file
    from studyapp.services.export import bundle_write
    from studyapp.services.export.jobs import export_build, exports_sweep
    from tests.studyapp.debates import START, Clock

    left = ExportJob.objects.get()
    due = exports_sweep(now=START + timedelta(days=1))
    export_build(job_id=left.pk, now=Clock())
    job = ExportJob.objects.get()
    fresh = Path(str(export_file(job.pk, job.sha256)) + "-fresh")
    with fresh.open("w+b") as target:
        bundle_write(study_id=Study.objects.get().pk, target=target, include_test=True)
    return {
        "left": left.state,
        "due": due == [left.pk],
        "state": job.state,
        "attempts": job.attempts,
        "same": export_file(job.pk, job.sha256).read_bytes() == fresh.read_bytes(),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

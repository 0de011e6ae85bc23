"""A trial and a terse committee held on a SQLite file, as its pages tell them; run as a program.

`python -m tests.studyapp.selectors.debates_on_sqlite FOLDER` prints what stands there as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.studyapp.services.export.on_sqlite import site_begin


def main(folder: Path) -> None:
    """Begin the site, and tell."""
    site_begin(folder)
    sys.stdout.write(json.dumps(told()))


def told() -> list[list[Any]]:
    """Hold a few debates; return each step: its kind, what is told of it, whether it failed."""
    from studyapp.selectors.debates import debate_find
    from tests.studyapp.held import committee_cut, draft_new, held, trial_queued

    study_id, found = draft_new(), []
    terse = committee_cut(study_id, said=("1", "2", "null"))
    for trunk in (trial_queued(study_id), terse, committee_cut(study_id)):
        held(trunk)
        debate = debate_find(study_id=study_id, debate_id=trunk.debate_id)
        assert debate is not None
        steps = [view for part in debate.parts for view in part.steps]
        found.append([debate.row.stop, debate.row.is_whole, debate.row.state])
        found += [[view.kind, view.told, view.step.is_failed] for view in steps]
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))

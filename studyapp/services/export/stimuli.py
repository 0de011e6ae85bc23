"""Where the texts of a study come from: the history of each scenario's run in W3C PROV."""

from __future__ import annotations

from collections.abc import Iterator

from studyapp.models import Study
from studyapp.seams import engine


def stimuli_files(study: Study) -> Iterator[tuple[str, bytes]]:
    """Yield the files `prov/<scenario>.<form>`; texts that came without a run have none.

    The debates' texts stand in them as hashes only, private traces too.
    """
    rows = study.scenarios.filter(pair__run__result__isnull=False).order_by("position")
    for scenario in rows.select_related("trace", "pair__run"):
        run = scenario.pair.run if scenario.pair else None
        if run is None or run.result is None:
            continue
        files = engine.prov_files(
            content=scenario.trace.content,
            record=run.result,
            calls=run.calls.order_by("sequence").values_list("record", flat=True),
        )
        for name, data in files.items():
            yield f"prov/{scenario.key}.{name.partition('.')[2]}", data

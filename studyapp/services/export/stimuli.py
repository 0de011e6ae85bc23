"""Where the texts of a study come from: the history of each scenario's pair in W3C PROV."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from studyapp.models import Scenario, Study
from studyapp.seams import engine


def stimuli_files(study: Study) -> Iterator[tuple[str, bytes]]:
    """Yield the files `prov/<scenario>.<form>`, and `.debate.json` for a debate held by a site.

    Texts of a run have its whole history, own texts the file that they were read from. The debates'
    texts stand in them as hashes only, private traces too.
    """
    for row in study.scenarios.exclude(trace__produced={}).select_related("trace"):
        yield f"prov/{row.key}.debate.json", _debate_history(row)
    rows = study.scenarios.filter(pair__isnull=False).order_by("position")
    for scenario in rows.select_related("study", "trace", "pair__run"):
        run = scenario.pair.run if scenario.pair else None
        if scenario.pair and scenario.pair.manifest["models"]["mode"] == engine.OWN:
            yield f"prov/{scenario.key}.json", _own_history(scenario)
        if run is None or run.result is None:
            continue
        files = engine.prov_files(
            content=scenario.trace.content,
            record=run.result,
            calls=run.calls.order_by("sequence").values_list("record", flat=True),
        )
        for name, data in files.items():
            yield f"prov/{scenario.key}.{name.partition('.')[2]}", data


def _debate_history(scenario: Scenario) -> bytes:
    """Say in PROV-JSON which system held a debate, and who spoke; rules are called rules."""
    told = scenario.trace.produced
    agents = {
        f"apg:{one['role'].replace(' ', '-')}": {
            "prov:label": one["name"],
            "apg:kind": "rules" if one["offline"] else "language model",
        }
        for one in told["speakers"]
    }
    activity = {key: json.dumps(value) for key, value in told.items() if key != "speakers"}
    return _prov(
        {
            "entity": {"apg:debate": {"apg:sha256": scenario.trace.sha256}},
            "activity": {"apg:holding": {f"apg:{key}": text for key, text in activity.items()}},
            "agent": agents,
            "wasGeneratedBy": {
                "_:held": {"prov:entity": "apg:debate", "prov:activity": "apg:holding"}
            },
            "wasAssociatedWith": {
                f"_:spoke-{number}": {"prov:activity": "apg:holding", "prov:agent": agent}
                for number, agent in enumerate(agents)
            },
        }
    )


def _prov(found: dict[str, Any]) -> bytes:
    prefix = {"apg": "urn:apg:", "prov": "http://www.w3.org/ns/prov#"}
    return f"{json.dumps({'prefix': prefix, **found}, ensure_ascii=False, indent=1)}\n".encode()


def _own_history(scenario: Scenario) -> bytes:
    """Say in PROV-JSON that both texts were read out of a file that researchers brought."""
    pair, study = scenario.pair, scenario.study
    if pair is None:
        raise ValueError(f"scenario {scenario.key} has no pair")
    texts = {study.reference_arm: pair.reference_text, study.treatment_arm: pair.treatment_text}
    source = pair.manifest["source"]
    entities: dict[str, Any] = {
        "apg:source": {"apg:file": source["file"], "apg:sha256": source["sha256"]},
        "apg:debate": {"apg:sha256": scenario.trace.sha256},
    }
    for arm, text in texts.items():
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        entities[f"apg:text-{arm}"] = {"prov:label": f"own texts: {arm}", "apg:sha256": sha256}
    found = {
        "entity": entities,
        "agent": {"apg:researchers": {"prov:label": "researchers of the study"}},
        "wasDerivedFrom": {
            f"_:read-{arm}": {
                "prov:generatedEntity": f"apg:text-{arm}",
                "prov:usedEntity": "apg:source",
            }
            for arm in texts
        },
        "wasAttributedTo": {
            "_:brought": {"prov:entity": "apg:source", "prov:agent": "apg:researchers"}
        },
    }
    return _prov(found)

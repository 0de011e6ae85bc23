"""Every operation of the document, filled with things of a study, and how it may be asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml
from django.conf import settings

from studyapp.models import Cohort, ExportJob, GenerationRun, Invitation, Study, Webhook
from tests.studyapp.api.calling import Caller
from tests.studyapp.debates import AGREES, DEADLOCK, START
from tests.studyapp.held import committee_queued, corpus
from tests.studyapp.lab import Lab

HOOK: Final = {"url": "https://hooks.example.org/T0/secret", "occasions": ["study.stalled"]}
CORPUS: Final = {"file_name": "masks.jsonl", "content": corpus().data.decode()}
# What a request must carry to be a right one.
BODIES: Final[dict[str, Any]] = {
    "study_create": {"definition": {}},
    "cohort_create": {"name": "more"},
    "study_move": {"state": "open"},
    "cohort_move": {"state": "paused"},
    "trace_name": {"title": "A bridge"},
    "invitation_create": {"people": [{"name": "Ann"}]},
    "trace_upload": {"file_name": "a.json", "content": AGREES.read_text()},
    "export_request": {"blind": True},
    "debate_hold_committee": {"turns": 6},
    "debate_hold_trials": {"claims": ["Masks help."], "corpus": CORPUS},
    "webhook_create": HOOK,
    "webhook_change": HOOK,
}


@dataclass(frozen=True)
class Operation:
    """One operation about a study."""

    name: str
    method: str
    path: str

    def ask(self, caller: Caller) -> Any:
        """Have it done."""
        if self.method == "get":
            return caller.get(self.path)
        return caller.post(self.path, self.body())

    def body(self) -> Any:
        """Return what a right request carries."""
        return own_texts() if self.name == "pair_upload" else BODIES.get(self.name)


def own_texts() -> dict[str, str]:
    """Return own texts for the lab's first scenario, as a file."""
    scenario = Study.objects.get(slug="two-debates").scenarios.earliest("position")
    rows = [
        {"scenario": scenario.key, "arm": arm, "text": f"Text {number}."}
        for number, arm in enumerate(("baseline", "apg"))
    ]
    return {"file_name": "own.json", "content": json.dumps(rows)}


def document() -> dict[str, Any]:
    """Return the OpenAPI document that is in the repository."""
    return dict(yaml.safe_load((settings.BASE_DIR / "docs" / "openapi.yaml").read_text()))


def operations(lab: Lab) -> Iterator[Operation]:
    """List the operations of the document, about the lab's study."""
    things = things_of(lab)
    for path, methods in document()["paths"].items():
        short = path.removeprefix("/api/v1")
        for method, operation in methods.items():
            name = operation["operationId"]
            filled = short.format(**{**things, "id": things[name.partition("_")[0]]})
            yield Operation(name, method, filled)


def things_of(lab: Lab) -> dict[str, Any]:
    """Return what stands in addresses about the lab's study; it needs its texts."""
    cohort, _ = Cohort.objects.get_or_create(
        study=lab.study, name="experts", defaults={"link_kind": "personal"}
    )
    invitation, _ = Invitation.objects.get_or_create(
        cohort=cohort, name="Ann", defaults={"created_at": START}
    )
    job, _ = ExportJob.objects.get_or_create(
        study=lab.study, actor="ada", defaults={"options": {}, "requested_at": START}
    )
    webhook, _ = Webhook.objects.get_or_create(
        study=lab.study,
        url="https://hooks.example.org/x",
        defaults={"occasions": ["study.stalled"], "salt": "salt", "created_at": START},
    )
    known = dict.fromkeys(
        (
            *("study", "cohort", "trace", "pair", "progress"),
            *("version", "definition", "preregistration", "watch"),
        ),
        0,
    )
    debate = lab.study.debates.first()
    return {
        **known,
        "debate": debate.pk if debate else committee_queued(lab.study.pk).debate_id,
        "slug": lab.study.slug,
        "cohort": cohort.name,
        "scenario": lab.key,
        "run": GenerationRun.objects.earliest("pk").pk,
        "export": job.pk,
        "invitation": invitation.pk,
        "webhook": webhook.pk,
    }


def definition(**changes: Any) -> dict[str, Any]:
    """Return the demo study's definition under another name, about one debate."""
    path = settings.BASE_DIR / "fixtures" / "demo_study.json"
    scenario = {"key": "first", "title": "", "trace": DEADLOCK.name}
    return {
        **json.loads(path.read_text()),
        "slug": "by-program",
        "title": "By program",
        "kind": "study",
        "test": False,
        "scenarios": [scenario],
        "plan": {},
        **changes,
    }

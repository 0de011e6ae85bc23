"""The table of what researchers can do: each service with the role it asks for and what it logs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import User

from studyapp.domain.definition import CohortPlan
from studyapp.domain.export_options import ExportOptions
from studyapp.domain.invitations import InvitationPlan
from studyapp.domain.occasions import Occasion, StallRule
from studyapp.domain.passages import TextPage
from studyapp.domain.permissions import Action, Role
from studyapp.models import (
    Cohort,
    DebateRun,
    GenerationRun,
    Invitation,
    Scenario,
    Study,
    StudyMember,
)
from studyapp.seams.debates import config_committee
from studyapp.seams.engine import config_preset
from studyapp.selectors.wording import text_sheet
from studyapp.services import (
    accounts,
    api_access,
    debates,
    invitation,
    members,
    report,
    retention,
    study,
)
from studyapp.services.debates import WantedDebate
from studyapp.services.export import bundle_export, file_export
from studyapp.services.export.jobs import export_build, export_request, export_take
from studyapp.services.notices import webhooks, wishes
from studyapp.services.notices.webhooks import WebhookPlan
from studyapp.services.study import UploadedFile
from studyapp.services.study.building import study_create
from tests.sample_study import DEMO, SampleStudy
from tests.studyapp.answering import people_complete
from tests.studyapp.debates import AGREES, START, Clock, trace_stored
from tests.studyapp.held import COMMITTEE, TRIAL, committee_queued, corpus
from tests.studyapp.lab import member_of, user_new

_REASON: Final = "A participant reported harm; we must know what they read."
_WORD: Final = "the word of a link"
_OWN: Final = [
    {"scenario": "scenario-1", "arm": arm, "text": f"The text of {arm}."}
    for arm in ("baseline", "apg")
]


@dataclass(frozen=True)
class Scene:
    """A study with everything that can be acted on, and a folder."""

    study: Study
    folder: Path

    @property
    def id(self) -> int:
        return self.study.pk

    @property
    def experts(self) -> Cohort:
        return self.study.cohorts.get(name="experts")

    def run(self, state: str) -> int:
        """Give the first scenario a run in place of its pair."""
        run_ = GenerationRun.objects.create(
            trace=trace_stored(), config={}, state=state, created_at=START
        )
        self.study.scenarios.filter(position=1).update(run=run_, pair=None)
        return run_.pk

    def debate(self, state: str) -> int:
        """Give the study a debate that nobody has added yet."""
        debate_id = committee_queued(self.id).debate_id
        ended = {"record": {}, "trace": trace_stored()} if state == "finished" else {}
        DebateRun.objects.filter(pk=debate_id).update(state=state, **ended)
        return debate_id

    def webhook(self) -> int:
        """Have an address told."""
        return webhooks.webhook_create(
            study_id=self.id, plan=_HOOK, actor_id=self.owner, now=START
        ).id

    def export(self) -> int:
        """Have a worker build an export."""
        options = ExportOptions(data="both")
        job = export_request(study_id=self.id, options=options, actor_id=self.owner, now=START)
        export_build(job_id=job, now=Clock())
        return job

    def colleague(self) -> int:
        """Return a second member."""
        member_of(self.study, Role.MONITOR, name="colleague")
        return StudyMember.objects.get(study=self.study, user__username="colleague").pk

    def invite(self) -> int:
        """Invite a colleague."""
        return members.member_invite(
            study_id=self.id, email="a@example.org", role=Role.MONITOR, token=_WORD,
            actor_id=self.owner, now=START,
        ).pk  # fmt: skip

    @property
    def owner(self) -> int:
        return User.objects.get(username="owner").pk


@dataclass(frozen=True)
class Act:
    """What a service needs, what it asks of the role, and what it must leave in the log."""

    action: Action
    kind: str
    service: Callable[..., Any]
    values: Callable[[Scene], dict[str, Any]] = lambda scene: {"study_id": scene.id}
    state: str = "draft"
    # Nothing of the study is another afterwards: somebody asked for something, or took it out.
    is_request: bool = False

    def __call__(self, scene: Scene, actor_id: int) -> None:
        """Have it done."""
        Study.objects.filter(pk=scene.id).update(
            state=self.state, opened_at=None if self.state in ("draft", "piloting") else START
        )
        values = self.values(scene)
        self.service(**values, actor_id=actor_id, now=START)


def _here(scene: Scene, **values: Any) -> dict[str, Any]:
    return {"study_id": scene.id, **values}


def _with(**values: Any) -> Callable[[Scene], dict[str, Any]]:
    return partial(_here, **values)


def _without_pairs(scene: Scene, **values: Any) -> dict[str, Any]:
    Scenario.objects.filter(study=scene.study).update(pair=None, run=None)
    return _here(scene, **values)


def _answered(scene: Scene, **values: Any) -> dict[str, Any]:
    people_complete(SampleStudy(scene.study, scene.study.cohorts.earliest("pk")), count=1)
    return _here(scene, **values)


def _translated(scene: Scene) -> dict[str, Any]:
    Study.objects.filter(pk=scene.id).update(translations={"pl": {"texts": {"title": "Most"}}})
    return _here(scene, language="pl")


def _invited(scene: Scene) -> int:
    return Invitation.objects.create(cohort=scene.experts, name="Ann", created_at=START).pk


def _researcher() -> str:
    return user_new("colleague").username


def _empty(scene: Scene) -> Path:
    folder = scene.folder / "work"
    folder.mkdir(exist_ok=True)
    return folder


def _sealed(scene: Scene) -> dict[str, Any]:
    Study.objects.filter(pk=scene.id).update(kind="study", is_test=False)
    return _here(scene, reason=_REASON)


def _token(scene: Scene) -> str:
    scene.invite()
    return _WORD


def _token_of(user: User) -> int:
    asked: dict[str, Any] = {"name": "t", "scopes": [_E], "days": 7}
    return api_access.api_token_create(user_id=user.pk, **asked, now=START).id


_HOOK: Final = WebhookPlan("https://example.org/hook", "a", (Occasion.STALLED,))
_ONE: Final = UploadedFile("one.json", AGREES.read_bytes())
_E, _R, _A, _G = Action.EDIT, Action.RUN, Action.ANALYSE, Action.GOVERN
ACTS: Final = (
    Act(_R, "study.piloting", study.study_pilot),
    Act(_R, "study.draft", study.study_redraft, state="piloting"),
    Act(_R, "study.open", study.study_open),
    Act(_R, "study.paused", study.study_pause, state="open"),
    Act(_R, "study.closed", study.study_close, state="open"),
    Act(_R, "study.archived", study.study_archive, state="closed"),
    Act(_E, "study.versioned", study.version_create, _with(seed=5), state="open"),
    Act(_E, "scenario.added", study.scenario_add,
        lambda scene: _here(scene, trace_id=trace_stored().pk)),
    Act(_E, "scenario.added", study.debates_add, _with(debates=[_ONE])),
    Act(_E, "debate.requested", debates.committee_request, _with(wish=COMMITTEE)),
    Act(_E, "debate.requested", debates.debate_request,
        _with(wanted=WantedDebate("committee", "committee", config_committee(COMMITTEE)))),
    Act(_E, "debate.requested", debates.trials_request,
        _with(claims=["Masks help."], corpus=corpus(), wish=TRIAL)),
    Act(_E, "debate.cancelled", debates.debate_cancel,
        lambda scene: _here(scene, debate_id=scene.debate("queued"))),
    Act(_E, "debate.retried", debates.debate_retry,
        lambda scene: _here(scene, debate_id=scene.debate("failed"))),
    Act(_E, "scenario.added", debates.debate_take,
        lambda scene: _here(scene, debate_id=scene.debate("finished"))),
    Act(_E, "scenario.named", study.scenario_name, _with(key="scenario-1", title="A bridge")),
    Act(_E, "scenario.removed", study.scenario_remove, _with(key="scenario-1")),
    Act(_E, "texts.written", study.texts_write, lambda scene: _here(
        scene, page=TextPage.CONSENT, language="en", sent={"texts/title": "A bridge"},
        seen=text_sheet(scene.id, page=TextPage.CONSENT, language="en").seen)),
    Act(_E, "translation.removed", study.translation_remove, _translated),
    Act(_E, "texts.brought", study.pairs_load,
        _with(file=UploadedFile("own.json", json.dumps(_OWN).encode()))),
    Act(_E, "texts.requested", study.study_generate,
        lambda scene: _without_pairs(scene, config=config_preset("offline"))),
    Act(_E, "run.cancelled", study.generation_cancel,
        lambda scene: _here(scene, run_id=scene.run("queued"))),
    Act(_E, "run.retried", study.generation_retry,
        lambda scene: _here(scene, run_id=scene.run("failed"))),
    Act(_E, "cohort.created", study.cohort_create, _with(plan=CohortPlan(name="more", quota=None))),
    Act(_E, "cohort.removed", study.cohort_remove, _with(name="experts")),
    Act(_R, "cohort.paused", study.cohort_move, _with(name="experts", target="paused")),
    Act(_E, "invitations.created", invitation.invitations_create,
        lambda scene: {"cohort_id": scene.experts.pk, "plans": [InvitationPlan(name="Ann")]}),
    Act(_E, "invitation.revoked", invitation.invitation_revoke,
        lambda scene: {"cohort_id": scene.experts.pk, "invitation_id": _invited(scene)}),
    Act(_A, "design.requested", report.report_request, partial(_answered, language="en"),
        state="open",
        is_request=True),
    Act(_A, "export.requested", export_request, _with(options=ExportOptions()), state="closed",
        is_request=True),
    Act(_A, "export.downloaded", export_take,
        lambda scene: _here(scene, job_id=scene.export()), state="closed", is_request=True),
    Act(_A, "bundle.exported", bundle_export,
        lambda scene: _here(scene, target=io.BytesIO()), state="closed", is_request=True),
    Act(_A, "export.built", file_export,
        lambda scene: _here(scene, target=scene.folder / "long.csv", folder=_empty(scene),
                            options=ExportOptions(form="csv")),
        state="closed", is_request=True),
    Act(_G, "arm_key.unsealed", study.arm_key_unseal, _sealed, state="open"),
    Act(_G, "member.added", members.member_add,
        lambda scene: _here(scene, username=_researcher(), role=Role.EDITOR)),
    Act(_G, "member.changed", members.member_role_set,
        lambda scene: _here(scene, member_id=scene.colleague(), role=Role.EDITOR)),
    Act(_G, "member.removed", members.member_remove,
        lambda scene: _here(scene, member_id=scene.colleague())),
    Act(_G, "member.invited", members.member_invite,
        _with(email="a@example.org", role=Role.EDITOR, token=_WORD)),
    Act(_G, "member.uninvited", members.member_invitation_revoke,
        lambda scene: _here(scene, invitation_id=scene.invite())),
    Act(_E, "webhook.made", webhooks.webhook_create, _with(plan=_HOOK)),
    Act(_E, "webhook.changed", webhooks.webhook_change,
        lambda scene: _here(scene, webhook_id=scene.webhook(),
                            plan=replace(_HOOK, description="b"))),
    Act(_E, "webhook.removed", webhooks.webhook_remove,
        lambda scene: _here(scene, webhook_id=scene.webhook())),
    Act(_E, "webhook.tested", webhooks.webhook_test,
        lambda scene: _here(scene, webhook_id=scene.webhook()), is_request=True),
    Act(_E, "notices.rule_set", wishes.rule_set, _with(rule=StallRule(hours=5))),
    Act(_E, "notices.mail_set", wishes.mail_set, _with(occasions=[Occasion.STALLED])),
    Act(_G, "retention.set", retention.retention_set, _with(days=30, action="delete")),
)  # fmt: skip


@dataclass(frozen=True)
class OwnAct:
    """What a researcher does with nobody's leave: something of their own, or something new."""

    kind: str
    service: Callable[..., Any]
    values: Callable[[Scene, User], dict[str, Any]]


_DEFINITION: Final = {**json.loads(DEMO.read_text()), "scenarios": [], "plan": {}}
OWN_ACTS: Final = (
    OwnAct("study.created", study_create,
           lambda _, user: {"definition": _DEFINITION, "trace_ids": {}, "owner_id": user.pk}),
    OwnAct("study.created", study.study_load,
           lambda _, user: {"path": DEMO, "owner_id": user.pk, "seed": 1}),
    OwnAct("study.created", study.study_build,
           lambda _, user: {"title": "T", "debates": [], "seed": 1, "owner_id": user.pk}),
    OwnAct("study.created", study.study_upload,
           lambda _, user: {
               "definition": UploadedFile("d.json", json.dumps(_DEFINITION).encode()),
               "debates": [], "owner_id": user.pk, "seed": 1}),
    OwnAct("member.joined", members.member_invitation_accept,
           lambda scene, user: {"token": _token(scene), "user_id": user.pk}),
    OwnAct("account.api_token_made", api_access.api_token_create,
           lambda _, user: {"user_id": user.pk, "name": "t", "scopes": [_E], "days": 7}),
    OwnAct("account.api_token_revoked", api_access.api_token_revoke,
           lambda _, user: {"user_id": user.pk, "token_id": _token_of(user)}),
    OwnAct("account.recovery_codes_renewed", accounts.recovery_codes_renew,
           lambda _, user: {"user": user}),
)  # fmt: skip

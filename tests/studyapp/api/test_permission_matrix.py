"""Role by operation, one's own study and another's: a stranger gets nothing, not even existence."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest
from django.db import transaction

from studyapp.domain.api_scopes import SCOPES
from studyapp.domain.permissions import Action, Role
from studyapp.models import Event, StudyMember
from studyapp.services.study import texts_generate
from tests.studyapp.api.calling import ROOT, Caller, caller_of, problem_of
from tests.studyapp.api.operations import Operation, definition, operations
from tests.studyapp.debates import START, Clock
from tests.studyapp.lab import Lab, user_new

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(180)]

O, E, M, A = Role.OWNER, Role.EDITOR, Role.MONITOR, Role.ANALYST  # noqa: E741 - columns
# Which roles may do what, and which scope a token needs. Written out, to be read and argued about.
MATRIX: Final[dict[str, tuple[set[Role], Action]]] = {
    "study_read": ({O, E, M, A}, Action.WATCH),
    "study_move": ({O, E}, Action.RUN),
    "version_create": ({O, E}, Action.EDIT),
    "definition_read": ({O, E, A}, Action.STIMULI),
    "preregistration_read": ({O, E, A}, Action.STIMULI),
    "progress_read": ({O, E, M, A}, Action.WATCH),
    "watch_read": ({O, E, M, A}, Action.WATCH),
    "cohort_list": ({O, E, M, A}, Action.WATCH),
    "cohort_create": ({O, E}, Action.EDIT),
    "cohort_read": ({O, E, M, A}, Action.WATCH),
    "cohort_move": ({O, E}, Action.RUN),
    "cohort_remove": ({O, E}, Action.EDIT),
    "invitation_list": ({O, E}, Action.EDIT),
    "invitation_create": ({O, E}, Action.EDIT),
    "invitation_revoke": ({O, E}, Action.EDIT),
    "trace_list": ({O, E, A}, Action.STIMULI),
    "trace_upload": ({O, E}, Action.EDIT),
    "trace_read": ({O, E, A}, Action.STIMULI),
    "trace_name": ({O, E}, Action.EDIT),
    "trace_remove": ({O, E}, Action.EDIT),
    "pair_list": ({O, E, A}, Action.STIMULI),
    "pair_read": ({O, E, A}, Action.STIMULI),
    "pair_upload": ({O, E}, Action.EDIT),
    "debate_list": ({O, E, A}, Action.STIMULI),
    "debate_hold_committee": ({O, E}, Action.EDIT),
    "debate_hold_trials": ({O, E}, Action.EDIT),
    "debate_read": ({O, E, A}, Action.STIMULI),
    "debate_cancel": ({O, E}, Action.EDIT),
    "debate_retry": ({O, E}, Action.EDIT),
    "debate_take": ({O, E}, Action.EDIT),
    "run_list": ({O, E, A}, Action.STIMULI),
    "run_generate": ({O, E}, Action.EDIT),
    "run_read": ({O, E, A}, Action.STIMULI),
    "run_cancel": ({O, E}, Action.EDIT),
    "run_retry": ({O, E}, Action.EDIT),
    "export_list": ({O, A}, Action.ANALYSE),
    "export_request": ({O, A}, Action.ANALYSE),
    "export_read": ({O, A}, Action.ANALYSE),
    "export_download": ({O, A}, Action.ANALYSE),
    "webhook_list": ({O, E}, Action.EDIT),
    "webhook_create": ({O, E}, Action.EDIT),
    "webhook_read": ({O, E}, Action.EDIT),
    "webhook_change": ({O, E}, Action.EDIT),
    "webhook_test": ({O, E}, Action.EDIT),
    "webhook_delivery_list": ({O, E}, Action.EDIT),
    "webhook_remove": ({O, E}, Action.EDIT),
}
# The study was never launched.
_NOT_THERE: Final = {"preregistration_read"}
# These are not about one study; the scope is all they ask.
OF_NO_STUDY: Final = {"study_list": Action.WATCH, "study_create": Action.EDIT}


# Two studies may have a cohort of one name; and these are about the study itself.
_OF_ANY_STUDY: Final = (
    *("experts/state", "experts/remove"),
    *("debates/committee", "debates/trials"),
)


@pytest.fixture
def table(lab: Lab, ada: Caller) -> list[Operation]:
    ada.post(f"/studies/{lab.study.slug}/runs")
    for run_id in lab.queued:
        texts_generate(run_id=run_id, now=Clock(), environment={})
    return [row for row in operations(lab) if row.name not in OF_NO_STUDY]


def _asked(operation: Operation, caller: Caller) -> Any:
    """Ask, and take back whatever it did."""
    with transaction.atomic():
        response = operation.ask(caller)
        transaction.set_rollback(True)
    return response


def test_every_operation_has_its_row(lab: Lab, table: list[Operation]) -> None:
    assert {row.name for row in operations(lab)} == set(MATRIX) | set(OF_NO_STUDY)
    assert len(table) == len(MATRIX)


@pytest.mark.parametrize("role", list(Role))
def test_a_member_gets_what_the_role_allows(lab: Lab, table: list[Operation], role: Role) -> None:
    user = user_new("member")
    StudyMember.objects.create(study=lab.study, user=user, role=role, added_at=START)
    caller = caller_of(user.pk)
    for row in table:
        answer = _asked(row, caller)
        if role in MATRIX[row.name][0]:
            allowed = (200, 201, 202, 204, 400, 409)
            is_there = row.name not in _NOT_THERE
            assert answer.status_code in (allowed if is_there else (404,)), (row, answer.content)
        else:
            assert "role" in problem_of(answer, 403)["detail"], row


def test_what_is_allowed_works_for_an_owner(table: list[Operation], ada: Caller) -> None:
    refused = {row.name: _asked(row, ada).status_code for row in table}
    # What is done already cannot be done: the runs have ended, and no export was built.
    names = ("version_create", "run_cancel", "run_retry", "debate_retry", "debate_take")
    conflicts = dict.fromkeys(names, 409)
    expected = conflicts | {"export_download": 400, "preregistration_read": 404}
    assert {name: status for name, status in refused.items() if status >= 400} == expected


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_it_is_for(lab: Lab, table: list[Operation], scope: Action) -> None:
    caller = caller_of(lab.study.owner_id, [scope])
    for row in table:
        answer = _asked(row, caller)
        if MATRIX[row.name][1] is scope:
            assert answer.status_code not in (401, 403), row
            assert (answer.status_code == 404) is (row.name in _NOT_THERE), row
        else:
            assert "token" in problem_of(answer, 403)["detail"], row
    assert (caller.get("/studies").status_code == 200) is (scope is Action.WATCH)
    assert (caller.post("/studies", {"definition": {}}).status_code == 403) is (
        scope is not Action.EDIT
    )


def test_a_stranger_learns_nothing(lab: Lab, table: list[Operation]) -> None:
    stranger, nobody = caller_of(user_new("bob").pk), Caller("")
    events = Event.objects.count()
    seen: Counter[tuple[str, int]] = Counter()
    for row in table:
        missing = Operation(row.name, row.method, row.path.replace(lab.study.slug, "no-such"))
        there, absent = _asked(row, stranger), _asked(missing, stranger)
        assert there.content == absent.content, row
        assert dict(there.headers) == dict(absent.headers), row
        seen["stranger", there.status_code] += 1
        seen["nobody", _asked(row, nobody).status_code] += 1
    assert seen == {("stranger", 404): len(table), ("nobody", 401): len(table)}
    assert stranger.get("/studies").json()["count"] == 0
    assert Event.objects.count() == events


def test_a_thing_of_another_study_is_not_there(lab: Lab, table: list[Operation]) -> None:
    """Whoever owns another study cannot reach these things through it."""
    caller = caller_of(user_new("eve").pk)
    from_file = {"file_name": "a.json", "content": "{}"}
    assert problem_of(caller.post("/studies", {"definition": {}, "debates": [from_file]}), 400)
    other = _other_study(caller)
    named = [
        row for row in table if row.path.count("/") > 3 and not row.path.endswith(_OF_ANY_STUDY)
    ]
    for row in named:
        moved = Operation(row.name, row.method, row.path.replace(lab.study.slug, other))
        assert _asked(moved, caller).status_code == 404, row


def _other_study(caller: Caller) -> str:
    sent = {"definition": definition(slug="others", scenarios=[])}
    assert caller.post("/studies", sent).status_code == 201
    return "others"


def test_a_session_of_the_pages_opens_no_operation(lab: Lab) -> None:
    response = lab.ada.get(f"{ROOT}/studies/{lab.study.slug}")
    assert problem_of(response, 401)["code"] == "not_authenticated"
    assert response.headers["WWW-Authenticate"] == "Bearer"

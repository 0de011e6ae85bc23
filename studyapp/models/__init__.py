"""The tables, in the order of the data."""

from studyapp.models.api_access import ApiRequest, ApiToken
from studyapp.models.assignment import Assignment, Outcome, Participant, Place, Tombstone
from studyapp.models.corpus import DebateTrace
from studyapp.models.debate import (
    BranchState,
    DebateBranch,
    DebateRun,
    DebateSystem,
    EvidenceCorpus,
)
from studyapp.models.event import Event, EventSeal
from studyapp.models.export import ExportJob, ExportState
from studyapp.models.generation import GenerationRun, ModelCall
from studyapp.models.heartbeat import WorkerHeartbeat
from studyapp.models.invitation import Invitation
from studyapp.models.leased import LeasedWork, RunState
from studyapp.models.member import MemberInvitation, MemberRole, StudyMember
from studyapp.models.notice import (
    DeliveryState,
    Notice,
    NoticeDelivery,
    NoticeReader,
    NoticeRule,
    Webhook,
)
from studyapp.models.paradata import Change, EvidenceLink, Exposure, Relation
from studyapp.models.report import ReportKind, ReportState, StudyReport
from studyapp.models.response import Draft, ReportSide, Response
from studyapp.models.retention import Retention, RetentionAction
from studyapp.models.stimulus import StimulusPair
from studyapp.models.study import (
    Cohort,
    CohortKind,
    CohortState,
    LinkKind,
    Scenario,
    Study,
    StudyKind,
    StudyState,
)
from studyapp.models.unsealing import Unsealing

__all__ = [
    "ApiRequest",
    "ApiToken",
    "Assignment",
    "BranchState",
    "Change",
    "Cohort",
    "CohortKind",
    "CohortState",
    "DebateBranch",
    "DebateRun",
    "DebateSystem",
    "DebateTrace",
    "DeliveryState",
    "Draft",
    "Event",
    "EventSeal",
    "EvidenceCorpus",
    "EvidenceLink",
    "ExportJob",
    "ExportState",
    "Exposure",
    "GenerationRun",
    "Invitation",
    "LeasedWork",
    "LinkKind",
    "MemberInvitation",
    "MemberRole",
    "ModelCall",
    "Notice",
    "NoticeDelivery",
    "NoticeReader",
    "NoticeRule",
    "Outcome",
    "Participant",
    "Place",
    "Relation",
    "ReportKind",
    "ReportSide",
    "ReportState",
    "Response",
    "Retention",
    "RetentionAction",
    "RunState",
    "Scenario",
    "StimulusPair",
    "Study",
    "StudyKind",
    "StudyMember",
    "StudyReport",
    "StudyState",
    "Tombstone",
    "Unsealing",
    "Webhook",
    "WorkerHeartbeat",
]

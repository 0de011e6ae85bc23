"""The tables, in the order of the data."""

from studyapp.models.assignment import Assignment, Participant
from studyapp.models.corpus import DebateTrace
from studyapp.models.event import Event
from studyapp.models.generation import GenerationRun, ModelCall, RunState
from studyapp.models.report import ReportKind, ReportState, StudyReport
from studyapp.models.response import Draft, ReportSide, Response
from studyapp.models.stimulus import StimulusPair
from studyapp.models.study import Cohort, Scenario, Study, StudyKind, StudyState

__all__ = [
    "Assignment",
    "Cohort",
    "DebateTrace",
    "Draft",
    "Event",
    "GenerationRun",
    "ModelCall",
    "Participant",
    "ReportKind",
    "ReportSide",
    "ReportState",
    "Response",
    "RunState",
    "Scenario",
    "StimulusPair",
    "Study",
    "StudyKind",
    "StudyReport",
    "StudyState",
]

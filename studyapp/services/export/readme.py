"""What a reader of a bundle should know first."""

from __future__ import annotations

from typing import Final

from studyapp.models import Study, StudyKind, StudyState
from studyapp.services.export.codebook import CONVENTIONS
from studyapp.services.export.tables import Asked

DEMO_SENTENCE: Final = "demo study: conceptual replication, test data"
TEST_SENTENCE: Final = "study for trying things out: test data"
PILOT_SENTENCE: Final = "pilot of a study that was not launched: test data"
LIVE_SENTENCE: Final = "study: collected data"

_README: Final = """\
{title}
{line}

This is an export of the study "{slug}", version {version} of "{family}".
What it is: {kind}.
Design hash: {design_hash}
Texts written by: {models}
In it: {selection}.
{unsealed}
long.csv          one row for each stored answer, in the order of enrolment
{wide}participants.csv  everyone who consented and did not withdraw
assignments.csv   what each participant was to see, opened or not
paradata.csv      how long each trace, turn and report was in view, and changes of answers
evidence.csv      turns that participants marked as supporting or contradicting a report
changes.csv       answers that were replaced before they were submitted
withdrawn.csv     what stays of those who withdrew: no answer, no time, no code
exclusions.csv    whom the study's own rules took out
events.csv        the study's log; its own exports are not in it
codebook.csv      what each column and value means; codebook.json holds the same
manifest.json     counts and SHA-256 of the files, the design, the models
{prov}apg_load.R        reads all tables in R:       source("apg_load.R"); study <- apg_load(".")
apg_load.py       reads all tables with pandas: from apg_load import apg_load; apg_load(".")

{arms}
Report A stood left, Report B right.
UTF-8, lines end with CR LF. A text that a spreadsheet would run as a formula has an apostrophe
before it; the loaders and `analysis` take it off again. Times are UTC, ISO 8601 with offset.
{conventions}
{external}
To analyse it: {analyse}
"""


def readme_text(asked: Asked, *, models: str) -> str:
    """Write the README of a bundle."""
    study, options = asked.study, asked.options
    return _README.format(
        title=study.versioned_title,
        line="=" * len(study.versioned_title),
        slug=study.slug,
        version=study.version,
        family=study.family_slug,
        kind=kind_sentence(study),
        design_hash=study.design_sha256 or "(none: not launched yet)",
        models=models,
        selection=_selection(asked),
        unsealed=_unsealed(study),
        wide=""
        if options.blind
        else "wide.csv          one row for each participant and scenario\n",
        prov="" if options.blind else "prov/             where the texts come from, in W3C PROV\n",
        arms=_arms(asked),
        conventions=CONVENTIONS,
        external=_external(asked),
        analyse="python -m analysis design THIS_FILE"
        if options.blind
        else "python analysis/ttest.py THIS_FILE",
    )


def kind_sentence(study: Study) -> str:
    """Say what a study is, and whether its data are test data."""
    if study.kind == StudyKind.DEMO:
        return DEMO_SENTENCE
    if study.state == StudyState.PILOTING:
        return PILOT_SENTENCE
    return TEST_SENTENCE if study.is_test else LIVE_SENTENCE


def _selection(asked: Asked) -> str:
    options = asked.options
    data = {"live": "live data", "test": "test data", "both": "live and test data"}[options.data]
    who = {
        "all": "all participants who consented",
        "completed": "participants who completed",
        "partial": "participants who did not complete",
    }[options.completion]
    cohort = f", cohort {options.cohort}" if options.cohort else ""
    return f"{data}, {who}{cohort}"


def _unsealed(study: Study) -> str:
    """Tell of looks at the arm key before the study had ended."""
    return "".join(
        f"Arm key unsealed early by {row.actor} on {row.at:%Y-%m-%d}: {row.reason}\n"
        for row in study.unsealings.order_by("pk")
    )


def _arms(asked: Asked) -> str:
    if asked.options.blind:
        return (
            "This export is blind: arm and left_arm are empty, a choice is left or right, and the\n"
            "seed is left out, from which the sides could be drawn again."
        )
    study = asked.study
    return (
        f"Difference: {study.treatment_arm} - {study.reference_arm}, in every table and report.\n"
        "left_arm says which arm stood left in a trial."
    )


def _external(asked: Asked) -> str:
    if asked.options.external_ids:
        return "participants.csv holds what panels call the participants: these are personal data."
    return (
        "What panels call the participants is left out. What somebody typed into an answer stays\n"
        "as it is."
    )

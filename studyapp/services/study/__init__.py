"""Build a study from its definition, have its texts generated, take it through its states."""

from studyapp.services.study.arm_key import arm_key_unseal
from studyapp.services.study.building import study_create
from studyapp.services.study.cohorts import cohort_create, cohort_move, cohort_remove
from studyapp.services.study.lifecycle import (
    study_archive,
    study_close,
    study_open,
    study_pause,
    study_pilot,
    study_redraft,
)
from studyapp.services.study.loading import (
    debates_add,
    study_build,
    study_load,
    study_upload,
)
from studyapp.services.study.own_texts import pairs_load
from studyapp.services.study.record import design_record
from studyapp.services.study.scenarios import scenario_add, scenario_name, scenario_remove
from studyapp.services.study.sharing import is_shared, study_share, study_shared
from studyapp.services.study.texts import (
    generation_cancel,
    generation_retry,
    study_generate,
    texts_generate,
)
from studyapp.services.study.uploads import UploadedFile
from studyapp.services.study.versions import version_create
from studyapp.services.study.wording import texts_write, translation_remove

__all__ = [
    "UploadedFile",
    "arm_key_unseal",
    "cohort_create",
    "cohort_move",
    "cohort_remove",
    "debates_add",
    "design_record",
    "generation_cancel",
    "generation_retry",
    "is_shared",
    "pairs_load",
    "scenario_add",
    "scenario_name",
    "scenario_remove",
    "study_archive",
    "study_build",
    "study_close",
    "study_create",
    "study_generate",
    "study_load",
    "study_open",
    "study_pause",
    "study_pilot",
    "study_redraft",
    "study_share",
    "study_shared",
    "study_upload",
    "texts_generate",
    "texts_write",
    "translation_remove",
    "version_create",
]

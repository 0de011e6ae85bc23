"""What can be chosen for a debate, for the pages, the API and the commands."""

from studyapp.seams.debates import (
    COMMITTEE,
    COURTROOM,
    EMBEDDERS,
    KINDS,
    PRESETS,
    SCENARIOS,
    SPEAKERS,
    Caps,
    CommitteeWish,
    TrialWish,
    claims_read,
    config_file,
)

__all__ = [
    "COMMITTEE",
    "COURTROOM",
    "EMBEDDERS",
    "KINDS",
    "PRESETS",
    "SCENARIOS",
    "SPEAKERS",
    "Caps",
    "CommitteeWish",
    "TrialWish",
    "claims_read",
    "config_file",
]

"""What can be chosen for a debate, for the pages, the API and the commands."""

from studyapp.seams.debates import (
    CLAIMS_MOST,
    COMMITTEE,
    COURTROOM,
    EMBEDDERS,
    ENFORCEMENTS,
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
    "CLAIMS_MOST",
    "COMMITTEE",
    "COURTROOM",
    "EMBEDDERS",
    "ENFORCEMENTS",
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

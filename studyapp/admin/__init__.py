"""The operators' view of the tables. Researchers have pages of their own."""

from studyapp.admin import (
    accounts,
    api_access,
    debates,
    exports,
    generation,
    members,
    notices,
    participants,
    reports,
    studies,
)

__all__ = [
    "accounts",
    "api_access",
    "debates",
    "exports",
    "generation",
    "members",
    "notices",
    "participants",
    "reports",
    "studies",
]

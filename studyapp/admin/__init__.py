"""The operators' view of the tables. Researchers have pages of their own."""

from studyapp.admin import generation, participants, reports, studies

__all__ = ["generation", "participants", "reports", "studies"]

"""The operators' view of the tables. Researchers have pages of their own."""

from studyapp.admin import exports, generation, members, participants, reports, studies

__all__ = ["exports", "generation", "members", "participants", "reports", "studies"]

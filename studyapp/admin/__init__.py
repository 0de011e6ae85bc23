"""The operators' view of the tables. Researchers have pages of their own."""

from studyapp.admin import api_access, exports, generation, members, participants, reports, studies

__all__ = ["api_access", "exports", "generation", "members", "participants", "reports", "studies"]

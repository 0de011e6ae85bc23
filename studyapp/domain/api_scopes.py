"""What a token of the API can be for: actions of the table of permissions, but for two.

The log and the members stay with people who have signed in with their second factor.
"""

from __future__ import annotations

from typing import Final

from studyapp.domain.permissions import Action

SCOPES: Final = (Action.WATCH, Action.STIMULI, Action.EDIT, Action.RUN, Action.ANALYSE)
PREFIX: Final = "api_"
DAYS: Final = (7, 30, 90, 365)

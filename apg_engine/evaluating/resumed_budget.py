"""The budget of a claim that an earlier command began: what it recorded was counted already."""

from __future__ import annotations

from apg_engine.debates.budget import DebateBudget, DebateLimits
from apg_engine.spending.budget import Amount


class ResumedBudget(DebateBudget):
    """The whole evaluation's budget, for a journal whose rows were counted when it was opened.

    So they count from the beginning, and no other claim can take what they took meanwhile.
    """

    def __init__(self, whole: DebateBudget) -> None:
        super().__init__(DebateLimits(), prices=whole.prices)
        self._whole = whole

    def reserve(self, *, role: str, round_: int, amount: Amount) -> None:
        """Set something aside for a new call.

        Raises:
            ScopeSpentError: the evaluation has too little left.
        """
        self._whole.reserve(role=role, round_=round_, amount=amount)

    def settle(self, *, role: str, round_: int, reserved: Amount, used: Amount) -> None:
        """Count a new call; a recorded one, for which nothing was set aside, stands counted."""
        if reserved != Amount():
            self._whole.settle(role=role, round_=round_, reserved=reserved, used=used)

"""A debate's budget in the database: every worker of it reserves there, and counts what all used.

What is used is booked together with the recorded call, so that each call counts once, whoever
finds it again. A worker that dies leaves its reservation until its branch is taken up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from django.db import transaction

from apg_engine.debates.budget import DebateBudget, DebateLimits
from apg_engine.spending.budget import Amount
from apg_engine.spending.prices import PriceTable
from studyapp.models import DebateBranch, DebateRun

_NOTHING: Final = Amount()


class SharedBudget(DebateBudget):
    """The engine's budget, with the database's sums in place of its own.

    Args:
        limits: of the debate's scopes.
        prices: for what calls cost.
        debate_id: the debate.
        branch_id: the branch this worker does; it makes one call at a time.
    """

    def __init__(
        self, limits: DebateLimits, *, prices: PriceTable, debate_id: int, branch_id: int
    ) -> None:
        super().__init__(limits, prices=prices)
        self._limits_given = limits
        self._debate, self._branch = debate_id, branch_id
        self._unbooked: tuple[str, Amount] | None = None

    def reserve(self, *, role: str, round_: int, amount: Amount) -> None:
        """Set something aside before a call, beside what others have set aside.

        Raises:
            ScopeSpentError: one of the call's scopes has too little left.
        """
        if amount == _NOTHING:
            return
        with transaction.atomic():
            debate = DebateRun.objects.select_for_update(no_key=True).get(pk=self._debate)
            self._as_stored(debate).reserve(role=role, round_=round_, amount=amount)
            reserved = {"scope": f"{round_} {role}", **asdict(amount)}
            DebateBranch.objects.filter(pk=self._branch).update(reserved=reserved)

    def settle(self, *, role: str, round_: int, reserved: Amount, used: Amount) -> None:
        """Remember what a new call used until it is booked; a call that was found is booked."""
        if reserved != _NOTHING:
            self._unbooked = f"{round_} {role}", used

    def book(self) -> None:
        """Count the call that is being recorded, in the transaction that records it."""
        if self._unbooked is None:
            return
        scope, used = self._unbooked
        debate = DebateRun.objects.select_for_update(no_key=True).get(pk=self._debate)
        total = _amount(debate.spent.get(scope, {})) + used
        spent = {**debate.spent, scope: asdict(total)}
        DebateRun.objects.filter(pk=self._debate).update(spent=spent)
        DebateBranch.objects.filter(pk=self._branch).update(reserved=None)
        self._unbooked = None

    def _as_stored(self, debate: DebateRun) -> DebateBudget:
        """Make a budget in which everything counts that any worker has used or set aside."""
        stored = DebateBudget(self._limits_given, prices=self.prices)
        others = DebateBranch.objects.filter(debate_id=self._debate, reserved__isnull=False)
        reserved = others.exclude(pk=self._branch).values_list("reserved", flat=True)
        for scope, used in (*debate.spent.items(), *_scoped(reserved)):
            round_, _, role = scope.partition(" ")
            stored.settle(role=role, round_=int(round_), reserved=_NOTHING, used=_amount(used))
        return stored


def _scoped(reserved: Iterable[Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    return ((row["scope"], row) for row in reserved)


def _amount(stored: Mapping[str, Any]) -> Amount:
    return Amount(stored.get("calls", 0), stored.get("tokens", 0), stored.get("cost", 0.0))

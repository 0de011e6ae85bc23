"""Budgets that are reserved before a call and shared by everything that runs at once."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from apg_engine.errors import EngineError
from apg_engine.journal import CallJournal, CallRecord
from apg_engine.spending.pace import Pace
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import call_cost, is_model_call


class BudgetSpentError(EngineError):
    """The next call could go beyond the budget, so it was not made.

    Attributes:
        limit: which budget: calls, tokens or cost.
        told: what is spent, without what can be done about it.
    """

    def __init__(self, limit: str, spent: float, reserved: float, most: float) -> None:
        self.limit = limit
        self.told = (
            f"budget of {most:g} {limit} is spent: {spent:g} used, {reserved:g} would be needed "
            "for the next call"
        )
        super().__init__(
            f"{self.told}; recorded calls are kept, and a larger budget goes on from them"
        )


@dataclass(frozen=True, slots=True)
class Amount:
    """Calls, tokens and money, used or reserved."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.calls + other.calls, self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.calls - other.calls, self.tokens - other.tokens, self.cost - other.cost)


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that may be used; None means no limit."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


class Budget:
    """Counts what is used and what is reserved, for several threads."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._used = Amount()
        self._reserved = Amount()

    @property
    def used(self) -> Amount:
        """What was used so far, without what is only reserved."""
        with self._lock:
            return self._used

    def reserve(self, amount: Amount) -> None:
        """Set something aside before a call.

        Raises:
            BudgetSpentError: used, reserved and this together are more than a limit.
        """
        with self._lock:
            taken = self._used + self._reserved
            for limit in ("calls", "tokens", "cost"):
                most = getattr(self._limits, limit)
                held, wanted = getattr(taken, limit), getattr(amount, limit)
                if most is not None and held + wanted > most:
                    raise BudgetSpentError(limit, held, wanted, most)
            self._reserved += amount

    def settle(self, *, reserved: Amount, used: Amount) -> None:
        """Put what a call used in the place of what was set aside for it."""
        with self._lock:
            self._reserved -= reserved
            self._used += used

    def count(self, used: Amount) -> None:
        """Count a call that an earlier process has paid for."""
        self.settle(reserved=Amount(), used=used)


class GuardedJournal:
    """A journal that lets a run make a call only within budget and pace.

    A run asks its journal for each call before it makes it, and hands it the record afterwards:
    that is where a reservation is made and settled.

    Args:
        journal: where calls are kept.
        budget: shared by all runs.
        estimate: set aside for one call; it counts where a server tells no usage.
        prices: for what a call cost.
        pace: shared by all runs; None means as fast as it goes.
    """

    def __init__(
        self,
        journal: CallJournal,
        *,
        budget: Budget,
        estimate: Amount,
        prices: PriceTable,
        pace: Pace | None = None,
    ) -> None:
        self._journal, self._budget, self._estimate = journal, budget, estimate
        self._prices, self._pace = prices, pace
        self._counted: set[int] = set()
        self._open: set[int] = set()

    def find(self, sequence: int) -> CallRecord | None:
        """Give a recorded call, or set aside what the next one may use.

        Raises:
            BudgetSpentError: there is not enough left for it.
        """
        record = self._journal.find(sequence)
        if record is None:
            self._budget.reserve(self._estimate)
            self._open.add(sequence)
            if self._pace is not None:
                self._pace.take()
        elif sequence not in self._counted:
            self._counted.add(sequence)
            self._budget.count(self._amount(record))
        return record

    def append(self, record: CallRecord) -> None:
        """Keep a call and settle what was set aside for it."""
        self._journal.append(record)
        reserved = self._estimate if record.sequence in self._open else Amount()
        self._open.discard(record.sequence)
        self._counted.add(record.sequence)
        self._budget.settle(reserved=reserved, used=self._amount(record))

    def release(self) -> None:
        """Give back what is set aside for a call that was never recorded."""
        for _ in range(len(self._open)):
            self._budget.settle(reserved=self._estimate, used=Amount())
        self._open.clear()

    def _amount(self, record: CallRecord) -> Amount:
        if not is_model_call(record):
            return Amount()
        usage, estimate = record.usage, self._estimate
        known = usage.prompt_tokens is not None and usage.completion_tokens is not None
        tokens = (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)
        cost = call_cost(record, prices=self._prices)
        return Amount(
            calls=1,
            tokens=tokens if known else estimate.tokens,
            cost=estimate.cost if cost is None else cost,
        )

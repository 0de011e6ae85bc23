"""One budget for a debate, in three scopes: the run, each role and each round."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from apg_engine.config import ModelSpec
from apg_engine.errors import EngineError, InputError
from apg_engine.journal import CallRecord
from apg_engine.spending.budget import Amount, Budget, BudgetSpentError, Limits
from apg_engine.spending.prices import PriceTable
from apg_engine.spending.spent import call_cost, is_model_call

# Where nothing better is known: few tokenisers make more tokens of a prompt than this.
_CHARACTERS_PER_TOKEN: Final = 3
_UNLIMITED: Final = Limits()


class ScopeSpentError(EngineError):
    """The next call could go beyond a limit, so it was not made.

    Attributes:
        scope: `run`, `role NAME` or `round N`.
        limit: calls, tokens or cost.
    """

    def __init__(self, scope: str, cause: BudgetSpentError) -> None:
        self.scope, self.limit = scope, cause.limit
        # A debate's limits are part of its setup: a larger budget is another debate.
        super().__init__(f"{scope}: {cause.told}")


@dataclass(frozen=True, slots=True)
class DebateLimits:
    """The most that may be used.

    Attributes:
        run: by the whole debate and its gate.
        round: by each round.
        role: by each role that is not in `roles`.
        roles: by single roles.
    """

    run: Limits = _UNLIMITED
    round: Limits = _UNLIMITED
    role: Limits = _UNLIMITED
    roles: Mapping[str, Limits] = field(default_factory=dict)


class DebateBudget:
    """Reserves in all scopes of a call or in none; safe for several threads.

    Args:
        limits: of the scopes.
        prices: for what calls cost.
    """

    def __init__(self, limits: DebateLimits, *, prices: PriceTable) -> None:
        self.run = Budget(limits.run)
        self.prices = prices
        self._limits = limits
        self._scopes: dict[str, Budget] = {"run": self.run}
        self._lock = threading.Lock()

    def reserve(self, *, role: str, round_: int, amount: Amount) -> None:
        """Set something aside before a call.

        Raises:
            ScopeSpentError: one of the call's scopes has too little left.
        """
        held: list[Budget] = []
        for name, budget in self._of(role, round_):
            try:
                budget.reserve(amount)
            except BudgetSpentError as error:
                for other in held:
                    other.settle(reserved=amount, used=Amount())
                raise ScopeSpentError(name, error) from error
            held.append(budget)

    def settle(self, *, role: str, round_: int, reserved: Amount, used: Amount) -> None:
        """Put what a call used in the place of what was set aside for it."""
        for _, budget in self._of(role, round_):
            budget.settle(reserved=reserved, used=used)

    def used(self, record: CallRecord, estimate: Amount) -> Amount:
        """Tell what a call took; the estimate counts where a server tells no usage or price."""
        if not is_model_call(record):
            return Amount()
        usage = record.usage
        tokens = estimate.tokens
        if usage.prompt_tokens is not None and usage.completion_tokens is not None:
            tokens = usage.prompt_tokens + usage.completion_tokens
        cost = call_cost(record, prices=self.prices)
        return Amount(calls=1, tokens=tokens, cost=estimate.cost if cost is None else cost)

    def _of(self, role: str, round_: int) -> Iterator[tuple[str, Budget]]:
        yield "run", self.run
        yield self._named(f"role {role}", self._limits.roles.get(role, self._limits.role))
        if round_:
            yield self._named(f"round {round_}", self._limits.round)

    def _named(self, name: str, limits: Limits) -> tuple[str, Budget]:
        with self._lock:
            return name, self._scopes.setdefault(name, Budget(limits))


def request_estimate(request: Mapping[str, Any], *, prices: PriceTable) -> Amount:
    """Give the most a call should take: its whole prompt in, its limit out; nothing for rules."""
    if "messages" not in request:
        return Amount()
    prompt = sum(len(message["content"]) for message in request["messages"])
    tokens_in, most = prompt // _CHARACTERS_PER_TOKEN, int(request["max_tokens"])
    model = request["model"]
    price = prices.find(model=str(model.get("name", "")), base_url=str(model.get("base_url", "")))
    cost = 0.0
    if price is not None:
        cost = (tokens_in * price.input_per_million + most * price.output_per_million) / 1_000_000
    return Amount(calls=1, tokens=tokens_in + most, cost=cost)


def limits_checked(
    limits: DebateLimits, *, specs: Iterable[ModelSpec], prices: PriceTable
) -> DebateLimits:
    """Give limits back that can be kept: a limit on cost needs every price.

    Raises:
        InputError: a model's price is not known, so a limit on its cost could not be kept.
    """
    scopes = (limits.run, limits.round, limits.role, *limits.roles.values())
    if any(scope.cost is not None for scope in scopes):
        for spec in specs:
            known = prices.find(model=spec.name, base_url=spec.base_url)
            if spec.kind == "openai" and known is None:
                place = f"price of {spec.name} at {spec.base_url or 'the default endpoint'}"
                raise InputError("budget", place, "nothing", "a row in --prices FILE")
    return limits

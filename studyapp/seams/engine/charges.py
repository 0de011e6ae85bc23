"""What recorded calls cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apg_engine.calls import NO_USAGE, Usage
from apg_engine.spending.prices import prices_packaged


@dataclass(frozen=True, slots=True)
class Charge:
    """What tells the cost of a recorded call: the model it went to, if any, and its usage."""

    model: object
    usage: object


@dataclass(frozen=True, slots=True)
class ChargeCost:
    """What a recorded call took; `is_asked` says whether a language model was asked at all.

    The amount is None where the model's price or its count of tokens is not known.
    """

    is_asked: bool
    prompt_tokens: int | None
    completion_tokens: int | None
    amount: float | None
    currency: str


def charge_cost(charge: Charge) -> ChargeCost:
    """Tell what a recorded call took, at the prices that come with the engine."""
    prices, model = prices_packaged(), charge.model
    if not isinstance(model, Mapping):
        return ChargeCost(
            is_asked=False,
            prompt_tokens=None,
            completion_tokens=None,
            amount=None,
            currency=prices.currency,
        )
    found = prices.find(model=str(model.get("name", "")), base_url=str(model.get("base_url", "")))
    usage = Usage(**charge.usage) if isinstance(charge.usage, Mapping) else NO_USAGE
    return ChargeCost(
        is_asked=True,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        amount=None if found is None else found.cost(usage),
        currency=prices.currency,
    )

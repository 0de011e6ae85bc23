"""What recorded calls took: tokens, money and seconds, each unknown where it was not told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from apg_engine.journal import CallRecord
from apg_engine.spending.prices import Price, PriceTable


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums over calls of language models.

    Attributes:
        calls: how many.
        prompt_tokens: sent; None if one call did not say.
        completion_tokens: received; None if one call did not say.
        cost: in the table's currency; None if one price or count is unknown.
        seconds: spent waiting, retries included; None if one call did not say.
        priced: calls whose cost is known.
    """

    calls: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    seconds: float | None
    priced: int


def calls_spent(records: Iterable[CallRecord], *, prices: PriceTable) -> Spent:
    """Add up the calls that went to a model; rules cost nothing and are not counted."""
    asked = [record for record in records if is_model_call(record)]
    costs = [call_cost(record, prices=prices) for record in asked]
    return Spent(
        calls=len(asked),
        prompt_tokens=_whole([record.usage.prompt_tokens for record in asked]),
        completion_tokens=_whole([record.usage.completion_tokens for record in asked]),
        cost=_sum(costs),
        seconds=_sum([record.seconds for record in asked]),
        priced=sum(cost is not None for cost in costs),
    )


def call_cost(record: CallRecord, *, prices: PriceTable) -> float | None:
    """Give what one call cost, or None if price or usage is unknown."""
    price = _price(record.request.get("model"), prices)
    return price.cost(record.usage) if price else None


def is_model_call(record: CallRecord) -> bool:
    """Tell a call of a language model from one that rules answered."""
    return "messages" in record.request


def _price(model: Any, prices: PriceTable) -> Price | None:
    if not isinstance(model, dict):
        return None
    return prices.find(model=str(model.get("name", "")), base_url=str(model.get("base_url", "")))


def _whole(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None

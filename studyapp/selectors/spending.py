"""What generating texts has cost so far: calls, tokens and money, each unknown where it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from studyapp.models import ModelCall, Scenario
from studyapp.seams import engine

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class RunSpent:
    """Sums over recorded calls.

    Attributes:
        calls: all that were recorded, those that rules answered included.
        asked: those that went to a language model.
        prompt_tokens: sent; None where one call did not say.
        completion_tokens: received; None where one call did not say.
        cost: in `currency`; None where a price or a count is not known.
    """

    calls: int = 0
    asked: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    cost: float | None = 0.0
    currency: str = ""

    @property
    def tokens(self) -> int | None:
        """Tokens both ways."""
        return _added(self.prompt_tokens, self.completion_tokens)


NOTHING: Final = RunSpent()


def runs_spent(study_id: int) -> dict[int, RunSpent]:
    """Return what each run of a study's scenarios has spent, by run."""
    runs = Scenario.objects.filter(study=study_id, run__isnull=False).values("run")
    calls = ModelCall.objects.filter(run__in=runs)
    # Prompts and replies are large; what they cost stands beside them.
    rows = calls.order_by("pk").values_list("run_id", "record__request__model", "record__usage")
    found: dict[int, list[engine.Charge]] = {}
    for run_id, model, usage in rows:
        found.setdefault(run_id, []).append(engine.Charge(model, usage))
    return {run_id: charges_spent(charges) for run_id, charges in found.items()}


def charges_spent(charges: Iterable[engine.Charge]) -> RunSpent:
    """Add up calls."""
    return spent_sum(_charge_spent(charge) for charge in charges)


def spent_sum(rows: Iterable[RunSpent]) -> RunSpent:
    """Add sums up; one that is unknown makes the whole unknown."""
    total = NOTHING
    for row in rows:
        total = RunSpent(
            calls=total.calls + row.calls,
            asked=total.asked + row.asked,
            prompt_tokens=_added(total.prompt_tokens, row.prompt_tokens),
            completion_tokens=_added(total.completion_tokens, row.completion_tokens),
            cost=_added(total.cost, row.cost),
            currency=total.currency or row.currency,
        )
    return total


def _charge_spent(charge: engine.Charge) -> RunSpent:
    cost = engine.charge_cost(charge)
    if not cost.is_asked:
        return RunSpent(calls=1)
    return RunSpent(
        calls=1,
        asked=1,
        prompt_tokens=cost.prompt_tokens,
        completion_tokens=cost.completion_tokens,
        cost=cost.amount,
        currency=cost.currency,
    )


def _added(one: _Number | None, other: _Number | None) -> _Number | None:
    return None if one is None or other is None else one + other

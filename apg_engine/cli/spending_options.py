"""The options that limit and price what calls cost."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from apg_engine.config import GateConfig, ModelSpec
from apg_engine.errors import InputError
from apg_engine.spending.budget import Budget, Limits
from apg_engine.spending.prices import PriceTable, prices_packaged, prices_read


def spending_options_add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--max-calls", type=int, metavar="N", help="stop before more calls")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="stop before more tokens")
    parser.add_argument("--max-cost", type=float, metavar="MONEY", help="in the prices' currency")
    parser.add_argument("--prices", type=Path, metavar="FILE", help="prices of your own")


def limits_given(options: argparse.Namespace) -> dict[str, Any]:
    """Give the limits that were named."""
    named = {"calls": options.max_calls, "tokens": options.max_tokens, "cost": options.max_cost}
    return {name: value for name, value in named.items() if value is not None}


def limits_read(options: argparse.Namespace, *, place: str) -> Limits:
    """Read the limits that were named.

    Raises:
        InputError: one is below 0; `place` says of what.
    """
    given = limits_given(options)
    for name, value in given.items():
        if not value >= 0:
            raise InputError(place, f"--max-{name}", str(value), "0 or more")
    return Limits(**given)


def prices_of(options: argparse.Namespace) -> PriceTable:
    """Read the prices to reckon with.

    Raises:
        PriceError: the file is no table of prices.
    """
    return prices_packaged() if options.prices is None else prices_read(options.prices)


def budget_of(options: argparse.Namespace, *, config: GateConfig, prices: PriceTable) -> Budget:
    """Make the budget the options name.

    Raises:
        InputError: a limit is below 0, or a limit on cost meets a model without a known price.
    """
    limits = limits_read(options, place="budget")
    if options.max_cost is not None:
        for spec in _asked(config):
            if prices.find(model=spec.name, base_url=spec.base_url) is None:
                place = f"price of {spec.name} at {spec.base_url or 'the default endpoint'}"
                raise InputError("budget", place, "nothing", "a row in --prices FILE")
    return Budget(limits)


def _asked(config: GateConfig) -> list[ModelSpec]:
    roles = [config.proposer, config.auditor, *([config.measured_by] if config.measured_by else [])]
    specs = [spec for role in roles for spec in (role, *role.members)]
    return [spec for spec in specs if spec.kind == "openai"]

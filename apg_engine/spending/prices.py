"""Prices of models by endpoint and name; a price nobody has looked up is unknown, never zero."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from apg_engine.calls import Usage
from apg_engine.errors import InputError
from apg_engine.json_data import json_load

PRICES_SCHEMA: Final = "apg-prices"
_TEXTS = ("host", "model", "source", "read_on")
_NUMBERS = ("input_per_million", "output_per_million")
_MILLION = 1_000_000


class PriceError(InputError):
    """A file of prices cannot be read."""


@dataclass(frozen=True, slots=True)
class Price:
    """Price of one model at one endpoint, in the table's currency.

    Attributes:
        host: of the endpoint; the same name may cost otherwise elsewhere.
        model: name at the endpoint.
        source: where the price was read, and `read_on` the day, YYYY-MM-DD.
        long_above_tokens: prompts above it cost the long prices; 0 if there are none.
    """

    host: str
    model: str
    input_per_million: float
    output_per_million: float
    source: str
    read_on: str
    long_above_tokens: int = 0
    long_input_per_million: float = 0.0
    long_output_per_million: float = 0.0

    def cost(self, usage: Usage) -> float | None:
        """Give what these tokens cost; None if the server did not count them."""
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        is_long = 0 < self.long_above_tokens < usage.prompt_tokens
        per_in = self.long_input_per_million if is_long else self.input_per_million
        per_out = self.long_output_per_million if is_long else self.output_per_million
        return (usage.prompt_tokens * per_in + usage.completion_tokens * per_out) / _MILLION


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Known prices in one currency."""

    currency: str
    prices: tuple[Price, ...]

    def find(self, *, model: str, base_url: str) -> Price | None:
        """Give the price of a model at an endpoint, or None if it is not known."""
        host = urlsplit(base_url).hostname or ""
        return next((p for p in self.prices if (p.host, p.model) == (host, model)), None)


@cache
def prices_packaged() -> PriceTable:
    """Give the table that comes with the package."""
    path = files("apg_engine").joinpath("spending", "prices.json")
    return _table(path.read_text("utf-8"), "prices.json")


def prices_read(path: Path) -> PriceTable:
    """Read a table of one's own; it takes the place of the packaged one.

    Raises:
        PriceError: the file is absent or is no table of prices.
    """
    if not path.is_file():
        raise PriceError(str(path), "file", "nothing", "a table of prices")
    return _table(path.read_text("utf-8", errors="replace"), str(path))


def _table(text: str, file: str) -> PriceTable:
    try:
        data = json_load(text)
    except ValueError as error:
        raise PriceError(file, "content", f"no JSON ({error})", "a table of prices") from error
    if not isinstance(data, dict) or data.get("schema") != PRICES_SCHEMA:
        raise PriceError(file, "schema", repr(data)[:60], f"an object of schema {PRICES_SCHEMA}")
    currency, rows = data.get("currency"), data.get("prices")
    if not isinstance(currency, str) or not isinstance(rows, list):
        raise PriceError(file, "currency, prices", "something else", "a code and a list")
    return PriceTable(currency, tuple(_prices(rows, file)))


def _prices(rows: Sequence[object], file: str) -> list[Price]:
    allowed = {field.name for field in fields(Price)}
    found = []
    for at, row in enumerate(rows):
        place = f"prices[{at}]"
        if not isinstance(row, Mapping) or not set(row) <= allowed:
            raise PriceError(file, place, repr(row)[:60], ", ".join(sorted(allowed)))
        _row_check(row, place, file)
        found.append(Price(**row))
    return found


def _row_check(row: Mapping[str, Any], place: str, file: str) -> None:
    for name in _TEXTS:
        if not isinstance(row.get(name), str) or not row[name]:
            raise PriceError(file, f"{place}.{name}", repr(row.get(name)), "text")
    numbers = [name for name in row if name.endswith(("per_million", "tokens"))]
    for name in (*_NUMBERS, *numbers):
        value = row.get(name)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= row[name] <= sys.float_info.max:
            raise PriceError(file, f"{place}.{name}", repr(value), "a number from 0")

"""A record read from JSON holds what it declares, or the field that does not is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from apg_engine.field_types import misfits_find


@dataclass(frozen=True)
class Inner:
    number: int
    share: float | None = None


@dataclass(frozen=True)
class Outer:
    name: str = "a"
    side: Literal["left", "right"] = "left"
    inner: tuple[Inner, ...] = ()
    one: Inner | None = None
    more: Any = None
    table: dict[str, Any] | None = None


@pytest.mark.parametrize(
    "record",
    [
        Outer(),
        Outer(inner=(Inner(1), Inner(2, 0.5), Inner(3, 1)), one=Inner(4), more=[1], table={"a": 1}),
    ],
)
def test_a_record_of_its_declared_types_has_no_misfit(record: Outer) -> None:
    assert not list(misfits_find(record))


@pytest.mark.parametrize(
    ("values", "misfit"),
    [
        ({"name": None}, "name: NoneType"),
        ({"side": "up"}, "side: str"),
        ({"inner": [Inner(1)]}, "inner: list"),
        ({"inner": (Inner(1), Inner("2"))}, "inner[1].number: str"),  # type: ignore[arg-type]
        ({"inner": (Inner(True),)}, "inner[0].number: bool"),
        ({"one": Inner(1, "x")}, "one.share: str"),  # type: ignore[arg-type]
        ({"one": "x"}, "one: str"),
        ({"table": []}, "table: list"),
    ],
)
def test_a_value_of_another_type_is_named_with_its_place(
    values: dict[str, Any], misfit: str
) -> None:
    assert list(misfits_find(Outer(**values))) == [misfit]

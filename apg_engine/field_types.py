"""Are the fields of a record that was read from JSON of the types that it declares?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def misfits_find(record: Any, place: str = "") -> Iterator[str]:
    """Name each field, also of records inside, whose value is of another type than declared.

    Args:
        record: a frozen dataclass; what it declares as Any or as a mapping is not looked into.
        place: put before the names, as in `pairs[0]`.
    """
    kind: Any = type(record)
    for name, declared in _declared(kind).items():
        where = f"{place}.{name}" if place else name
        yield from _misfits(getattr(record, name), declared, where)


@cache
def _declared(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _misfits(value: Any, declared: Any, place: str) -> Iterator[str]:
    origin, arguments = get_origin(declared), get_args(declared)
    if origin in (Union, UnionType):
        fitting = [kind for kind in arguments if not any(True for _ in _misfits(value, kind, ""))]
        inner = [kind for kind in arguments if kind is not NoneType]
        if not fitting and value is not None and len(inner) == 1:
            yield from _misfits(value, inner[0], place)
        elif not fitting:
            yield f"{place}: {type(value).__name__}"
    elif origin is tuple and isinstance(value, tuple):
        for number, one in enumerate(value):
            yield from _misfits(one, arguments[0], f"{place}[{number}]")
    elif not _is_of(value, declared, origin, arguments):
        yield f"{place}: {type(value).__name__}"
    elif is_dataclass(value):
        yield from misfits_find(value, place)


def _is_of(value: Any, declared: Any, origin: Any, arguments: tuple[Any, ...]) -> bool:
    if declared is Any:
        return True
    if origin is Literal:
        return isinstance(value, str | int) and value in arguments
    if declared is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if declared is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or declared)

"""What is wrong with a run, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not hold: file, place in it, what stands there, what must."""

    file: str
    place: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.file}: {self.place}: found {self.found}; expected {self.expected}"


def bytes_compare(name: str, found: bytes, expected: bytes) -> Iterator[Fault]:
    """Name the first line in which a file differs from what follows from the other files."""
    if found == expected:
        return
    pairs = zip_longest(found.split(b"\n"), expected.split(b"\n"))
    number, one, other = next(
        (number, one, other) for number, (one, other) in enumerate(pairs, 1) if one != other
    )
    yield Fault(name, f"line {number}", _line(one), _line(other))


def values_compare(name: str, place: str, found: Any, expected: Any) -> Iterator[Fault]:
    """Name every place in which JSON differs from what follows from the other files."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            inner = f"{place}.{key}" if place else str(key)
            yield from values_compare(name, inner, found.get(key), expected.get(key))
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        for at, (one, other) in enumerate(zip(found, expected, strict=True)):
            yield from values_compare(name, f"{place}[{at}]", one, other)
    elif found != expected or type(found) is not type(expected):
        yield Fault(name, place, shown(found), shown(expected))


def line_of(data: bytes, offset: int) -> int:
    """Give the 1-based line a byte stands in."""
    return data.count(b"\n", 0, offset) + 1


def shown(value: Any) -> str:
    """Show a value on one short line."""
    text = f"{len(value)} entries" if isinstance(value, list | tuple | dict) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _line(line: bytes | None) -> str:
    return "the end of the file" if line is None else shown(line.decode("utf-8", "replace"))

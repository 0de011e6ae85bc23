"""Rows of a list that are read from the database only as far as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Rows(Generic[Row]):
    """What is stored, in order, and how one of them is told."""

    stored: QuerySet[Any]
    row: Callable[[Any], Row]

    def __len__(self) -> int:
        """Have the database count."""
        return self.stored.count()

    def __iter__(self) -> Iterator[Row]:
        """Read all of them."""
        return map(self.row, self.stored)

    def part(self, first: int, last: int) -> list[Row]:
        """Read the rows from `first` up to `last`, which is not among them."""
        return [self.row(found) for found in self.stored[first:last]]

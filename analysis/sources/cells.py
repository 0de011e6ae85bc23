"""One line of a table, read cell by cell; what may not stand there is refused with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from analysis import schema
from analysis.errors import BundleError
from analysis.sources.tables import integer_from

_FLAGS: Final = {"true": True, "false": False, "1": True, "0": False, "": False}
# No sign, exponent, comma, NaN or infinity: float() would take most of them.
_DECIMAL: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,18})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of one line by column, stripped; a column the table lacks reads as empty."""

    file: str
    number: int
    values: Mapping[str, str]

    def text(self, column: str) -> str:
        """A text as it was before escaping."""
        found = self.values.get(column, "")
        return schema.text_unescape(found) if found else ""

    def name(self, column: str) -> str:
        """A text that rows are matched by: letters in NFC, however the file was saved."""
        found = self.text(column)
        return found if found.isascii() else unicodedata.normalize("NFC", found)

    def filled(self, column: str) -> str:
        """A name that must not be empty."""
        return self.name(column) or self._refuse(column, "a name")

    def one_of(self, column: str, allowed: Sequence[str], *, default: str = "") -> str:
        """One of the listed values; an empty cell is the default, if there is one."""
        value = self.text(column) or default
        return value if value in allowed else self._refuse(column, " or ".join(allowed))

    def flag(self, column: str) -> bool:
        """`true`, `false`, 1, 0, or empty for false."""
        value = self.values.get(column, "").lower()
        return _FLAGS[value] if value in _FLAGS else self._refuse(column, "true or false")

    def whole(self, column: str, *, lowest: int, highest: int = 1_000_000) -> int | None:
        """A whole number within bounds; null if empty."""
        value = self.values.get(column, "")
        if value == "":
            return None
        return integer_from(
            value, file=self.file, place=self._place(column), lowest=lowest, highest=highest
        )

    def decimal(self, column: str, *, highest: float) -> float | None:
        """A number from 0 with a decimal point; null if empty."""
        value = self.values.get(column, "")
        if value == "":
            return None
        if not _DECIMAL.fullmatch(value) or float(value) > highest:
            self._refuse(column, f"a number from 0 to {highest:g} with a decimal point")
        return float(value)

    def arm(self, column: str, arms: Sequence[str], *, required: bool) -> str:
        """The name of an arm."""
        value = self.name(column)
        if value in arms or (value == "" and not required):
            return value
        names = f"{' or '.join(arms)} (other arms are named with --arms)"
        return self._refuse(column, names if arms else "nothing, as the bundle is blind")

    def _place(self, column: str) -> str:
        return f"row {self.number}, column {column}"

    def _refuse(self, column: str, allowed: str) -> NoReturn:
        found = self.values.get(column, "")
        raise BundleError(
            file=self.file,
            place=self._place(column),
            found=repr(found) if found else "nothing",
            allowed=allowed,
        )

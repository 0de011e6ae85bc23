"""A value of a JSON document that knows its file and place, so that an error can name them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from unicodedata import category

from apg_engine.errors import TraceError

EXCERPT_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Field:
    """One JSON value with its address; `present` is false where the key does not exist."""

    file: str
    place: str
    value: object
    present: bool = True

    def get(self, key: str) -> Field:
        """The member `key` of this object; not present if the object lacks it."""
        place = key if self.place == "" else f"{self.place}.{key}"
        members = self.members()
        return Field(self.file, place, members.get(key), present=key in members)

    def first(self, *keys: str) -> Field:
        """The first member present among `keys`, else the (absent) member of the first key."""
        for key in keys:
            field = self.get(key)
            if field.present:
                return field
        return self.get(keys[0])

    def members(self) -> dict[str, object]:
        """The object's members.

        Raises:
            TraceError: the value is not an object.
        """
        if isinstance(self.value, dict):
            return self.value
        raise self.error("an object")

    def items(self) -> Iterator[Field]:
        """The list's items, each with its index in the place; none if the field is absent.

        Raises:
            TraceError: the value is present and not a list.
        """
        if not self.present:
            return
        if not isinstance(self.value, list):
            raise self.error("a list")
        for index, item in enumerate(self.value):
            yield Field(self.file, f"{self.place}[{index}]", item)

    def filled_items(self) -> Iterator[Field]:
        """The list's items; there must be one.

        Raises:
            TraceError: the value is absent, no list, or empty.
        """
        if not self.present or self.value == []:
            raise self.error("a list of at least one")
        return self.items()

    def text(self, *, default: str | None = None, max_length: int | None = None) -> str:
        """The string, or `default` where the field is absent and a default is given.

        Raises:
            TraceError: the value is no string, or longer than `max_length` characters.
        """
        if not self.present and default is not None:
            return default
        if not isinstance(self.value, str):
            raise self.error("a text")
        if max_length is not None and len(self.value) > max_length:
            raise TraceError(
                self.file, self.place, f"{len(self.value)} characters", f"at most {max_length}"
            )
        return self.value

    def filled_text(self, *, max_length: int | None = None) -> str:
        """The string, which must hold more than white space and invisible format characters.

        Raises:
            TraceError: the value is no string, blank, or too long.
        """
        value = self.text(max_length=max_length)
        if all(character.isspace() or category(character) == "Cf" for character in value):
            raise self.error("a text that is not empty")
        return value

    def matching(self, pattern: str, *, allowed: str) -> str:
        """The string, which the whole pattern must fit; `allowed` says so in words.

        Raises:
            TraceError: the value is no string or does not fit.
        """
        if isinstance(self.value, str) and re.fullmatch(pattern, self.value):
            return self.value
        raise self.error(allowed)

    def language(self, *, default: str) -> str:
        """A language tag such as `en` or `pl-PL`, or the default where the field is absent.

        Raises:
            TraceError: the value is not such a tag.
        """
        if not self.present:
            return default
        return self.matching(
            r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}", allowed="a language tag such as en or pl-PL"
        )

    def integer(self) -> int:
        """The whole number; 3.0 counts as one, as in JSON Schema.

        Raises:
            TraceError: the value is not a whole number.
        """
        if isinstance(self.value, float) and self.value.is_integer():
            return int(self.value)
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return self.value
        raise self.error("a whole number")

    def flag(self, *, default: bool) -> bool:
        """True or false, or `default` where the field is absent.

        Raises:
            TraceError: the value is neither.
        """
        if not self.present:
            return default
        if isinstance(self.value, bool):
            return self.value
        raise self.error("true or false")

    def choice(self, allowed: Collection[str]) -> str:
        """The string, which must be one of `allowed`.

        Raises:
            TraceError: it is not.
        """
        if isinstance(self.value, str) and self.value in allowed:
            return self.value
        raise self.error(" | ".join(f'"{option}"' for option in allowed))

    def only(self, allowed: Collection[str]) -> None:
        """Refuse members outside `allowed`, so that a misspelt field is not lost in silence.

        Raises:
            TraceError: there is one.
        """
        for key in self.members():
            if key not in allowed:
                raise TraceError(
                    self.file,
                    self.place or "the document",
                    f"unknown field {shortened(key)}",
                    ", ".join(allowed),
                )

    def error(self, allowed: str) -> TraceError:
        """The error that says what stands here and what may."""
        found = described(self.value) if self.present else "nothing"
        return TraceError(self.file, self.place or "the document", found, allowed)


def described(value: object) -> str:
    """What a JSON value is, in words short enough for an error line."""
    if isinstance(value, str):
        return shortened(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        return f"the number {str(value)[:EXCERPT_CHARACTERS]}"
    return f"a list of {len(value)}" if isinstance(value, list) else "an object"


def shortened(text: str) -> str:
    """The text in quotes, cut to one short line."""
    if len(text) > EXCERPT_CHARACTERS:
        text = f"{text[:EXCERPT_CHARACTERS]}..."
    return repr(text)

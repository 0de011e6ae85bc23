"""Fields that take JSON's own types only: a number is no text, and a text is no number."""

from __future__ import annotations

from collections.abc import Mapping
from sys import float_info
from typing import Any

from rest_framework import serializers


class StrictText(serializers.CharField):
    """A text."""

    def to_internal_value(self, data: Any) -> str:
        """Take a text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class StrictChoice(serializers.ChoiceField):
    """One of some texts."""

    def to_internal_value(self, data: Any) -> Any:
        """Take a text."""
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class StrictNumber(serializers.IntegerField):
    """A whole number."""

    def to_internal_value(self, data: Any) -> int:
        """Take a number; JSON's 1.0 is one."""
        is_whole = isinstance(data, int) or (isinstance(data, float) and data.is_integer())
        if isinstance(data, bool) or not is_whole:
            self.fail("invalid")
        return int(super().to_internal_value(int(data)))


class StrictAmount(serializers.FloatField):
    """A number."""

    def to_internal_value(self, data: Any) -> float:
        """Take a number that is one: neither true nor beyond every float, as JSON may be."""
        is_number = isinstance(data, int | float) and not isinstance(data, bool)
        if not is_number or not abs(data) <= float_info.max:
            self.fail("invalid")
        return float(data)


class StrictFlag(serializers.BooleanField):
    """True or false."""

    def to_internal_value(self, data: Any) -> bool:
        """Take true or false."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class StrictQuery(serializers.Serializer[Any]):
    """The query of an address. Names it does not know are left alone."""


class StrictBody(serializers.Serializer[Any]):
    """A body. A name that it does not know is a mistake, and not passed over in silence."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what nobody would read."""
        if isinstance(data, Mapping):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                allowed = f"allowed are {', '.join(self.fields)}" if self.fields else "send {}"
                raise serializers.ValidationError({unknown[0]: [f"unknown; {allowed}"]})
        return super().to_internal_value(data)

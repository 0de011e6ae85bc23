"""How a body is read: JSON of a bounded size, with text that every database can hold."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from studyapp.api.problems import TooLarge
from studyapp.domain.characters import text_storable

_DEPTH: Final = 40


class BoundedJSONParser(JSONParser):
    """JSON that is neither larger than a study with its debates nor deeper than any of them."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the data.

        Raises:
            TooLarge: there are more bytes than a study with its debates may have.
            ParseError: it is no JSON, or too deep.
        """
        limit = 4 * settings.TRACE_MAX_BYTES
        content = stream.read(limit + 1)
        if len(content) > limit:
            raise TooLarge(f"The body has more than {limit} bytes.")
        try:
            data = super().parse(io.BytesIO(content), media_type, parser_context)
        except RecursionError as error:
            raise ParseError(f"The body is nested more than {_DEPTH} levels deep.") from error
        return _storable(data, depth=0)


def _storable(value: Any, *, depth: int) -> Any:
    if isinstance(value, str):
        return text_storable(value)
    if depth == _DEPTH and isinstance(value, dict | list):
        raise ParseError(f"The body is nested more than {_DEPTH} levels deep.")
    if isinstance(value, list):
        return [_storable(item, depth=depth + 1) for item in value]
    if isinstance(value, dict):
        return {text_storable(k): _storable(item, depth=depth + 1) for k, item in value.items()}
    return value

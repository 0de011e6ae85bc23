"""Characters that no database or UTF-8 file can hold, replaced at the door."""

from __future__ import annotations

import logging
import re
from typing import Final

logger = logging.getLogger(__name__)

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def text_storable(text: str) -> str:
    """Put U+FFFD in place of NUL and lone surrogates; the length in characters stays.

    PostgreSQL stores no NUL, and UTF-8 has no surrogates: kept, they would fail much later, in an
    export. The log is warned, with their number and without the text.
    """
    kept, number = _UNSTORABLE.subn("\ufffd", text)
    if number:
        logger.warning("%d characters that no UTF-8 file can hold became U+FFFD", number)
    return kept

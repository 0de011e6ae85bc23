"""UTF-8 that was read as Windows-1252: found, undone, and checked before it is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


@dataclass(frozen=True, slots=True)
class CheckedMessage:
    """A message, repaired if its recorded length proves the repair, and what to warn of."""

    text: str
    warning: str


def message_checked(text: str, recorded_length: int | None) -> CheckedMessage:
    """Repair a message only where the repaired text has the recorded number of characters.

    The length was taken before the text was garbled, so it tells a repair from a guess. A length
    that fits neither text is reported and the text is kept as it stands.
    """
    if recorded_length is None or len(text) == recorded_length:
        return CheckedMessage(text, "")
    repaired = repaired_text(text)
    if len(repaired) == recorded_length:
        return CheckedMessage(
            repaired, f"mojibake repaired ({len(text)} characters became {recorded_length})"
        )
    return CheckedMessage(
        text, f"holds {len(text)} characters but {recorded_length} are recorded; kept as it stands"
    )


def repaired_text(text: str) -> str:
    """Undo the misreading in every run of non-ASCII characters where it can be undone."""
    return _NOT_ASCII.sub(lambda run: _repaired_run(run.group()), text)


def _repaired_run(run: str) -> str:
    try:
        return b"".join(_byte(char) for char in run).decode("utf-8")
    except UnicodeError:
        return run


def _byte(char: str) -> bytes:
    # Windows-1252 leaves five bytes undefined; readers pass them through as C1 control characters.
    return char.encode("latin-1") if "\x80" <= char <= "\x9f" else char.encode("cp1252")

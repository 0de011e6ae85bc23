"""The content of a chat message: a text, or a list of parts of which some are text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apg_engine.traces.json_field import Field

TEXT_PARTS = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says in public, and what its model thought before it."""

    text: str
    reasoning: str = ""


def content_of(message: Field, *, warn: Callable[[str], None]) -> Content:
    """Read a message's content; parts that are no text are reported and left out.

    Raises:
        TraceError: the content is neither text, parts nor null, or a part has no type.
    """
    content = message.get("content")
    if content.value is None:
        return Content(_refusal(message, warn))
    if isinstance(content.value, str):
        return Content(content.value)
    texts: list[str] = []
    thoughts: list[str] = []
    for part in content.items():
        if isinstance(part.value, str):
            texts.append(part.value)
        else:
            _add_part(part, texts, thoughts, warn)
    return Content("\n".join(texts), "\n".join(thoughts))


def _add_part(
    part: Field, texts: list[str], thoughts: list[str], warn: Callable[[str], None]
) -> None:
    kind = part.get("type").filled_text()
    if kind in TEXT_PARTS:
        texts.append(part.get("text").text())
    elif kind == "reasoning":
        thoughts.append(part.get("reasoning").text(default=""))
    elif kind == "refusal":
        texts.append(part.get("refusal").text())
        warn(f"{part.place} is a refusal")
    else:
        warn(f"{part.place} is {kind} and was left out")


def _refusal(message: Field, warn: Callable[[str], None]) -> str:
    refusal = message.get("refusal")
    if not isinstance(refusal.value, str):
        return ""
    warn(f"{message.place} is a refusal")
    return refusal.value

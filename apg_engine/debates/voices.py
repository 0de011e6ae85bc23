"""Who answers for a role: a chat model with its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apg_engine.config import ModelSpec
from apg_engine.llm.protocol import ChatModel
from apg_engine.models import chat_model_build


@dataclass(frozen=True, slots=True)
class Voice:
    """A chat model as one role uses it.

    Attributes:
        max_tokens: most to write.
        context_tokens: tokens the model can read and write in one call; 0 if that is not known.
    """

    model: ChatModel
    temperature: float = 0.5
    max_tokens: int = 1024
    context_tokens: int = 0


def voice_build(spec: ModelSpec, *, role: str, environment: Mapping[str, str]) -> Voice:
    """Build the voice of a role.

    Raises:
        ModelSetupError: a key or a package is missing.
    """
    return Voice(
        model=chat_model_build(spec, role, environment),
        temperature=spec.temperature,
        max_tokens=spec.max_tokens,
        context_tokens=spec.context_tokens,
    )

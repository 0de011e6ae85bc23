"""Configurations of the gate as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, get_args

import apg_engine
from apg_engine.config import Language
from studyapp.errors import DefinitionError

LANGUAGES: Final[tuple[str, ...]] = get_args(Language)


def config_preset(name: str) -> dict[str, Any]:
    """Return the gate configuration of a preset: `offline` or `paper`.

    Raises:
        DefinitionError: there is no preset of that name.
    """
    with _config_refusals():
        return apg_engine.config_to_dict(apg_engine.GateConfig.preset(name))


def config_read(config: Mapping[str, Any]) -> dict[str, Any]:
    """Bring a gate configuration into its full form.

    Raises:
        DefinitionError: a value is not allowed.
    """
    with _config_refusals():
        return apg_engine.config_to_dict(apg_engine.config_from_dict(config))


def config_in_language(config: Mapping[str, Any], *, language: str) -> dict[str, Any]:
    """Have the texts written in a debate's language, where the engine writes it."""
    base = language.partition("-")[0].lower()
    return {**config, "language": base} if base in LANGUAGES else dict(config)


@contextmanager
def _config_refusals() -> Iterator[None]:
    try:
        yield
    except apg_engine.ConfigError as error:
        raise DefinitionError(
            file=error.file, place=error.place, found=error.found, allowed=error.allowed
        ) from error

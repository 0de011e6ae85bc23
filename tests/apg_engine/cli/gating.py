"""The shell's door and what it writes."""

from __future__ import annotations

from apg_engine.cli.parser import main


def run(*arguments: object, environment: dict[str, str] | None = None) -> int:
    return main([str(one) for one in arguments], environment=environment or {})

"""How sharp a debate's conflict was, by a rule that is stated by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from apg_engine.errors import ConfigError
from apg_engine.records import ConflictLevel, Severity, Shock, ShockKind

ConflictRule = Literal["zero_sum", "paper"]
CONFLICT_RULES: tuple[ConflictRule, ...] = get_args(ConflictRule)


def conflict_level(shocks: Iterable[Shock], *, rule: ConflictRule = "zero_sum") -> ConflictLevel:
    """High or low; empty where no shock is recorded and nothing can be said.

    `zero_sum` asks for a zero-sum shock. `paper` is the looser rule of the paper's own scripts,
    which also count any shock of high severity: of 30 runs it calls 20 high, of which 11 hold a
    zero-sum shock.

    Raises:
        ConfigError: the rule has no such name.
    """
    if rule not in CONFLICT_RULES:
        raise ConfigError("conflict rule", "name", repr(rule), " | ".join(CONFLICT_RULES))
    known = tuple(shocks)
    if not known:
        return ""
    return "high" if any(_is_high(shock, rule) for shock in known) else "low"


def _is_high(shock: Shock, rule: ConflictRule) -> bool:
    if shock.kind is ShockKind.ZERO_SUM:
        return True
    return rule == "paper" and shock.severity is Severity.HIGH

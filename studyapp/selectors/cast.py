"""Who speaks in a debate, told by speaker rather than role by role."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studyapp.selectors.debate_words import role_word


@dataclass(frozen=True, slots=True)
class CastRow:
    """One speaker and the roles it plays, in words; no roles are named where it plays all."""

    name: str
    is_offline: bool
    roles: tuple[str, ...]


def cast_rows(speakers: Iterable[tuple[str, str, bool]]) -> tuple[CastRow, ...]:
    """Group roles by who speaks for them.

    Args:
        speakers: role, name of the speaker, whether that is a set of rules.
    """
    roles: dict[tuple[str, bool], list[str]] = {}
    for role, name, is_offline in speakers:
        roles.setdefault((name, is_offline), []).append(role_word(role))
    if len(roles) == 1:
        return tuple(CastRow(*speaker, ()) for speaker in roles)
    return tuple(CastRow(*speaker, tuple(played)) for speaker, played in roles.items())

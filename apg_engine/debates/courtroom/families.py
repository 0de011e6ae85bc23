"""Which model family somebody belongs to: judges of one family are no independent panel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from apg_engine.config import ModelSpec

_FIRST_WORD: Final = re.compile(r"[a-z]+")
# Names under which a family's weights are also given out.
_KIN: Final = {
    "hermes": "llama",
    "vicuna": "llama",
    "codellama": "llama",
    "nemotron": "llama",
    "mixtral": "mistral",
    "ministral": "mistral",
    "magistral": "mistral",
    "codestral": "mistral",
    "qwq": "qwen",
    "chatgpt": "gpt",
    "o": "gpt",
    "gemma": "gemini",
}


def family_of(spec: ModelSpec, *, role: str) -> str:
    """Tell a model's family by its name; rules and scripts are families of their own by role."""
    if spec.kind in {"offline", "nli"}:
        return f"rules {role}" if spec.kind == "offline" else f"nli {spec.path}"
    if spec.kind == "scripted":
        return f"script {spec.name or role}"
    word = _FIRST_WORD.search(spec.name.rpartition("/")[2].lower())
    found = word[0] if word else spec.name.lower()
    return _KIN.get(found, found)


def families_shared(families: Mapping[str, str], roles: Iterable[str]) -> dict[str, list[str]]:
    """Give the families that more than one of the roles belong to, with those roles."""
    by_family: dict[str, list[str]] = {}
    for role in roles:
        by_family.setdefault(families[role], []).append(role)
    return {family: found for family, found in by_family.items() if len(found) > 1}

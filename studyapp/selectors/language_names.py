"""Languages as their readers call them."""

from __future__ import annotations

from django.utils import translation


def language_name(code: str) -> str:
    """Name a language in itself; an unknown tag names itself."""
    try:
        return str(translation.get_language_info(code)["name_local"])
    except KeyError:
        return code

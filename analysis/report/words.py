"""The report's texts by language; every language has the same keys and the same fields."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from analysis.errors import OptionError

FOLDER: Final = Path(__file__).with_name("words_in")
LANGUAGES: Final = ("en", "pl")


class Words:
    """Texts of one language: `words("key", field=value)`."""

    def __init__(self, language: str) -> None:
        """Read the texts.

        Raises:
            OptionError: There are no texts in this language.
        """
        if language not in LANGUAGES:
            raise OptionError(f"language {language!r}; known: {', '.join(LANGUAGES)}")
        self.language = language
        self._texts = texts(language)

    def __call__(self, key: str, **fields: object) -> str:
        """The text of a key with its fields filled in."""
        return self._texts[key].format(**fields)

    def of(self, text: str) -> str:
        """A text that results carry in English, where this language has it, else as it is."""
        return self._texts.get(f"say_{text.replace(' ', '_')}", text)


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of one language, by key."""
    found = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {key: str(text) for key, text in found.items()}

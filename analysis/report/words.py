"""The report's texts by language; every language has the same keys and the same fields."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from analysis.errors import OptionError
from analysis.report.numbers import Numbers
from analysis.saying import Fixed, Saying, Several

FOLDER: Final = Path(__file__).with_name("words_in")
LANGUAGES: Final = ("en", "pl")


class Words(Numbers):
    """Texts and numbers of one language: `words("key", field=value)`."""

    def __init__(self, language: str, study: Mapping[str, str] | None = None) -> None:
        """Read the texts.

        Args:
            language: One of `LANGUAGES`.
            study: The study's own sentences in this language, by the sentence as it stands.

        Raises:
            OptionError: There are no texts in this language.
        """
        if language not in LANGUAGES:
            raise OptionError(f"language {language!r}; known: {', '.join(LANGUAGES)}")
        super().__init__(language)
        self.language = language
        self._texts = texts(language)
        self._study = study or {}

    def __call__(self, key: str, **fields: object) -> str:
        """The text of a key with its fields filled in."""
        return self._texts[key].format(**fields)

    def answer(self, level: str) -> str:
        """An answer that every study may have, such as `neither`; others stay as they are."""
        return self._texts.get(f"answer_{level}", level)

    def effect(self, source: str) -> str:
        """A factor or an interaction of factors, such as `cohort:arm`."""
        return " x ".join(self._texts.get(f"effect_{part}", part) for part in source.split(":"))

    def say(self, text: object) -> str:
        """A sentence or a part of one that results carry in English, in this language.

        What knows no key, such as a study's own words, stays as it is; its numbers do not.
        """
        match text:
            case Saying():
                template = self._texts.get(f"say_{text.key}")
                if template is None:
                    return str(text)
                return template.format(**{k: self.say(part) for k, part in text.fields.items()})
            case Several():
                return ", ".join(map(self.say, text.parts))
            case Fixed():
                write = self.bare if text.bare else self.fixed
                return write(text.value, text.decimals)
            case _:
                return self.quoted(self._study.get(str(text), str(text)))


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of one language, by key."""
    found = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    return {key: str(text) for key, text in found.items()}

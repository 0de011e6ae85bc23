"""Tokens of a text in normal form, each with its place in the original characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from apg_engine.matching.lexicon import NUMBER_WORDS, UNITS

_TOKEN = re.compile(
    r"(?P<time>\d{4}-\d{2}-\d{2}(?!\d)|(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))"
    r"|(?P<number>(?:(?<![\w)\]])[-\u2212\u2013])?\d+(?:[.,\u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)?)"
    r"|(?P<cjk>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"|(?P<word>[^\W\d_]+(?:['\u2019\u2018\u02bc][^\W\d_]+)*\d*)"
    r"|(?P<sign>[%\uff05\u2030\u20ac\u00a3$\u00b0]|[<>=\u2264\u2265\u2260]=?)"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?$")
_SIGNS = {"\u2265": ">=", "\u2264": "<=", "\u2260": "!=", "\uff05": "%"}
_APOSTROPHES = re.compile("[\u2018\u2019\u02bc]")
_CONTRACTIONS = {"can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not")}


class Token(NamedTuple):
    """One token: `norm` is compared, characters `start` to `end` are what was written."""

    norm: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """Tokenise; curly quotes, dashes, case, thousands marks and number words are evened out.

    Numbers have the normal form `#12.5`, whatever way they were written; dates and times of day
    `@2026-05-01` and `@6:00`.
    """
    return [
        Token(norm, *match.span())
        for match in _TOKEN.finditer(text)
        for norm in _norms(match.group(), match.lastgroup)
    ]


def stems_of(text: str) -> list[str]:
    """Give the stems of a text's tokens alone; much faster, as words repeat."""
    found: list[str] = []
    for match in _TOKEN.finditer(text):
        found.extend(_stems(match.group(), match.lastgroup))
    return found


@lru_cache(maxsize=100_000)
def _stems(raw: str, kind: str | None) -> tuple[str, ...]:
    return tuple(stem(norm) for norm in _norms(raw, kind))


@lru_cache(maxsize=100_000)
def _norms(raw: str, kind: str | None) -> tuple[str, ...]:
    if kind == "word":
        return tuple(_word_norms(raw))
    if kind == "time":
        return (f"@{raw.lstrip('0') if ':' in raw and raw[:2] != '0:' else raw}",)
    return (number_norm(raw) if kind == "number" else _SIGNS.get(raw, raw),)


def number_norm(raw: str) -> str:
    """Give a number's normal form: `1,200` and `1200` are `#1200`, `12,50` is `#12.5`."""
    digits = raw.lstrip("-\u2212\u2013")
    sign = "-" if digits != raw else ""
    if _THOUSANDS.match(digits):
        digits = re.sub(r"[,\u00a0\u202f]", "", digits)
    digits = digits.replace(",", ".")
    whole, dot, rest = digits.partition(".")
    rest = rest.rstrip("0") if dot and "." not in rest else rest
    return f"#{sign}{whole.lstrip('0') or '0'}{'.' + rest if rest else ''}"


def stem(norm: str) -> str:
    """Cut the plainest English endings, so that `receives` meets `receive`."""
    if norm[0] in "#@" or len(norm) < 4 or not norm.isalpha():
        return norm
    for ending, least in (("ies", 5), ("ing", 7), ("es", 6), ("ed", 6), ("s", 4)):
        if norm.endswith(ending) and len(norm) >= least and not norm.endswith("ss"):
            base = norm[: -len(ending)] + ("y" if ending == "ies" else "")
            return base.rstrip("e")
    return norm.rstrip("e") if len(norm) > 4 else norm


def _word_norms(raw: str) -> Iterator[str]:
    word = raw.casefold()
    if not raw.isascii():
        word = _APOSTROPHES.sub("'", unicodedata.normalize("NFKC", word))
    if "'" in word:
        word = word.removesuffix("'s").removesuffix("s'") if "n't" not in word else word
    if word in _CONTRACTIONS:
        yield from _CONTRACTIONS[word]
    elif word.endswith("n't"):
        # Tokenised text writes "does n't": nothing stands before the negation then.
        yield from filter(None, (word[:-3], "not"))
    elif word in NUMBER_WORDS:
        yield f"#{NUMBER_WORDS[word]}"
    else:
        yield UNITS.get(word, word)

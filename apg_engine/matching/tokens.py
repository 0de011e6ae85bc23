"""Tokens of a text in normal form, each with its place in the original characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from apg_engine.matching.lexicon import NUMBER_WORDS, UNITS

# Letters with accents typed apart, soft hyphens and marks of no width among them.
_UNSEEN = "\u00ad\u200b-\u200d\u2060\ufeff"
_LETTERS = rf"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f{_UNSEEN}])*"
_TOKEN = re.compile(
    r"(?P<time>\d{4}-\d{2}-\d{2}(?!\d)|(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))"
    r"|(?P<number>(?:(?<![\w)\]])[-\u2212\u2013])?\d+(?:[.,\u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)?)"
    r"|(?P<cjk>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"|(?P<few>\b[Aa]\s+(?:few|little)\b)"
    r"|(?P<nay>\b[Nn]o(?=\s*[,;:!\u2013\u2014]))"
    rf"|(?P<word>{_LETTERS}(?:['\u2019\u2018\u02bc]{_LETTERS})*\d*)"
    r"|(?P<sign>[%\uff05\u2030\u20ac\u00a3$\u00b0\u00b1\u00d7\u00f7]|[<>=\u2264\u2265\u2260]=?"
    r"|[~\u2248\u223c](?=\s?\d)|(?<=\d)[/:*^](?=\d)|(?<=[^\W\d_])/(?=[^\W\d_])|(?<=\w)\+)"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?$")
_POINTED_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$")
_SIGNS = {"\u2265": ">=", "\u2264": "<=", "\u2260": "!=", "\uff05": "%"} | dict.fromkeys(
    "~\u2248\u223c", "about"
)
# Letters whose case is all that tells two words apart: milli from mega, bits from bytes.
_MILLI = re.compile(r"m(?:Wh?|Vh?|Ah?|J|Pa|Hz|N)")
_BY_CASE = {"ML": "megalitres", "Mg": "megagrams", "US": "u.s.", "WHO": "w.h.o.", "IT": "i.t."} | {
    f"{size}b": f"{size.lower()}bit" for size in "kKMGT"
}
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_QUESTION = re.compile(r"[?\uff1f\u2047\u2048\u2049\u061f][\W_]*$")
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
    if kind == "few":
        return (f"a-{raw.split()[-1].lower()}",)
    if kind == "nay":
        return (kind,)
    return (number_norm(raw) if kind == "number" else _SIGNS.get(raw, raw),)


def number_norm(raw: str) -> str:
    """Give a number's normal form: `1,200` and `1200` are `#1200`, `12,50` is `#12.5`."""
    digits = raw.lstrip("-\u2212\u2013")
    sign = "-" if digits != raw else ""
    if not digits.isascii():
        digits = "".join(str(unicodedata.decimal(char, char)) for char in digits)
    if _POINTED_THOUSANDS.match(digits):
        digits = digits.replace(".", "")
    if _THOUSANDS.match(digits):
        digits = re.sub(r"[,\u00a0\u202f]", "", digits)
    digits = digits.replace(",", ".")
    whole, dot, rest = digits.partition(".")
    rest = rest.rstrip("0") if dot and "." not in rest else rest
    return f"#{sign}{whole.lstrip('0') or '0'}{'.' + rest if rest else ''}"


def is_question(text: str) -> bool:
    """Tell whether a text ends in a question mark, whatever marks stand around and behind it."""
    return bool(_QUESTION.search(text))


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
    if raw in _BY_CASE or _MILLI.fullmatch(raw):
        yield _BY_CASE.get(raw) or f"milli{raw[1:].lower()}"
        return
    word = raw.casefold()
    if not raw.isascii():
        seen = _INVISIBLE.sub("", word)
        word = _APOSTROPHES.sub("'", unicodedata.normalize("NFKC", seen))
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

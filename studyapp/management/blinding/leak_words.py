"""Words, hashes and numbers in one answer of the site that tell what is compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from studyapp.domain.tokens import CODE_ALPHABET
from studyapp.management.visiting.browser import Answer
from studyapp.management.visiting.page import Page
from studyapp.selectors.blinding import BlindStudy

# Never in what a participant reads, not even in the plain words after completion.
_ALWAYS: Final = frozenset({"apg", "pf", "gated", "ungated"})
# Never in what a participant reads before that.
_READ: Final = _ALWAYS | {
    *("baseline", "provenance", "proposer", "auditor", "divergence", "openai", "gemini", "gpt"),
}
# Ordinary words in a text, but not in an address, a name, an attribute or an asset.
_NAMED: Final = _READ | {
    *("arm", "arms", "treatment", "reference", "condition", "source", "private", "scenario"),
    *("run", "runs", "gate", "model", "models", "threshold", "iteration", "synthesis", "offline"),
    *("hash", "sha", "sha256", "digest", "draft_number", "seed"),
}
# Arms may be called so, and pages use these words for everybody alike.
_EVERYDAY: Final = frozenset({
    "a", "b", "left", "right", "new", "old", "text", "report", "one", "two", "first", "second",
    "control", "human", "short", "long", "plain", "full", "button", "main", "page", "none", "en",
})  # fmt: skip
# What holds a sentence for people is read as text; values of HTTP are its own words.
_SENTENCES: Final = frozenset({
    "content", "placeholder", "alt", "title", "aria-label", "data-saved", "data-failed",
    "data-late",
})  # fmt: skip
_OF_HTTP: Final = frozenset({
    "cache-control", "referrer-policy", "permissions-policy", "content-security-policy",
    "content-disposition", "date", "vary", "server",
})  # fmt: skip
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22,}={0,2}")
_CODE: Final = f"[{CODE_ALPHABET}]"
# Chance: tokens, the time in a seal, receipts, completion codes. A word in one says nothing.
_CHANCE: Final = re.compile(
    rf"{_TOKEN.pattern}|:[A-Za-z0-9]{{6}}:|\b{_CODE}{{4}}(?:-{_CODE}{{4}}){{2}}\b|\b{_CODE}{{10}}\b"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_READABLE_ID: Final = re.compile(r"/(\d+)(?=[/?#]|$)")
_ID_NAME: Final = re.compile(
    r"(?:^|-)(?:id|pk|key|pair|run|trial|scenario|assignment|participant)$"
)
_DIGEST_LETTERS: Final = 10


@dataclass(frozen=True, slots=True)
class Leak:
    """One thing that gives something away: on which page, where in it, and what."""

    page: str
    place: str
    found: str

    def __str__(self) -> str:
        return f"{self.page}: {self.place}: {self.found}"


def word_leaks(
    answer: Answer, page: Page, study: BlindStudy, *, is_finished: bool = False
) -> Iterator[Leak]:
    """Find what one answer gives away by its words.

    Args:
        answer: the answer.
        page: the same, read; empty for what is no page.
        study: what must not be told.
        is_finished: whether it comes after completion, which says in plain words what was compared.
    """
    where = address_shape(answer.address)
    arms = {name.lower() for name in study.names if _WORD.fullmatch(name)}
    named = _NAMED | (arms - _EVERYDAY)
    read = (_ALWAYS if is_finished else _READ | (arms - _EVERYDAY)) - study.debate_words
    texts = page.texts if answer.is_page else []
    sentences = [value for _, name, value in page.attributes if name in _SENTENCES]
    for place, word in (
        *_words(_names(answer, page), named),
        *_words((("text", text) for text in (*texts, *sentences)), read),
    ):
        yield Leak(where, place, word)
    for text in page.comments:
        yield Leak(where, "comment", text.strip()[:80])
    yield from (Leak(where, place, found) for place, found in _secrets(answer, study, is_finished))
    yield from (Leak(where, place, found) for place, found in _readable_ids(page, study))


def address_shape(address: str) -> str:
    """Return an address without its tokens."""
    return _TOKEN.sub("TOKEN", address)


def _names(answer: Answer, page: Page) -> Iterator[tuple[str, str]]:
    yield "address", answer.address
    for name, value in answer.headers:
        yield "header", name if name.lower() in _OF_HTTP else f"{name}: {value}"
    for line in answer.cookies:
        yield "cookie", line
    for tag, name, value in page.attributes:
        if name not in _SENTENCES and not (name.startswith("data-") and " " in value):
            yield f"<{tag} {name}>", f"{name}={value}"
    # Style sheets and scripts are one file for everybody; only answers of views are read.
    if not answer.is_page and "/static/" not in answer.address:
        yield "body", answer.html


def _words(
    places: Iterable[tuple[str, str]], telling: frozenset[str] | set[str]
) -> Iterator[tuple[str, str]]:
    for place, text in places:
        found = {word.lower() for word in _WORD.findall(_CHANCE.sub(" ", text))}
        for word in sorted(found & telling):
            yield place, f"{word!r} in {' '.join(text.split())[:100]!r}"


def _secrets(answer: Answer, study: BlindStudy, is_finished: bool) -> Iterator[tuple[str, str]]:  # noqa: FBT001 - two kinds of page
    everything = "\n".join(
        (answer.address, answer.html, *answer.cookies, *(f"{k}: {v}" for k, v in answer.headers))
    )
    for digest in study.digests:
        if digest[:_DIGEST_LETTERS] in everything:
            yield "hash", digest[:_DIGEST_LETTERS]
    for thought in study.thoughts:
        if thought in everything:
            yield "private trace", thought
    for name in study.names:
        # Single words are looked for above, word by word.
        if not is_finished and not _WORD.fullmatch(name) and len(name) > 3 and name in everything:
            yield "name", name


def _readable_ids(page: Page, study: BlindStudy) -> Iterator[tuple[str, str]]:
    for tag, name, value in page.attributes:
        if name in ("href", "src", "action", "formaction") or value.startswith("/"):
            for number in _READABLE_ID.findall(value):
                yield f"<{tag} {name}>", f"readable id {number} in {value[:80]}"
        elif value in study.keys and name.startswith("data-") and _ID_NAME.search(name):
            yield f"<{tag} {name}>", f"readable id {value}"

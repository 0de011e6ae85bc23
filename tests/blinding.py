"""What a participant can get, searched for anything that tells one report from the other.

`leaks` looks at one answer of the site: its address, headers, cookies, names, every attribute,
comment and visible text. `outline` reduces a page to what is left when the two reports and all
opaque tokens are taken out: two pages that differ only in the sides must have one outline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from studyapp.domain.tokens import CODE_ALPHABET
from tests.walking import Choose, PageReader, Walker

# Never in what a participant reads, and still not in the plain words after completion.
_AFTER: Final = ("apg", "baseline", "gate", "pf")
# Never in what a participant reads before.
_READ: Final = (
    *_AFTER,
    *("provenance", "proposer", "auditor", "divergence", "offline", "openai", "gemini", "gpt"),
)
# Ordinary words in a debate, but not in an address, a name, an attribute or an asset.
_NAMES: Final = (
    *_READ,
    *("arm", "arms", "treatment", "reference", "condition", "source", "private", "scenario"),
    *("run", "runs", "gated", "model", "models", "threshold", "iteration", "synthesis"),
)
# Standard header fields whose values are words of HTTP.
_SKIPPED_HEADERS: Final = frozenset({"cache-control", "referrer-policy", "permissions-policy"})
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22,}")
# The time and the signature at the end of what a form carries sealed, letters by chance as well.
_SEAL: Final = re.compile(r":[A-Za-z0-9]{6}:[A-Za-z0-9_-]{43}")
# Receipts and completion codes: letters by chance, of which two may be a word.
_CODES: Final = re.compile(rf"\b[{CODE_ALPHABET}]{{4,10}}(?:-[{CODE_ALPHABET}]{{4}})*\b")


@dataclass(frozen=True)
class Got:
    """One answer of the site, all of it."""

    address: str
    headers: dict[str, str]
    cookies: dict[str, str]
    body: str

    @property
    def is_page(self) -> bool:
        return self.headers["Content-Type"].startswith("text/html")


def got(response: Any, address: str) -> Got:
    """Take everything out of a response."""
    body = response.getvalue() if response.streaming else response.content
    return Got(
        address=address,
        headers=dict(response.headers),
        cookies={
            name: f"{morsel.value}; path={morsel['path']}"
            for name, morsel in response.cookies.items()
        },
        body=body.decode(),
    )


def leaks(answer: Got, *, is_finished: bool = False) -> list[str]:
    """List what an answer of the site gives away; empty if nothing.

    `is_finished` is for the page after completion, which says in plain words what was compared.
    """
    if not answer.is_page:
        return list(_found([("address", answer.address), ("asset", answer.body)], _READ))
    page = PageReader(answer.body)
    return [
        *_found(_names(answer, page), _NAMES),
        *_found([("text", " ".join(page.texts))], _AFTER if is_finished else _READ),
        *(f"comment: {text.strip()}" for text in page.comments),
    ]


def outline(html: str, *reports: str) -> str:
    """Return the page without the reports' text and without anything opaque."""
    for report in reports:
        html = html.replace(report, "")
    html = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)
    html = re.sub(r'data-served-at="\d+"', "", html)
    return _TOKEN.sub("TOKEN", html)


def crawl(link: str, choose: Choose | None = None) -> Iterator[Got]:
    """Walk the whole way and yield every answer of the site: pages, linked pages, assets."""
    walker = Walker()
    seen: set[str] = set()
    walker.get(link)
    for _ in range(50):
        yield got(walker.response, walker.address)
        yield from _around(walker, seen)
        if not walker.page.forms:
            return
        walker.send(choose)
    raise AssertionError(f"no end in sight at {walker.address}")


def _around(walker: Walker, seen: set[str]) -> Iterator[Got]:
    """Open what the page links to and loads from this site, once."""
    page = walker.page
    pages = [address for address in page.links if address.startswith("/p/")]
    assets = [address for address in page.assets if address.endswith((".css", ".js", ".svg"))]
    for address in [*pages, *assets]:
        if address not in seen:
            seen.add(address)
            yield got(walker.client.get(address), address)


def _names(answer: Got, page: PageReader) -> Iterator[tuple[str, str]]:
    yield "address", answer.address
    for name, value in answer.headers.items():
        if name.lower() not in _SKIPPED_HEADERS:
            yield f"header {name}", f"{name}: {value}"
    for name, value in answer.cookies.items():
        yield f"cookie {name}", f"{name}={value}"
    for tag, name, value in page.attributes:
        if name not in ("content", "placeholder", "alt", "aria-label"):
            yield f"<{tag} {name}>", f"{name}={value}"


def _found(places: Iterable[tuple[str, str]], words: tuple[str, ...]) -> Iterator[str]:
    for place, text in places:
        # Opaque tokens are random; a word in one says nothing.
        plain = _CODES.sub(" ", _TOKEN.sub(" ", _SEAL.sub(" ", text)))
        parts = {part.lower() for part in re.findall(r"[A-Za-z]+(?:_[A-Za-z]+)*", plain)}
        parts |= {piece for part in parts for piece in part.split("_")}
        for word in sorted(parts & set(words)):
            yield f"{place}: {word} in {text[:120]!r}"

"""Markdown from outside as safe HTML that fits into a page, the same way for every text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

_TAGS: Final = {
    *("p", "br", "hr", "blockquote", "pre", "code", "em", "strong", "ul", "ol", "li"),
    *("h2", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_PROSE: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_SPEECH: Final = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
_DEEPEST: Final = 6
# What is wider than the page scrolls on its own; without a mouse it must take the focus for that.
_SCROLLING: Final = ("table", "pre")


@lru_cache(maxsize=256)
def prose_render(text: str, *, heading: int) -> str:
    """Render a written text; its highest heading becomes level `heading`, deeper ones follow.

    HTML in the text is shown as text. Links and images lose their targets: a text is read here,
    and nothing may lead out of the page or load something into it.
    """
    return _render(_PROSE, text, heading)


@lru_cache(maxsize=4096)
def speech_render(text: str, *, heading: int) -> str:
    """Render what was said: as `prose_render`, with line ends kept."""
    return _render(_SPEECH, text, heading)


def is_as_written(text: str, html: str) -> bool:
    """Say whether a rendered text reads exactly as it was written, but for spaces."""
    shown = unescape(nh3.clean(html, tags=set()))
    return shown.split() == text.split()


def _render(markdown: MarkdownIt, text: str, heading: int) -> str:
    tokens = markdown.parse(text)
    _headings_move(tokens, heading)
    html = markdown.renderer.render(tokens, markdown.options, {})
    clean = nh3.clean(html, tags=_TAGS, attributes={"ol": {"start"}})
    for tag in _SCROLLING:
        clean = clean.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    return clean


def _headings_move(tokens: Sequence[Token], heading: int) -> None:
    found = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    if not found:
        return
    # Levels that a text leaves out are left out of its page too, or they would be gaps there.
    levels = sorted({token.tag for token in found})
    for token in found:
        token.tag = f"h{min(heading + levels.index(token.tag), _DEEPEST)}"

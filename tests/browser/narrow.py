"""A narrow phone, at its usual text size and at twice that (WCAG 1.4.4 and 1.4.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from playwright.sync_api import Page, ViewportSize

NARROW: Final[ViewportSize] = {"width": 320, "height": 568}
WIDER_THAN_WINDOW: Final = (
    "document.documentElement.scrollWidth > document.documentElement.clientWidth"
)
# What sticks out, words among it, apart from what scrolls in a frame of its own.
STICKING_OUT: Final = r"""() => {
    const edge = document.documentElement.clientWidth + 1;
    const isFramed = one => one && one !== document.body
        && (getComputedStyle(one).overflowX !== "visible" || isFramed(one.parentElement));
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    const found = [];
    while (nodes.nextNode()) {
        const node = nodes.currentNode;
        const place = document.createRange();
        place.selectNodeContents(node);
        const box = (node.nodeType === 1 ? node : place).getBoundingClientRect();
        const element = node.nodeType === 1 ? node : node.parentElement;
        if (box.right > edge && !isFramed(element)) {
            const words = node.textContent.replace(/\s+/g, " ").slice(0, 30);
            found.push(`${element.tagName.toLowerCase()}.${element.className} (${words})`);
        }
    }
    return found.slice(0, 8).join("; ");
}"""
_TEXT_SIZE: Final = "size => { document.documentElement.style.fontSize = size; }"


def sideways(page: Page, sizes: Sequence[str] = ("100%", "200%")) -> Iterator[str]:
    """Say at which text sizes a page has to be scrolled sideways on a narrow phone."""
    usual = page.viewport_size
    page.set_viewport_size(NARROW)
    for size in sizes:
        page.evaluate(_TEXT_SIZE, size)
        if page.evaluate(WIDER_THAN_WINDOW):
            found: Any = page.evaluate(STICKING_OUT)
            yield f"wider than {NARROW['width']} px with text at {size}: {found}"
    page.evaluate(_TEXT_SIZE, "")
    if usual is not None:
        page.set_viewport_size(usual)

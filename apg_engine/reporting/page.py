"""Markdown as one HTML page that loads nothing and runs nothing."""

from __future__ import annotations

from html import escape

from apg_engine.errors import ModelSetupError

_STYLE = (
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}table{border-collapse:collapse}"
    "td,th{border:1px solid #767676;padding:.2rem .6rem;text-align:left}"
    "blockquote{margin:0;padding-left:1rem;border-left:3px solid #767676}"
    "code{overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#111}}"
)


def page_render(markdown: str, *, title: str, language: str) -> str:
    """Render Markdown; HTML in it is shown as text, and links and images are not made.

    Raises:
        ModelSetupError: the package markdown-it-py is not installed.
    """
    try:
        # Only who asks for HTML pays for the package.
        from markdown_it import MarkdownIt
    except ImportError as error:
        raise ModelSetupError("HTML needs the package markdown-it-py") from error
    # A text under audit may hold an image, which a browser would fetch from somewhere.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    body = parser.disable(["image", "link", "autolink", "reference"]).render(markdown)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{body}</main>\n</body>\n</html>\n"
    )

"""A report as one HTML file that needs nothing else: styles and drawings are inside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from analysis.report.document import (
    Block,
    Code,
    Document,
    Figure,
    Heading,
    Listing,
    Notice,
    Paragraph,
    Prose,
    Table,
)
from analysis.report.drawing import svg
from analysis.report.typesetting import typeset

_FEWEST_SECTIONS: Final = 5
_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1f2933;--soft:#52606d;--line:#d9dfe5;--page:#fff;
  --note:#fff4e0;--edge:#b45f06;--code:#f5f7fa;--link:#0b5cad}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4e7eb;--soft:#a9b4c0;--line:#3a4550;
  --page:#161b20;--note:#33291a;--edge:#d9822b;--code:#20272e;--link:#7fb8f0}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--page);
  font:16px/1.55 system-ui,"DejaVu Sans",sans-serif;overflow-wrap:break-word}
main{max-width:58rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.3rem;margin:2.6rem 0 .6rem;padding-top:.9rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.8rem 0 .4rem}
p,ul{margin:.6rem 0;max-width:46rem}
ul{padding-left:1.2rem}
li{margin:.35rem 0}
a{color:var(--link)}
nav{margin:1.6rem 0 0;font-size:.88rem}
nav ol{list-style:none;margin:.3rem 0;padding:0;columns:15rem;column-gap:2rem;max-width:46rem}
nav li{margin:.15rem 0;break-inside:avoid}
.notice{background:var(--note);border-left:4px solid var(--edge);padding:.6rem .9rem;
  max-width:46rem}
.scroll{overflow-x:auto;margin:1rem 0}
.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums;min-width:50%}
caption{text-align:left;color:var(--soft);padding:.2rem 0 .4rem}
caption span{position:sticky;left:0;display:inline-block;max-width:min(46rem,100vw - 2.5rem)}
th,td{padding:.32rem .7rem .32rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{text-align:left;font-weight:600;border-bottom:2px solid var(--ink)}
td.n,th.n{text-align:right;white-space:nowrap}
tbody th{font-weight:400;border-bottom:1px solid var(--line)}
table.text{min-width:44rem}
table.facts td{overflow-wrap:anywhere}
figure{margin:1.2rem 0}
figure .scroll{margin:0;max-width:44rem;background:#fff;border-radius:4px}
figure svg{width:100%;min-width:34rem;height:auto;display:block}
figcaption{color:var(--soft);font-size:.88rem;max-width:44rem;margin-top:.4rem}
pre{background:var(--code);border:1px solid var(--line);padding:.7rem .9rem;overflow-x:auto}
@media print{main{max-width:none;padding:0}nav{display:none}h2,h3{break-after:avoid}
  figure,tr,.notice{break-inside:avoid}.scroll{overflow:visible}figure svg{min-width:0}}
"""


def html(document: Document) -> str:
    """Write the whole page."""
    sections = [b for b in document.blocks if isinstance(b, Heading) and b.level == 2]
    opening = document.blocks.index(sections[0]) if sections else len(document.blocks)
    before, after = document.blocks[:opening], document.blocks[opening:]
    body = "\n".join([*map(_block, before), _contents(document, sections), *map(_block, after)])
    return (
        f'<!doctype html>\n<html lang="{document.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _contents(document: Document, sections: Sequence[Heading]) -> str:
    """Links to the sections, for a report of many; a page of two or three needs none."""
    if len(sections) < _FEWEST_SECTIONS:
        return ""
    links = "".join(
        f'<li><a href="#{_anchor(section)}">{escape(section.text)}</a></li>' for section in sections
    )
    name = escape(document.contents)
    return f'<nav aria-label="{name}"><strong>{name}</strong><ol>{links}</ol></nav>'


def _anchor(heading: Heading) -> str:
    return "part-" + re.sub(r"\W+", "-", heading.text.lower()).strip("-")


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block)
        case Figure():
            drawing = svg(block.drawing, name=f"fig-{block.name}")
            return (
                f"<figure>{_scrolled(drawing, block.drawing.title)}"
                f"<figcaption>{_text(block.caption)}</figcaption></figure>"
            )
        case _:
            return _prose(block)


def _prose(block: Prose) -> str:
    match block:
        case Heading():
            name = f' id="{_anchor(block)}"' if block.level == 2 else ""
            return f"<h{block.level}{name}>{_text(block.text)}</h{block.level}>"
        case Paragraph():
            return f"<p>{_text(block.text)}</p>"
        case Notice():
            return f'<p class="notice" role="note">{_text(block.text)}</p>'
        case Listing():
            items = "".join(f"<li>{_text(item)}</li>" for item in block.items)
            return f"<ul>{items}</ul>"
        case Code():
            return f"<pre><code>{escape(block.text)}</code></pre>"


def _table(table: Table) -> str:
    head = "".join(
        f'<th scope="col"{_numeric(place, table)}>{_text(name)}</th>'
        for place, name in enumerate(table.head)
    )
    body = "".join(f"<tr>{_cells(row, table)}</tr>" for row in table.rows)
    kind = _kind(table)
    return _scrolled(
        f"<table{kind}><caption><span>{_text(table.caption)}</span></caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>",
        table.caption,
    )


def _kind(table: Table) -> str:
    """Columns of sentences scroll on a phone; two columns of facts may break anywhere."""
    if table.text_columns < len(table.head):
        return ""
    return ' class="facts"' if len(table.head) == 2 else ' class="text"'


def _scrolled(inside: str, name: str) -> str:
    """What is wider than a phone scrolls by itself, by keyboard too, and is announced."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}">{inside}</div>'
    )


def _cells(row: tuple[str, ...], table: Table) -> str:
    first, *others = row
    cells = [f'<th scope="row">{_text(first)}</th>']
    cells += [
        f"<td{_numeric(place, table)}>{_text(text)}</td>"
        for place, text in enumerate(others, start=1)
    ]
    return "".join(cells)


def _text(text: str) -> str:
    return escape(typeset(text))


def _numeric(place: int, table: Table) -> str:
    return ' class="n"' if place >= table.text_columns else ""

"""A report as one HTML file that needs nothing else: styles and drawings are inside."""

from __future__ import annotations

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

_STYLE: Final = """
:root{--ink:#1f2933;--soft:#616e7c;--line:#d9dfe5;--note:#fff4e0;--edge:#d9822b}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:#fff;font:16px/1.55 system-ui,"DejaVu Sans",sans-serif}
main{max-width:58rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.3rem;margin:2.6rem 0 .6rem;padding-top:.9rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.8rem 0 .4rem}
p,ul{margin:.6rem 0;max-width:46rem}
ul{padding-left:1.2rem}
li{margin:.35rem 0}
.notice{background:var(--note);border-left:4px solid var(--edge);padding:.6rem .9rem;
  max-width:46rem}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums;min-width:50%}
caption{text-align:left;color:var(--soft);padding:.2rem 0 .4rem}
th,td{padding:.32rem .7rem .32rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{text-align:left;font-weight:600;border-bottom:2px solid var(--ink)}
td.n,th.n{text-align:right;white-space:nowrap}
tbody th{font-weight:400;border-bottom:1px solid var(--line)}
figure{margin:1.2rem 0}
figure svg{width:100%;max-width:44rem;height:auto;display:block}
figcaption{color:var(--soft);font-size:.88rem;max-width:44rem}
pre{background:#f5f7fa;border:1px solid var(--line);padding:.7rem .9rem;overflow-x:auto}
@media print{main{max-width:none;padding:0}h2{break-after:avoid}figure,tr{break-inside:avoid}}
"""


def html(document: Document) -> str:
    """Write the whole page."""
    body = "\n".join(_block(block) for block in document.blocks)
    return (
        f'<!doctype html>\n<html lang="{document.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block)
        case Figure():
            drawing = svg(block.drawing, name=f"fig-{block.name}")
            return f"<figure>{drawing}<figcaption>{escape(block.caption)}</figcaption></figure>"
        case _:
            return _prose(block)


def _prose(block: Prose) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        case Paragraph():
            return f"<p>{escape(block.text)}</p>"
        case Notice():
            return f'<p class="notice" role="note">{escape(block.text)}</p>'
        case Listing():
            items = "".join(f"<li>{escape(item)}</li>" for item in block.items)
            return f"<ul>{items}</ul>"
        case Code():
            return f"<pre><code>{escape(block.text)}</code></pre>"


def _table(table: Table) -> str:
    head = "".join(
        f'<th scope="col"{_numeric(place, table)}>{escape(name)}</th>'
        for place, name in enumerate(table.head)
    )
    body = "".join(f"<tr>{_cells(row, table)}</tr>" for row in table.rows)
    return (
        f'<div class="scroll" tabindex="0"><table><caption>{escape(table.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cells(row: tuple[str, ...], table: Table) -> str:
    first, *others = row
    cells = [f'<th scope="row">{escape(first)}</th>']
    cells += [
        f"<td{_numeric(place, table)}>{escape(text)}</td>"
        for place, text in enumerate(others, start=1)
    ]
    return "".join(cells)


def _numeric(place: int, table: Table) -> str:
    return ' class="n"' if place >= table.text_columns else ""

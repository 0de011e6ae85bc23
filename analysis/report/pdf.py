"""A report as PDF by fpdf2: no browser, no LaTeX, no system library; drawings stay vectors.

The DejaVu fonts, which have Polish letters, come with matplotlib and are embedded as subsets.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import FontFace

from analysis.errors import AnalysisError
from analysis.report.document import (
    Block,
    Code,
    Document,
    Figure,
    Heading,
    Listing,
    Notice,
    Paragraph,
    Table,
)
from analysis.report.drawing import Dot, Drawing, Label, Line, Rect, fitted
from analysis.report.typesetting import typeset

_FONT, _MONO = "DejaVu", "DejaVuMono"
_INK: Final = (31, 41, 51)
_SOFT: Final = (97, 110, 124)
_MARGIN: Final = 18.0
_WIDEST: Final = 58.0  # millimetres of a column before its text wraps
_SIZES: Final = {1: 19.0, 2: 13.5, 3: 11.0}


def pdf(document: Document) -> bytes:
    """Write the whole file.

    Raises:
        AnalysisError: The DejaVu fonts are not installed with matplotlib.
    """
    page = _Page(document)
    for block, following in zip(document.blocks, (*document.blocks[1:], None), strict=True):
        if isinstance(block, Heading):
            page.keep_with(following)
        page.add(block)
    return bytes(page.file.output())


class _Page(FPDF):
    """FPDF with a running foot."""

    def __init__(self, document: Document) -> None:
        super().__init__(format="A4")
        self.document = document
        folder = _fonts()
        for style, name in (
            ("", "DejaVuSans"),
            ("B", "DejaVuSans-Bold"),
            ("I", "DejaVuSans-Oblique"),
        ):
            self.add_font(_FONT, style, folder / f"{name}.ttf")
        self.add_font(_MONO, "", folder / "DejaVuSansMono.ttf")
        self.set_margin(_MARGIN)
        self.set_auto_page_break(auto=True, margin=_MARGIN)
        self.set_title(document.title)
        self.set_lang(document.language)
        # The same report gives the same bytes: the data's time, not the time of writing.
        self.set_creation_date(document.created)
        self.add_page()

    @property
    def file(self) -> FPDF:
        """The file itself."""
        return self

    def footer(self) -> None:
        """Title and page number."""
        self.set_y(-_MARGIN + 4)
        self.set_font(_FONT, size=7.5)
        self.set_text_color(*_SOFT)
        self.cell(0, 5, f"{self.document.title} - {self.page_no()}", align="C")

    def add(self, block: Block) -> None:
        """Write one block."""
        match block:
            case Heading():
                self._heading(block)
            case Paragraph():
                self._text(block.text)
            case Notice():
                self._notice(block.text)
            case Listing():
                self._listing(block)
            case Code():
                self._code(block.text)
            case Table():
                self._table(block)
            case Figure():
                self._figure(block)

    def keep_with(self, following: Block | None) -> None:
        """Start a page if a heading would stand alone at the foot of this one."""
        height = 30.0
        if isinstance(following, Figure):
            height += following.drawing.height * self._scale(following.drawing) + 10
        if self.will_page_break(height):
            self.add_page()

    def _heading(self, heading: Heading) -> None:
        size = _SIZES[heading.level]
        self.ln(5 if heading.level > 1 else 0)
        self.set_font(_FONT, "B", size)
        self.set_text_color(*_INK)
        self.start_section(heading.text, level=heading.level - 1, strict=False)
        self.multi_cell(0, size * 0.5, heading.text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(1.5)

    def _text(self, text: str, *, indent: float = 0) -> None:
        self.set_font(_FONT, size=9)
        self.set_text_color(*_INK)
        self.set_x(_MARGIN + indent)
        self.multi_cell(
            self.epw - indent, 4.7, typeset(text), align="L", new_x="LMARGIN", new_y="NEXT"
        )
        self.ln(1.5)

    def _listing(self, listing: Listing) -> None:
        for item in listing.items:
            self._text(f"•  {item}", indent=3)

    def _notice(self, text: str) -> None:
        self.set_font(_FONT, size=9)
        self.set_text_color(*_INK)
        self.set_fill_color(255, 244, 224)
        self.multi_cell(
            self.epw,
            5.2,
            typeset(text),
            align="L",
            fill=True,
            padding=2,
            new_x="LMARGIN",
            new_y="NEXT",
        )
        self.ln(2)

    def _code(self, text: str) -> None:
        self.set_font(_MONO, size=8)
        self.set_text_color(*_INK)
        self.set_fill_color(245, 247, 250)
        self.multi_cell(
            self.epw, 5, text, align="L", fill=True, padding=2, new_x="LMARGIN", new_y="NEXT"
        )
        self.ln(2)

    def _table(self, table: Table) -> None:
        self._caption(table.caption)
        self.set_font(_FONT, size=7.2)
        self.set_draw_color(203, 210, 217)
        # Cells take the last fill colour, a drawing's for instance.
        self.set_fill_color(255, 255, 255)
        align = ["LEFT" if i < table.text_columns else "RIGHT" for i in range(len(table.head))]
        with self.table(
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            col_widths=self._widths(table),
            text_align=align,
            headings_style=FontFace(emphasis="BOLD", color=_INK),
            line_height=4.2,
            padding=(0.7, 1.2),
            width=self.epw,
        ) as grid:
            for line in (table.head, *table.rows):
                grid.row([typeset(cell) for cell in line])
        self.ln(3)

    def _widths(self, table: Table) -> list[float]:
        """Columns as wide as their longest cell up to a limit, and never less than a word."""
        least, wanted = [], []
        for head, *column in zip(table.head, *table.rows, strict=True):
            words = [
                self.get_string_width(word) for cell in column for word in typeset(cell).split(" ")
            ]
            cells = [self.get_string_width(cell) for cell in column]
            # A head is bold, and so wider than its letters in the text's font.
            with self.local_context(font_style="B"):
                words += [self.get_string_width(word) for word in typeset(head).split(" ")]
                cells.append(self.get_string_width(head))
            least.append(max(6.0, *words) + 3.6)
            wanted.append(max(min(_WIDEST, max(cells)) + 3.6, least[-1]))
        spare = self.epw - sum(least)
        if sum(wanted) <= self.epw or spare <= 0:
            return wanted
        # Too wide for the page: what exceeds the longest words shrinks in proportion.
        part = spare / (sum(wanted) - sum(least))
        return [low + part * (high - low) for low, high in zip(least, wanted, strict=True)]

    def _caption(self, text: str, *, least: float = 24) -> None:
        """Write a caption, on a new page if less than `least` millimetres would follow it."""
        if self.will_page_break(least):
            self.add_page()
        self.set_font(_FONT, "I", 8)
        self.set_text_color(*_SOFT)
        self.multi_cell(0, 4.5, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.set_text_color(*_INK)

    def _figure(self, figure: Figure) -> None:
        drawing = figure.drawing
        scale = self._scale(drawing)
        width, height = drawing.width * scale, drawing.height * scale
        if self.will_page_break(height + 14):
            self.add_page()
        top = self.get_y()
        self._draw(drawing, _MARGIN + (self.epw - width) / 2, top, scale)
        self.set_y(top + height + 1)
        self._caption(figure.caption, least=8)
        self.ln(3)

    def _scale(self, drawing: Drawing) -> float:
        return min(self.epw, 150.0) / drawing.width

    def _draw(self, drawing: Drawing, left: float, top: float, scale: float) -> None:
        for shape in drawing.shapes:
            match shape:
                case Line():
                    self.set_draw_color(*_rgb(shape.color))
                    self.set_line_width(shape.width * scale)
                    if shape.dashed:
                        self.set_dash_pattern(dash=1.0, gap=0.8)
                    x1, y1 = left + shape.x1 * scale, top + shape.y1 * scale
                    self.line(x1, y1, left + shape.x2 * scale, top + shape.y2 * scale)
                    self.set_dash_pattern()
                case Rect():
                    self.set_fill_color(*_rgb(shape.color))
                    x, y = left + shape.x * scale, top + shape.y * scale
                    self.rect(x, y, shape.width * scale, shape.height * scale, style="F")
                case Dot():
                    self.set_fill_color(*_rgb(shape.color))
                    x, y = left + shape.x * scale, top + shape.y * scale
                    self.circle(x, y, shape.radius * scale, style="F")
                case Label():
                    self._label(fitted(shape, drawing.width), left, top, scale)
        self.set_line_width(0.2)

    def _label(self, label: Label, left: float, top: float, scale: float) -> None:
        label = replace(label, text=typeset(label.text))
        points = label.size * scale * 72 / 25.4
        self.set_font(_FONT, "B" if label.bold else "", points)
        width = self.get_string_width(label.text)
        shift = {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
        x, y = left + label.x * scale - shift, top + label.y * scale
        if label.halo:
            self.set_fill_color(255, 255, 255)
            size = label.size * scale
            self.rect(x - 0.4, y - size * 0.8, width + 0.8, size, style="F")
        self.set_text_color(*_rgb(label.color))
        self.text(x, y, label.text)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _fonts() -> Path:
    found = find_spec("matplotlib")
    places = found.submodule_search_locations if found else None
    folder = Path(next(iter(places))) / "mpl-data" / "fonts" / "ttf" if places else None
    if folder is None or not (folder / "DejaVuSans.ttf").is_file():
        raise AnalysisError("the PDF needs the DejaVu fonts that come with matplotlib")
    return folder

"""Vector drawings of a few shapes, and their SVG; the PDF draws the same shapes.

Own shapes rather than a plotting library: one drawing serves both forms, text stays text, files
stay small, and the report does not wait for an import.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from typing import Final, Literal

from analysis.report.typesetting import typeset

_LETTER: Final = 0.62  # width of a letter of DejaVu Sans in parts of its size
_FEWEST_LETTERS: Final = 6

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke."""

    x1: float
    y1: float
    x2: float
    y2: float
    color: str
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    color: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    color: str


@dataclass(frozen=True, slots=True)
class Label:
    """Text on its baseline; `halo` puts a light edge around it where it crosses lines."""

    x: float
    y: float
    text: str
    color: str = "#1f2933"
    size: float = 12.0
    anchor: Anchor = "start"
    bold: bool = False
    halo: bool = False


Shape = Line | Rect | Dot | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a canvas of width x height units, with a title and a text that says the same."""

    width: float
    height: float
    title: str
    alt: str
    shapes: tuple[Shape, ...]


def fitted(label: Label, width: float) -> Label:
    """Shorten a label in its middle where it would leave a canvas of this width.

    Names of scenarios and arms can be of any length; the whole text stays in the drawing's alt.
    """
    rooms = {"start": width - label.x, "end": label.x, "middle": 2 * min(label.x, width - label.x)}
    letters = int(rooms[label.anchor] / (_LETTER * label.size))
    if len(label.text) <= max(letters, _FEWEST_LETTERS):
        return label
    kept = max(letters, _FEWEST_LETTERS) - 1
    end = kept // 3
    return replace(label, text=f"{label.text[: kept - end]}\u2026{label.text[-end:]}")


def svg(drawing: Drawing, *, name: str) -> str:
    """Write a drawing as SVG that stands alone and inside HTML; `name` makes its ids unique."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(drawing.width)} '
        f'{_n(drawing.height)}" role="img" aria-labelledby="{name}-title {name}-desc" '
        f"font-family=\"system-ui, 'DejaVu Sans', sans-serif\">"
        f'<title id="{name}-title">{escape(drawing.title)}</title>'
        f'<desc id="{name}-desc">{escape(drawing.alt)}</desc>'
    )
    return "".join([head, *_elements(drawing), "</svg>"])


def _elements(drawing: Drawing) -> Iterable[str]:
    for shape in drawing.shapes:
        match shape:
            case Line():
                dash = ' stroke-dasharray="4 3"' if shape.dashed else ""
                yield (
                    f'<line x1="{_n(shape.x1)}" y1="{_n(shape.y1)}" x2="{_n(shape.x2)}" '
                    f'y2="{_n(shape.y2)}" stroke="{shape.color}" stroke-width="{_n(shape.width)}"'
                    f'{dash} stroke-linecap="round"/>'
                )
            case Rect():
                yield (
                    f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" '
                    f'height="{_n(shape.height)}" fill="{shape.color}"/>'
                )
            case Dot():
                yield (
                    f'<circle cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}" '
                    f'fill="{shape.color}"/>'
                )
            case Label():
                yield _text(fitted(shape, drawing.width))


def _text(label: Label) -> str:
    weight = ' font-weight="600"' if label.bold else ""
    halo = ' stroke="#ffffff" stroke-width="4" paint-order="stroke"' if label.halo else ""
    return (
        f'<text x="{_n(label.x)}" y="{_n(label.y)}" fill="{label.color}" '
        f'font-size="{_n(label.size)}" text-anchor="{label.anchor}"{weight}{halo}>'
        f"{escape(typeset(label.text))}</text>"
    )


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")

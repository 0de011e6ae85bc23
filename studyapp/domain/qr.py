"""A link as a QR code, for posters, slides and letters."""

from __future__ import annotations

import io

import segno


def qr_svg(text: str) -> bytes:
    """Return a QR code as an SVG document, dark on white with its quiet zone, whatever the theme.

    Error correction is at least M (15 %), so that a fold in the paper does not matter.
    """
    target = io.BytesIO()
    segno.make(text, error="m", micro=False).save(target, kind="svg", scale=8, light="#fff")
    return target.getvalue()


def qr_data_uri(text: str) -> str:
    """Return the same code as the address of an image."""
    return str(segno.make(text, error="m", micro=False).svg_data_uri(scale=4, light="#fff"))

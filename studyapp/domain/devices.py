"""The class of the device somebody agrees on: all that is kept of what a browser says of itself."""

from __future__ import annotations

import re
from typing import Final

_TABLET: Final = re.compile(
    r"iPad|Tablet|PlayBook|Silk(?!.*Mobile)|Android(?!.*Mobile)", re.IGNORECASE
)
_PHONE: Final = re.compile(r"Mobi|iPhone|iPod|Windows Phone", re.IGNORECASE)


def device_class(agent: str) -> str:
    """Return `phone`, `tablet` or `desktop`, and an empty text where a browser names nothing.

    Programs pass as desktops, and so do tablets that ask for the pages of desktops.
    """
    if not agent.strip():
        return ""
    if _TABLET.search(agent):
        return "tablet"
    return "phone" if _PHONE.search(agent) else "desktop"

"""The Content-Security-Policy under which a finished, self-contained page is shown."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final

_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def page_policy(html: str) -> str:
    """Allow a page its own style sheet, named by hash, and nothing else.

    No script, no image, no frame, no request, no form; `sandbox` takes its origin away too, so that
    the page could not act for its reader even if a text inside it were taken for markup.
    """
    found = _STYLE.search(html)
    style = f"'sha256-{_hash(found.group(1))}'" if found else "'none'"
    return (
        f"default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; sandbox"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

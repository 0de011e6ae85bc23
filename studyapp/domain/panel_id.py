"""What a panel calls somebody, written one way, so that one person is not stored as two.

The rule: characters that nobody sees are taken out, what looks alike by composition becomes one
(NFC), and white space is cut off at the ends and is one space inside. Prolific and SONA make their
ids of letters, digits, `-` and `_` of ASCII, and Prolific's are hexadecimal, so case tells nobody
apart there; any other panel's may, and is left as it came. What cannot be an id is none.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

ID_LIMIT: Final = 200
# NUL, and Default_Ignorable_Code_Point of Unicode 16 (DerivedCoreProperties.txt).
_UNSEEN: Final = re.compile(
    "[\0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]+")
# Controls, lone surrogates, private and unassigned characters; and what stands for lost bytes.
_NO_LETTERS: Final = frozenset({"Cc", "Cs", "Co", "Cn"})
_LOST: Final = "\ufffd"


def panel_id_read(provider: str, written: str) -> str:
    """Return an id by the rule above, or an empty text where it cannot be one."""
    named = " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", written)).split())
    if len(named) > ID_LIMIT or not _is_writing(named):
        return ""
    if provider == "generic":
        return named
    if not _PLAIN.fullmatch(named):
        return ""
    return named.lower() if provider == "prolific" else named


def _is_writing(named: str) -> bool:
    return _LOST not in named and all(unicodedata.category(c) not in _NO_LETTERS for c in named)

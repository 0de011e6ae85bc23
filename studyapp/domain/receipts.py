"""The receipt code that a participant gets at consent: with it they act on their data, unnamed."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final

from studyapp.domain.tokens import CODE_ALPHABET

# What is read of a code that somebody types.
CODE_LIMIT: Final = 64
_LENGTH: Final = 12
_GROUP: Final = 4


def receipt_code(participant_token: str, *, secret: str) -> str:
    """Return a participant's receipt code, as `XXXX-XXXX-XXXX`; it is derived and never stored."""
    mac = _mac("code", participant_token, secret)
    letters = [CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in mac.digest()[:_LENGTH]]
    groups = ("".join(letters[at : at + _GROUP]) for at in range(0, _LENGTH, _GROUP))
    return "-".join(groups)


def receipt_digest(code: str, *, secret: str) -> str:
    """Return what is stored in place of a code; spaces, hyphens and case do not matter."""
    return _mac("digest", re.sub(r"[\s-]", "", code).upper(), secret).hexdigest()


def _mac(purpose: str, text: str, secret: str) -> hmac.HMAC:
    return hmac.new(secret.encode(), f"receipt:{purpose}:{text}".encode(), hashlib.sha256)

"""Who comes through a link: what its parameters say, carried through the consent form under seal.

A panel's id comes once, in the address. From then on it travels in the form, signed and bound to
the cohort, so that nobody can change it to somebody else's, and no later address holds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.core import signing

from studyapp.domain.panel import Arrival, PanelLink, arrival_read
from studyapp.selectors import previews

PREVIEW: Final = previews.PREVIEW
ARRIVAL: Final = "arrival"
# A consent page may stay open over a weekend.
_ARRIVAL_LIFE: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody at the door. `is_test` stands for previews and for panels' own tests."""

    is_preview: bool = False
    is_bot: bool = False
    arrival: Arrival = field(default_factory=Arrival)

    @property
    def is_test(self) -> bool:
        """Whether what they do is test data, apart from the live counters."""
        return self.is_preview or self.arrival.is_unreplaced


def guest_read(query: Mapping[str, str], *, cohort: str, panel: PanelLink | None) -> Guest | None:
    """Read who comes from the parameters of a cohort's link; None where a seal does not hold.

    A preview that has expired is nobody: whoever opens it must not count as a participant.
    """
    if ARRIVAL in query:
        return guest_unseal(query[ARRIVAL], cohort=cohort)
    if PREVIEW in query:
        preview = previews.preview_read(query[PREVIEW], cohort)
        return Guest(is_preview=True, is_bot=preview.is_bot) if preview else None
    return Guest(arrival=arrival_read(panel, query) if panel else Arrival())


def guest_seal(guest: Guest, *, cohort: str) -> str:
    """Write a guest down for the consent form."""
    content = {
        "preview": guest.is_preview,
        "bot": guest.is_bot,
        "unreplaced": guest.arrival.is_unreplaced,
        "id": guest.arrival.external_id,
        "captured": dict(guest.arrival.captured),
    }
    return signing.dumps(content, salt=_salt("arrival", cohort), compress=True)


def guest_unseal(sealed: str, *, cohort: str) -> Guest | None:
    """Read a guest back; None where the seal was changed, is too old or another cohort's."""
    try:
        content = signing.loads(sealed, salt=_salt("arrival", cohort), max_age=_ARRIVAL_LIFE)
    except signing.BadSignature:
        return None
    arrival = Arrival(content["id"], content["captured"], is_unreplaced=content["unreplaced"])
    return Guest(is_preview=content["preview"], is_bot=content["bot"], arrival=arrival)


def preview_sign(cohort: str) -> str:
    """Return the parameter that opens a cohort's test lane."""
    return previews.preview_sign(cohort)


def _salt(purpose: str, cohort: str) -> str:
    return f"studyapp.{purpose}:{cohort}"

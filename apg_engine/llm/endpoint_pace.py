"""One pace for all threads that ask one endpoint: what a server told one, the others heed too."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

_EASED = 0.5
_LEAST_GAP = 0.02
_LONGEST_GAP = 60.0


@dataclass(slots=True)
class _Pace:
    gap: float = 0.0
    free_at: float = 0.0


class EndpointPaces:
    """Spaces calls of one endpoint once it has asked for a wait, and eases when it answers.

    Ten workers that are each told to come back in two seconds would otherwise come back as one,
    and nine of them would be sent away again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paces: dict[str, _Pace] = {}

    def take(
        self,
        endpoint: str,
        *,
        until: float,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        """Wait for a moment of one's own; at once where the endpoint has not asked for a wait.

        Args:
            endpoint: its address.
            until: the caller's own deadline; nobody waits beyond it.
            clock: seconds, monotonic.
            sleep: waits so many seconds.
        """
        with self._lock:
            pace = self._paces.get(endpoint)
            if pace is None:
                return
            now = clock()
            moment = max(now, pace.free_at)
            pace.free_at = moment + pace.gap
        if moment > now:
            sleep(max(0.0, min(moment, until) - now))

    def slow(self, endpoint: str, seconds: float, *, now: float) -> None:
        """Space calls as far apart as the endpoint asked one caller to wait."""
        with self._lock:
            pace = self._paces.setdefault(endpoint, _Pace())
            pace.gap = min(_LONGEST_GAP, max(pace.gap, seconds))
            pace.free_at = max(pace.free_at, now)

    def ease(self, endpoint: str) -> None:
        """Halve the space after an answer, until there is none left to speak of."""
        with self._lock:
            pace = self._paces.get(endpoint)
            if pace is not None:
                pace.gap *= _EASED
                if pace.gap < _LEAST_GAP:
                    del self._paces[endpoint]

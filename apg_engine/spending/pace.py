"""A rate that all threads of a process share, so that none storms a server."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Pace:
    """Hands out moments at which a call may be made, evenly spaced.

    Args:
        per_minute: calls a minute.
        clock: seconds, monotonic.
        sleep: waits so many seconds.

    Raises:
        ValueError: the rate is not above 0.
    """

    def __init__(
        self,
        per_minute: float,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        if not per_minute > 0:
            raise ValueError(f"{per_minute} calls a minute; allowed: more than 0")
        self._gap = 60.0 / per_minute
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._free_at = clock()

    def take(self) -> None:
        """Wait for the next free moment; each caller gets one of its own."""
        with self._lock:
            now = self._clock()
            moment = max(now, self._free_at)
            self._free_at = moment + self._gap
        if moment > now:
            self._sleep(moment - now)

"""One pace for all that ask one endpoint: what a server told one caller, the others heed too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from apg_engine.llm.pace_store import FilePaces, MemoryPaces, Pace, PaceStore

STATE_VARIABLE: Final = "APG_STATE_DIR"
_EASED = 0.5
_LEAST_GAP = 0.02
_LONGEST_GAP = 60.0


class EndpointPaces:
    """Spaces calls of one endpoint once it has asked for a wait, and eases when it answers.

    Ten workers that are each told to come back in two seconds would otherwise come back as one,
    and nine of them would be sent away again. The store says how far the pace reaches: over the
    threads of a process, or over all processes of a machine.
    """

    def __init__(self, store: PaceStore | None = None) -> None:
        self._store = store or MemoryPaces()

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
        now = moment = clock()

        def taken(pace: Pace | None) -> Pace | None:
            nonlocal moment
            if pace is None:
                return None
            moment = max(now, pace.free_at)
            return Pace(pace.gap, moment + pace.gap)

        self._store.change(endpoint, taken, now=now)
        if moment > now:
            sleep(max(0.0, min(moment, until) - now))

    def slow(self, endpoint: str, seconds: float, *, now: float) -> None:
        """Space calls as far apart as the endpoint asked one caller to wait."""

        def slowed(pace: Pace | None) -> Pace:
            known = pace or Pace(0.0, now)
            return Pace(min(_LONGEST_GAP, max(known.gap, seconds)), max(known.free_at, now))

        self._store.change(endpoint, slowed, now=now)

    def ease(self, endpoint: str, *, now: float) -> None:
        """Halve the space after an answer, until there is none left to speak of."""

        def eased(pace: Pace | None) -> Pace | None:
            if pace is None or pace.gap * _EASED < _LEAST_GAP:
                return None
            return Pace(pace.gap * _EASED, pace.free_at)

        self._store.change(endpoint, eased, now=now)


def paces_of(environment: Mapping[str, str]) -> EndpointPaces:
    """Give the paces that all callers with this state folder share.

    The folder is `APG_STATE_DIR`, else the user's own for state (XDG); an environment that names
    neither has paces for this process alone.
    """
    own, state, home = (environment.get(n) for n in (STATE_VARIABLE, "XDG_STATE_HOME", "HOME"))
    if own:
        return _paces_in(Path(own))
    if state or home:
        base = Path(state) if state else Path(home or "") / ".local" / "state"
        return _paces_in(base / "apg-engine")
    return _paces_here()


@cache
def _paces_in(folder: Path) -> EndpointPaces:
    return EndpointPaces(FilePaces(folder / "paces.sqlite3"))


@cache
def _paces_here() -> EndpointPaces:
    return EndpointPaces()

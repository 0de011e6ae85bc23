"""One line per step on the terminal: what is done, how far, how long it took."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TICK_SECONDS = 0.1


class Progress:
    """Prints steps to `stream`: with a moving line on a terminal, as plain lines elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._moving = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        unicode = (self._stream.encoding or "").lower().startswith("utf")
        self._done, self._failed = ("✓", "✗") if unicode else ("ok", "failed")
        self._frames = _FRAMES if unicode else "|/-\\"

    @contextmanager
    def step(self, title: str) -> Iterator[Step]:
        """Show `title` while the block runs, and how it ended."""
        step = Step(title)
        started = time.monotonic()
        ticker = self._ticker_start(step, started)
        try:
            yield step
        except BaseException:
            self._end(step, ticker, self._failed, started)
            raise
        self._end(step, ticker, self._done, started)

    def line(self, text: str = "") -> None:
        """Print a line as it is."""
        print(text, file=self._stream, flush=True)

    def _ticker_start(self, step: Step, started: float) -> threading.Thread | None:
        if not self._moving:
            return None
        ticker = threading.Thread(target=self._tick, args=(step, started), daemon=True)
        ticker.start()
        return ticker

    def _tick(self, step: Step, started: float) -> None:
        number = 0
        while not step.ended.wait(_TICK_SECONDS):
            frame = self._frames[number % len(self._frames)]
            self._overwrite(f"  {frame} {step.text()}  {time.monotonic() - started:.0f} s")
            number += 1

    def _end(self, step: Step, ticker: threading.Thread | None, mark: str, started: float) -> None:
        step.ended.set()
        seconds = time.monotonic() - started
        took = f"  {seconds:.0f} s" if seconds >= 1 else ""
        if ticker is None:
            self.line(f"  {mark} {step.text()}{took}".rstrip())
            return
        ticker.join()
        self._overwrite(f"  {mark} {step.text()}{took}")
        self.line()

    def _overwrite(self, text: str) -> None:
        # A line that wraps could not be overwritten.
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r\x1b[K{text[:width]}")
        self._stream.flush()


class Step:
    """A step under way; `note` is shown behind its title."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.note = ""
        self.ended = threading.Event()

    def text(self) -> str:
        """Return the title with its note."""
        return f"{self.title:<22}{self.note}"

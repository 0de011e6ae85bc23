"""Run a program that ends when its parent ends, even if the parent is killed.

    python tools/child.py PARENT_PID SIGNAL PROGRAM [ARGUMENT ...]

On Linux the kernel is asked to send SIGNAL (a number) to this process when PARENT_PID dies; then
PROGRAM takes this process over. Elsewhere PROGRAM is only run.
"""

from __future__ import annotations

import ctypes
import os
import sys

_PR_SET_PDEATHSIG = 1


def main(parent: int, death: int, command: list[str]) -> None:
    """Tie this process to its parent and become `command`."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, death)
        if os.getppid() != parent:  # it died before the kernel was asked
            sys.exit(1)
    os.execvp(command[0], command)  # noqa: S606 - becoming that program is the purpose


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])

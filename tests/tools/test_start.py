"""A tool that is interrupted while it starts."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from tools.demo import ROOT


def test_ctrl_c_while_a_tool_imports_prints_no_traceback(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import sys, time\nprint(sys.argv, flush=True)\ntime.sleep(60)\n")
    with subprocess.Popen(
        [sys.executable, str(ROOT / "tools" / "start.py"), str(slow), "--port", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{[str(slow), '--port', '1']}\n"
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[1]
    assert (process.returncode, said) == (-signal.SIGINT, "")

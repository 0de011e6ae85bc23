"""The server of the small model says what keeps it from serving, before it loads anything."""

from __future__ import annotations

import io
import socket
from pathlib import Path

import pytest

from tools.local_llm import LocalModelError, model_serve, packages_installed
from tools.progress import Progress


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(LocalModelError, match=f"port {port}: .*choose another"):
            model_serve(tmp_path, port=port, progress=Progress(io.StringIO()))


def test_missing_weights_are_named_with_their_folder(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    with pytest.raises(LocalModelError, match=r"no weights \(\*\.gguf\) under "):
        model_serve(tmp_path, port=port, progress=Progress(io.StringIO()))


def test_packages_of_other_pins_do_not_count_as_installed(tmp_path: Path) -> None:
    assert not packages_installed(tmp_path)
    (tmp_path / "packages.stamp").write_text("pins of last year")
    assert not packages_installed(tmp_path)

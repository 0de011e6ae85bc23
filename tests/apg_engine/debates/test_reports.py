from __future__ import annotations

import ast
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apg_engine.debates.reports import REASONS, REPORTS

ROOT = Path(__file__).resolve().parents[3]
LOG = tuple(range(1, 49))
_NAME = re.compile(r"^def (test_\w+)", re.MULTILINE)


def existing() -> set[str]:
    texts = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in _NAME.findall(text)}


@pytest.mark.parametrize("number", LOG)
def test_every_public_report_has_a_test_or_a_reason(number: int) -> None:
    assert REPORTS.get(number) or REASONS.get(number)


def test_every_named_test_exists() -> None:
    named = {name for names in REPORTS.values() for name in names}

    assert named <= existing()
    assert set(REPORTS) | set(REASONS) <= set(LOG)


def _completing(tree: ast.AST) -> Iterator[ast.Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "complete":
            yield node


def test_only_one_module_of_the_debates_asks_models() -> None:
    asking = [
        path.name
        for path in sorted((ROOT / "apg_engine" / "debates").rglob("*.py"))
        if any(_completing(ast.parse(path.read_text("utf-8"))))
    ]

    assert asking == ["calls.py"]


def test_packages_of_known_incidents_are_not_installed() -> None:
    pinned = (ROOT / "constraints.txt").read_text("utf-8").lower()

    for name in ("litellm", "langchain", "langgraph", "inspect_ai"):
        assert name not in pinned


def test_no_test_reaches_another_machine() -> None:
    # An address reserved for documentation (RFC 5737); nothing is sent to it.
    with socket.socket() as one, pytest.raises(UserWarning, match="A test tried to use"):
        one.connect(("192.0.2.1", 80))

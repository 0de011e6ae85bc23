"""Our numbers against R's and others' on the N=33 study, within each value's stated tolerance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.reference import ours
from tests.analysis.studies import SHARED

FILE = SHARED / "n33" / "reference_values.json"
VALUES: dict[str, dict[str, Any]] = (
    {entry["id"]: entry for entry in json.loads(FILE.read_bytes())["values"]}
    if FILE.is_file()
    else {}
)
OURS = ours()


@pytest.mark.reference
@pytest.mark.parametrize("name", sorted(OURS))
def test_it_equals_the_reference(name: str, shared: Path) -> None:
    entry = VALUES[name]
    for found, wanted in zip(flat(OURS[name]()), flat(entry["value"]), strict=True):
        if wanted is None:
            assert found is None
        else:
            assert found == pytest.approx(wanted, abs=entry["tol"] or 1e-12, rel=0)


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value

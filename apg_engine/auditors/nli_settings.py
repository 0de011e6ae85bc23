"""Thresholds of the `nli` auditor, from a file that says which model they were measured with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, get_args

from apg_engine.errors import CardError
from apg_engine.json_data import json_load

SETTINGS_SCHEMA: Final = "apg-nli-thresholds"
SETTINGS_VERSION: Final = 1
Aggregation = Literal["sentences", "windows", "both"]
_TEXTS = ("model_sha256", "data_set", "genre", "date")


@dataclass(frozen=True, slots=True)
class NliSettings:
    """How scores become verdicts.

    Attributes:
        contradicted: least probability of *refuted* for a veto.
        supported: least probability of *supported*; None means the model never supports.
        not_enough: least probability of *not enough* of every piece of evidence for that verdict;
            None means such a sentence stays undetermined.
        aggregation: evidence is held against the claim as single sentences, as windows of a
            sentence with its neighbours, or both; the strongest decides.
        candidates: most sentences of the corpus that are looked at for one claim.
        model_sha256: the model the thresholds were measured with; empty for none.
        data_set: what they were measured on; empty for none.
    """

    contradicted: float = 0.95
    supported: float | None = None
    not_enough: float | None = None
    aggregation: Aggregation = "sentences"
    candidates: int = 5
    model_sha256: str = ""
    data_set: str = ""
    genre: str = ""
    date: str = ""

    @property
    def is_calibrated(self) -> bool:
        """Tell whether the thresholds were measured."""
        return bool(self.model_sha256)


def settings_to_dict(settings: NliSettings) -> dict[str, Any]:
    """Give settings as JSON."""
    return {"schema": SETTINGS_SCHEMA, "version": SETTINGS_VERSION, **asdict(settings)}


def settings_read(path: Path) -> NliSettings:
    """Read a file of thresholds.

    Raises:
        CardError: it cannot be read, or a value is not allowed.
    """
    try:
        data = json_load(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CardError(path.name, "file", str(error), "a JSON file of thresholds") from error
    if not isinstance(data, dict):
        raise CardError(path.name, "file", type(data).__name__, "an object")
    return settings_from_dict(data, file_name=path.name)


def settings_from_dict(data: Mapping[str, Any], *, file_name: str) -> NliSettings:
    """Read thresholds.

    Raises:
        CardError: the schema is another one, or a value is not allowed.
    """
    found = f"{data.get('schema')!r} version {data.get('version')!r}"
    if (data.get("schema"), data.get("version")) != (SETTINGS_SCHEMA, SETTINGS_VERSION):
        allowed = f"{SETTINGS_SCHEMA} version {SETTINGS_VERSION}"
        raise CardError(file_name, "schema", found, allowed)
    names = [field.name for field in fields(NliSettings)]
    unknown = sorted(set(data) - set(names) - {"schema", "version"})
    if unknown:
        raise CardError(file_name, "fields", ", ".join(unknown), ", ".join(names))
    contradicted = _share(data, "contradicted", file_name)
    return NliSettings(
        contradicted=0.95 if contradicted is None else contradicted,
        supported=_share(data, "supported", file_name),
        not_enough=_share(data, "not_enough", file_name),
        aggregation=_aggregation(data, file_name),
        candidates=_whole(data, file_name),
        **{name: _text(data, name, file_name) for name in _TEXTS},
    )


def _share(data: Mapping[str, Any], name: str, file: str) -> float | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.5 <= value <= 1:
        # At one half or less two classes could pass at once.
        raise CardError(file, name, repr(value), "a number from 0.5 to 1, or null")
    return float(value)


def _aggregation(data: Mapping[str, Any], file: str) -> Aggregation:
    allowed: tuple[Aggregation, ...] = get_args(Aggregation)
    value = data.get("aggregation", "sentences")
    for one in allowed:
        if value == one:
            return one
    raise CardError(file, "aggregation", repr(value), ", ".join(allowed))


def _whole(data: Mapping[str, Any], file: str) -> int:
    value = data.get("candidates", NliSettings().candidates)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 50:
        raise CardError(file, "candidates", repr(value), "a whole number from 1 to 50")
    return value


def _text(data: Mapping[str, Any], name: str, file: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise CardError(file, name, repr(value), "text")
    return value

"""Cards on disk, and the one that comes with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from apg_engine.calibration.card import CalibrationCard, card_from_dict
from apg_engine.errors import CardError
from apg_engine.json_data import json_load


def card_read(path: Path) -> CalibrationCard:
    """Read a card.

    Raises:
        CardError: the file cannot be read as a card.
    """
    try:
        return _parsed(path.read_text("utf-8"), path.name)
    except OSError as error:
        raise CardError(str(path), "file", error.strerror or str(error), "a card") from error


@cache
def ladder_card() -> CalibrationCard:
    """Give the ladder's card, as `python -m benchmarks.planted_truth --card` wrote it."""
    path = files("apg_engine").joinpath("calibration", "cards", "ladder.en.json")
    return _parsed(path.read_text("utf-8"), path.name)


def _parsed(text: str, file_name: str) -> CalibrationCard:
    try:
        data = json_load(text)
    except ValueError as error:
        raise CardError(file_name, "file", f"no JSON ({error})", "a card") from error
    if not isinstance(data, dict):
        raise CardError(file_name, "file", type(data).__name__, "an object")
    return card_from_dict(data, file_name=file_name)

"""What every quality benchmark prints about a measurement, and where its card goes."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, date, datetime
from pathlib import Path

from apg_engine.calibration.card import CalibrationCard, card_to_dict
from apg_engine.calibration.permit import control_complaint
from apg_engine.calibration.tally import Tally
from benchmarks.tables import line_print, table_print

_HEAD = (
    "judge", "n", "decided", "TPR", "FPR", "precision", "balanced accuracy", "coverage",
)  # fmt: skip


def card_options(parser: argparse.ArgumentParser) -> None:
    """Declare where a card is written and which day it bears."""
    parser.add_argument("--card", type=Path, metavar="FILE", help="write the calibration card")
    parser.add_argument("--date", default=_today(), help="day on the card, YYYY-MM-DD (today)")
    parser.add_argument("--seed", type=int, default=1, help="of the dice (1)")


def card_write(card: CalibrationCard, path: Path | None) -> None:
    """Write a card, if a path was given."""
    if path:
        path.write_text(
            json.dumps(card_to_dict(card), indent=1, ensure_ascii=False) + "\n", "utf-8"
        )
        line_print(f"card written to {path}")


def card_print(card: CalibrationCard) -> None:
    """Print the auditor beside its controls."""
    line_print(f"{card.data_set}: {card.auditor} (sha256 {card.auditor_sha256[:12]})")
    rows = [_row(card.auditor, card.support), _row("control: majority", _majority(card.support))]
    if card.claim_only:
        rows.append(_row("control: claim only", card.claim_only))
    if card.shuffled:
        rows.append(_row("control: shuffled evidence", card.shuffled))
    table_print(_HEAD, rows)
    if card.contradiction:
        line_print(
            f"as a veto: refuted cases called contradicted {card.contradiction.tpr}; "
            f"supported cases called contradicted {card.contradiction.fpr}"
        )
    if card.note:
        line_print(f"note: {card.note}")
    complaint = control_complaint(card)
    verdict = f"not above them, so a model would be refused as a gate: {complaint}"
    line_print(f"against the claims alone: {verdict if complaint else 'above them'}")


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    return (
        name,
        str(tally.n),
        str(tally.decided),
        str(tally.tpr),
        str(tally.fpr),
        str(tally.precision),
        _balanced(tally),
        str(tally.coverage),
    )


def _balanced(tally: Tally) -> str:
    if not tally.is_large:
        return "too few cases"
    return f"{tally.balanced_accuracy:.3f} {tally.balanced_accuracy_interval}"


def _majority(tally: Tally) -> Tally:
    """Always the larger class, whatever stands there."""
    says = tally.positives >= tally.negatives
    return Tally(
        positives=tally.positives,
        true_positives=tally.positives if says else 0,
        negatives=tally.negatives,
        false_positives=tally.negatives if says else 0,
        decided=tally.n,
    )


def _today() -> str:
    today: date = datetime.now(tz=UTC).date()  # noqa: TID251 (a command is the edge)
    return today.isoformat()

"""The card that comes with the package must be that of the rules that come with it."""

from __future__ import annotations

from apg_engine.auditors.ladder import LadderAuditor
from apg_engine.calibration.card_files import ladder_card
from apg_engine.calibration.identity import auditor_sha256

RENEW = (
    "the rules changed since the bundled card was measured; measure again: "
    "python -m benchmarks.planted_truth --card apg_engine/calibration/cards/ladder.en.json"
)


def test_the_bundled_card_was_measured_with_the_present_rules() -> None:
    assert ladder_card().auditor_sha256 == auditor_sha256(LadderAuditor()), RENEW

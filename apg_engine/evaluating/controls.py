"""Controls: what can be had without looking at any evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from apg_engine.errors import ConfigError
from apg_engine.evaluating.claim_words import ClaimWords
from apg_engine.evaluating.claims import Label, LabelledClaim, claims_sha256
from apg_engine.evaluating.opinions import DECIDED, Opinion, Sitting, Vote


class Majority:
    """Always finds the label that is most common in the training claims; of equals the first.

    Where a test set is balanced otherwise than the training claims, it is below half.
    """

    name = "majority"
    offline = True

    def __init__(self, training: Sequence[LabelledClaim], labels: Sequence[Label]) -> None:
        counts = Counter(claim.label for claim in training if claim.label in labels)
        if not counts:
            raise ConfigError(self.name, "training claims", "none", "claims with labels")
        self._found = max(labels, key=lambda label: counts[label])
        self._share = counts[self._found] / counts.total()
        self._training = claims_sha256(training)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it always says, and where that is from."""
        return {"finds": self._found.value, "training": self._training}

    def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
        """Say it."""
        return _control(self.name, self._found, self._share)


class ClaimOnly:
    """Naive Bayes over a claim's words and pairs of words: what its wording alone gives away."""

    name = "claim_only"
    offline = True

    def __init__(self, training: Sequence[LabelledClaim], labels: Sequence[Label]) -> None:
        known = [claim for claim in training if claim.label in labels]
        if len({claim.label for claim in known}) < len(labels):
            allowed = f"claims labelled {', '.join(labels)}"
            raise ConfigError(self.name, "training claims", "too few", allowed)
        self._words = ClaimWords([(claim.claim, claim.label.value) for claim in known])
        self._training = claims_sha256(known)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What it learned from."""
        return {"training": self._training}

    def decide(self, claim: LabelledClaim, sitting: Sitting) -> Opinion:
        """Judge the wording."""
        label, share = self._words.says(claim.claim)
        return _control(self.name, Label(label), share)


def _control(name: str, label: Label, confidence: float) -> Opinion:
    vote = Vote(name, label, "voted", confidence)
    return Opinion(label=label, ending=DECIDED, confidence=confidence, votes=(vote,))

"""Several judges in tandem under a written rule; what they disagree on is reported."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from apg_engine.auditors.protocol import Auditor
from apg_engine.auditors.vetoes_above import is_rule_veto, rule_veto
from apg_engine.errors import ModelSetupError
from apg_engine.journal import CallLedger
from apg_engine.matching.index import index_of
from apg_engine.records import (
    Corpus,
    Label,
    Opinion,
    Quote,
    Sentence,
    SentenceKind,
    Verdict,
)

Rule = Literal["unanimous", "majority", "veto"]


@dataclass(frozen=True, slots=True)
class Member:
    """One judge with its weight; weights count under the rule `majority` only."""

    auditor: Auditor
    weight: float = 1.0


class EnsembleAuditor:
    """Asks every member about every claim and combines their labels.

    Before any rule: a claim that one member could not audit is not audited, and a claim that a
    deterministic rule refused stays refused, whatever the models say. Then

    - `unanimous`: the label all members give; else undetermined.
    - `majority`: the label that holds more than half of all weight; else undetermined. A member
      that abstains keeps its weight, so an abstention is no vote for either side.
    - `veto`: supported if one member supports it and none speaks against it; a member that says
      contradicted, or not enough information, refuses it.

    Raises:
        ModelSetupError: fewer than two members, or a weight that is no weight.
    """

    def __init__(self, members: Sequence[Member], *, rule: Rule) -> None:
        if len(members) < 2:
            raise ModelSetupError(f"ensemble: found {len(members)} members; allowed: two or more")
        if any(not math.isfinite(member.weight) or member.weight < 0 for member in members):
            weights = ", ".join(f"{member.weight:g}" for member in members)
            raise ModelSetupError(f"ensemble: weights: found {weights}; allowed: 0 or more")
        self._members = _weighted(members)
        self._rule: Rule = rule

    @property
    def name(self) -> str:
        """The rule and the members."""
        return f"ensemble ({self._rule}) of {'; '.join(m.auditor.name for m in self._members)}"

    @property
    def identity(self) -> str:
        """The rule, and what each member is and weighs."""
        members = [[m.auditor.name, m.auditor.identity, m.weight] for m in self._members]
        return json.dumps([self._rule, members])

    @property
    def offline(self) -> bool:
        """True where every member is."""
        return all(member.auditor.offline for member in self._members)

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        """Judge every claim."""
        by_member = [
            {
                verdict.sentence_id: verdict
                for verdict in member.auditor.audit(sentences=sentences, corpus=corpus, calls=calls)
            }
            for member in self._members
        ]
        claims = [sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM]
        index = index_of(corpus)
        return tuple(
            rule_veto(index, claim, self._combined(claim, [own.get(claim.id) for own in by_member]))
            for claim in claims
        )

    def _combined(self, claim: Sentence, found: Sequence[Verdict | None]) -> Verdict:
        verdicts = [
            verdict or _absent(claim, member)
            for verdict, member in zip(found, self._members, strict=True)
        ]
        opinions = tuple(
            Opinion(member.auditor.name, verdict.label, verdict.reason)
            for verdict, member in zip(verdicts, self._members, strict=True)
        )
        unheard = next((v for v in verdicts if v.label is Label.NOT_AUDITED), None)
        ruled = next((v for v in verdicts if is_rule_veto(v)), None)
        if unheard:
            label, by = Label.NOT_AUDITED, unheard.decided_by
        elif ruled:
            label, by = ruled.label, ruled.decided_by
        else:
            weights = [member.weight for member in self._members]
            label, by = _RULES[self._rule]([v.label for v in verdicts], weights), ""
        return _worded(claim, label, verdicts, opinions, by or f"ensemble: {self._rule}")


def disagreement_count(verdicts: Sequence[Verdict]) -> int:
    """Count the claims on which the members of an ensemble gave more than one label."""
    return sum(len({opinion.label for opinion in v.opinions}) > 1 for v in verdicts)


def _unanimous(labels: Sequence[Label], _weights: Sequence[float]) -> Label:
    return labels[0] if len(set(labels)) == 1 else Label.UNDETERMINED


def _majority(labels: Sequence[Label], weights: Sequence[float]) -> Label:
    held: dict[Label, float] = {}
    for label, weight in zip(labels, weights, strict=True):
        held[label] = held.get(label, 0.0) + weight
    label, most = max(held.items(), key=lambda pair: pair[1])
    return label if 2 * most > math.fsum(weights) else Label.UNDETERMINED


def _veto(labels: Sequence[Label], _weights: Sequence[float]) -> Label:
    for refusal in (Label.CONTRADICTED, Label.NOT_ENOUGH_INFORMATION):
        if refusal in labels:
            return refusal
    return Label.SUPPORTED if Label.SUPPORTED in labels else Label.UNDETERMINED


_RULES: Mapping[Rule, Callable[[Sequence[Label], Sequence[float]], Label]] = {
    "unanimous": _unanimous,
    "majority": _majority,
    "veto": _veto,
}


def _weighted(members: Sequence[Member]) -> tuple[Member, ...]:
    """Keep the weights; where no member has any, all weigh the same."""
    if any(member.weight > 0 for member in members):
        return tuple(members)
    return tuple(Member(member.auditor) for member in members)


def _worded(
    claim: Sentence,
    label: Label,
    verdicts: Sequence[Verdict],
    opinions: tuple[Opinion, ...],
    decided_by: str,
) -> Verdict:
    agreeing = [v for v in verdicts if v.label is label] or list(verdicts)
    said = "; ".join(f"{opinion.auditor}: {opinion.label.value}" for opinion in opinions)
    reasons = "; ".join(dict.fromkeys(v.reason for v in agreeing))
    split = len({opinion.label for opinion in opinions}) > 1
    return Verdict(
        sentence_id=claim.id,
        label=label,
        reason=f"the judges disagree ({said})" if split else reasons,
        decided_by=decided_by,
        supporting=_joined([v.supporting for v in verdicts]),
        opposing=_joined([v.opposing for v in verdicts]),
        nearest=_joined([v.nearest for v in agreeing]),
        claimed=next((v.claimed for v in agreeing if v.claimed), ""),
        asserts=tuple(dict.fromkeys(agent for v in verdicts for agent in v.asserts)),
        denies=tuple(dict.fromkeys(agent for v in verdicts for agent in v.denies)),
        failure=next((v.failure for v in verdicts if v.failure), ""),
        opinions=opinions,
    )


def _joined(quotes: Sequence[tuple[Quote, ...]]) -> tuple[Quote, ...]:
    return tuple(dict.fromkeys(quote for own in quotes for quote in own))


def _absent(claim: Sentence, member: Member) -> Verdict:
    return Verdict(
        sentence_id=claim.id,
        label=Label.NOT_AUDITED,
        reason="the auditor returned no verdict",
        decided_by=member.auditor.name,
        failure="unparsed",
    )

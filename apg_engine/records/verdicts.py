"""The sentences of a draft, the verdicts on them, and what is counted from these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Policy = Literal["paper", "strict"]


class SentenceKind(StrEnum):
    """Only claims stand in the denominator of PF; the rest is listed beside it."""

    CLAIM = "claim"
    HEADING = "heading"
    COURTESY = "courtesy"
    LEAD_IN = "lead-in"
    FRAGMENT = "fragment"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a draft, with its place in the draft's characters."""

    id: str
    text: str
    start: int
    end: int
    kind: SentenceKind
    duplicate_of: str = ""


class Label(StrEnum):
    """What an auditor found about one sentence. Only SUPPORTED counts for PF."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH_INFORMATION = "not_enough_information"
    UNDETERMINED = "undetermined"
    NOT_AUDITED = "not_audited"


@dataclass(frozen=True, slots=True)
class Quote:
    """A verified quote: `corpus[address][start:end] == text`."""

    address: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge of several said about a sentence."""

    auditor: str
    label: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one sentence, and on what grounds.

    Attributes:
        decided_by: the rung or the model that decided.
        supporting: verified quotes for it.
        opposing: verified quotes against it; for a veto the span that differs.
        nearest: verified quotes nearest to it that decide nothing.
        claimed: the words of the sentence a veto is about, where there is one.
        asserts: ids of the agents who state it in public.
        denies: ids of the agents who deny it in public.
        failure: for NOT_AUDITED why, as a code: unparsed, refused, truncated, timeout, ...
        opinions: of the judges of an ensemble, one each.
        score: the model's own score for *supported*, 0 to 1, where it has one; it is no PF.
        strict: for SUPPORTED, why it is not under the policy `strict`; empty if it is.
        flags: for SUPPORTED, what is thin about its support: `private only`, `single source`.
        carried_from: number of the pair it was judged in, if that was an earlier one; else 0.
    """

    sentence_id: str
    label: Label
    reason: str
    decided_by: str
    supporting: tuple[Quote, ...] = ()
    opposing: tuple[Quote, ...] = ()
    nearest: tuple[Quote, ...] = ()
    claimed: str = ""
    asserts: tuple[str, ...] = ()
    denies: tuple[str, ...] = ()
    failure: str = ""
    score: float | None = None
    opinions: tuple[Opinion, ...] = ()
    strict: str = ""
    flags: tuple[str, ...] = ()
    carried_from: int = 0

    def holds(self, policy: Policy) -> bool:
        """Tell whether the sentence counts as supported under a policy."""
        return self.label is Label.SUPPORTED and (policy == "paper" or not self.strict)


@dataclass(frozen=True, slots=True)
class Fidelity:
    """PF as it is counted: supported claims of all distinct claims."""

    supported: int
    total: int

    def passes(self, percent: int) -> bool:
        """Compare in integers: 18 of 19 does not pass at 95."""
        return self.total > 0 and 100 * self.supported >= percent * self.total


@dataclass(frozen=True, slots=True)
class Counts:
    """PF of one draft, counted three ways.

    Attributes:
        paper: distinct claims the corpus entails, of all distinct claims.
        strict: the same without agreement that a party does not share and without what a party
            denies.
        pf_all: the paper's equation (1), over every sentence of the draft; for comparison only.
    """

    paper: Fidelity
    strict: Fidelity
    pf_all: Fidelity


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of the debate a draft still answers.

    Attributes:
        stances: ids of the parties that take a stance in the end.
        covered: those whose stance a sentence of the draft states.
        recommends: the draft holds a recommendation of its own.
    """

    stances: tuple[str, ...]
    covered: tuple[str, ...]
    recommends: bool


@dataclass(frozen=True, slots=True)
class Preservation:
    """How many of a draft's supported claims stand unchanged in the next draft."""

    kept: int
    of: int

"""The offline rule-based proposer: no language model, and named as what it is.

It keeps a model's contract. The first draft is a fluent recommendation whose joining sentences no
trace states. On a hint it replaces what was refused by sentences the trace states, and it always
keeps a recommendation: the one all parties state, or, where there is none, an invented one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from apg_engine.journal import CallLedger
from apg_engine.llm.protocol import CallStatus, ChatReply
from apg_engine.matching.index import CorpusIndex, Unit, words_of
from apg_engine.matching.vetoes import content_overlap
from apg_engine.proposers.offline_brief import Brief, brief_read
from apg_engine.proposers.offline_prose import PROSE, Prose
from apg_engine.proposers.protocol import Proposal
from apg_engine.reading.phrases import capital, joined, lowered
from apg_engine.records import Corpus
from apg_engine.segmentation.segments import segments_find

OFFLINE_PROPOSER_NAME = "offline rule-based proposer 1"
# With 20 sentences one invention would pass 95 %; a short draft keeps that out of reach.
_MOST_SENTENCES = 8
_SAME = 0.6


class OfflineProposer:
    """Writes drafts by rules. Built once per run; it reads a corpus once."""

    name = OFFLINE_PROPOSER_NAME
    offline = True

    def __init__(self) -> None:
        self._last: tuple[Corpus, Brief] | None = None

    def propose(self, proposal: Proposal, calls: CallLedger) -> ChatReply:
        """Write a draft; the call is journalled like a model's."""
        request = {
            "model": self.name,
            "corpus_sha256": proposal.corpus.sha256,
            "language": proposal.language,
            "pair_number": proposal.pair_number,
            "previous_draft_sha256": _sha256(proposal.previous_draft),
            "hint": proposal.hint,
        }
        return calls.call(
            role="proposer",
            request=request,
            perform=lambda _: ChatReply(CallStatus.OK, text=self._write(proposal)),
        )

    def _write(self, proposal: Proposal) -> str:
        brief, prose = self._brief(proposal.corpus), PROSE[proposal.language]
        if not proposal.previous_draft:
            return _first_draft(brief, prose)
        return _repair(brief, prose, proposal)

    def _brief(self, corpus: Corpus) -> Brief:
        if self._last is None or self._last[0] is not corpus:
            self._last = (corpus, brief_read(CorpusIndex(corpus)))
        return self._last[1]


def _first_draft(brief: Brief, prose: Prose) -> str:
    facts = [unit.text for unit in brief.facts[:1]]
    opener = _filled(prose.openers, brief, prose, 0)
    if brief.shared:
        middle = [brief.shared[0].last.text, _by_loads(brief, prose, "bridges", 1)]
    else:
        middle = [_by_loads(brief, prose, "plans", 1)]
    closing = [_filled(prose.reviews, brief, prose, 2), _filled(prose.closers, brief, prose, 3)]
    return " ".join([*facts, opener, *middle, *closing])


def _repair(brief: Brief, prose: Prose, proposal: Proposal) -> str:
    refused = {refusal.sentence for refusal in proposal.refused}
    kept = [text for text in _sentences(proposal.previous_draft) if text not in refused]
    if brief.shared:
        advice = list(_shared_advice(brief, prose, refused))
        support = _distinct([*_reasons(brief, prose)], [*advice, *kept], refused)
    else:
        advice = [_compromise(brief, prose, proposal.pair_number)]
        support = []
    facts = _facts(brief, prose, refused, kept, advice)
    return _paragraphs(facts, [*advice, *support])


def _facts(
    brief: Brief, prose: Prose, refused: set[str], kept: list[str], advice: list[str]
) -> list[str]:
    """What was kept and what context, shocks and parties state, in that order."""
    given = [unit.text for unit in brief.facts[:3]]
    ordered = [text for text in given if text in kept]
    ordered += [text for text in kept if text not in given]
    stated = [*given, *(unit.text for unit in brief.repeated[:2])]
    if not brief.shared:
        stated += list(_attributed_demands(brief, prose))
    fresh = _distinct([t for t in stated if t not in ordered], [*ordered, *advice], refused)
    merged = [text for text in given if text in ordered or text in fresh]
    rest = [t for t in [*ordered, *fresh] if t not in merged]
    return _distinct(merged + rest, advice, refused)


def _shared_advice(brief: Brief, prose: Prose, refused: set[str]) -> Iterator[str]:
    for number, shared in enumerate(brief.shared[:3]):
        plain = shared.last.text
        agreed = prose.agreement.format(inner=lowered(plain))
        wanted = agreed if number == 0 and shared.same_words else plain
        yield plain if wanted in refused else wanted


def _reasons(brief: Brief, prose: Prose) -> Iterator[str]:
    for number, (agent, units) in enumerate(brief.reasons.items()):
        for unit in units[:2]:
            yield _reported(brief, prose, agent, unit, number)


def _attributed_demands(brief: Brief, prose: Prose) -> Iterator[str]:
    for number, (agent, unit) in enumerate(brief.demands.items()):
        yield _reported(brief, prose, agent, unit, number)


def _reported(brief: Brief, prose: Prose, agent: str, unit: Unit, number: int) -> str:
    pattern = prose.reports[number % len(prose.reports)]
    return capital(pattern.format(name=brief.names[agent], inner=lowered(unit.text)))


def _compromise(brief: Brief, prose: Prose, pair_number: int) -> str:
    """The invented recommendation; each repair words it anew, as a model would."""
    return _by_loads(brief, prose, "compromises", 4 + pair_number - 2)


def _by_loads(brief: Brief, prose: Prose, kind: str, place: int) -> str:
    with_loads: tuple[str, ...] = getattr(prose, kind)
    without: tuple[str, ...] = getattr(prose, f"{kind}_without_loads")
    enough = with_loads and len(brief.loads) >= 3
    return _filled(with_loads if enough else without, brief, prose, place)


def _filled(patterns: Sequence[str], brief: Brief, prose: Prose, place: int) -> str:
    if place >= 4:
        pattern = patterns[(brief.variant + place) % len(patterns)]
    else:
        pattern = patterns[(brief.variant // 3**place) % len(patterns)]
    loads = [*brief.loads, "", "", ""]
    total, hours = brief.total, brief.hours
    return capital(
        pattern.format(
            parties=joined(list(brief.names.values()), prose.joint) or prose.all_parties,
            total=prose.total.format(shown=total.quantity.shown) if total else prose.no_total,
            every=prose.every.format(hours=hours) if hours else prose.no_every,
            l0=loads[0],
            l1=loads[1],
            l2=loads[2],
        )
    )


def _distinct(candidates: list[str], chosen: list[str], refused: set[str]) -> list[str]:
    """Keep candidates that were not refused and say something not said yet."""
    kept: list[str] = []
    said = [_words(text) for text in chosen]
    for text in candidates:
        words = _words(text)
        if text not in refused and not any(content_overlap(words, old) >= _SAME for old in said):
            kept.append(text)
            said.append(words)
    return kept


def _paragraphs(facts: list[str], advice: list[str]) -> str:
    """Facts in one paragraph, advice and its reasons in the next; advice is never cut."""
    least = 1 if advice else 0
    advice = advice[: _MOST_SENTENCES - 1] if len(advice) > least else advice
    facts = facts[: max(1, _MOST_SENTENCES - len(advice))]
    return "\n\n".join(part for part in (" ".join(facts), " ".join(advice)) if part)


def _sentences(draft: str) -> list[str]:
    return [draft[segment.start : segment.end] for segment in segments_find(draft)]


def _words(text: str) -> list[str]:
    return [word for word, _ in words_of(text)]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

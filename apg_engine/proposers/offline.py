"""The offline rule-based proposer: no language model, and named as what it is.

It keeps a model's contract. The first draft is a fluent recommendation whose joining sentences no
trace states. On a hint it replaces what was refused by sentences the trace states, and it always
keeps a recommendation: the one all parties state, or, where there is none, an invented one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from apg_engine.calls import CallStatus, ChatReply
from apg_engine.journal import CallLedger
from apg_engine.matching.index import Unit, index_of, words_in
from apg_engine.matching.vetoes import content_shared, differs
from apg_engine.proposers.offline_brief import Brief, brief_read
from apg_engine.proposers.offline_prose import Prose, prose_load
from apg_engine.proposers.protocol import Proposal
from apg_engine.reading.phrases import capital, joined, lowered
from apg_engine.records import Corpus
from apg_engine.segmentation.segments import segments_find

OFFLINE_PROPOSER_NAME = "offline rule-based proposer 1"
# With 20 sentences one invention would pass 95 %; a short draft keeps that out of reach.
_MOST_SENTENCES = 9
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
        brief, prose = self._brief(proposal.corpus), prose_load(proposal.language)
        if not proposal.previous_draft:
            return _first_draft(brief, prose)
        return _repair(brief, prose, proposal)

    def _brief(self, corpus: Corpus) -> Brief:
        if self._last is None or self._last[0] is not corpus:
            self._last = (corpus, brief_read(index_of(corpus)))
        return self._last[1]


def _first_draft(brief: Brief, prose: Prose) -> str:
    facts = [unit.text for group in brief.facts[:1] for unit in group]
    opener = _filled(_half(prose.openers, brief), brief, prose, 0)
    if brief.shared:
        middle = [brief.shared[0].last.text, _by_loads(brief, prose, "bridges", 1)]
    else:
        middle = [_by_loads(brief, prose, "plans", 1)]
    closing = [
        _filled(_half(patterns, brief), brief, prose, place)
        for place, patterns in ((2, prose.reviews), (3, prose.closers))
    ]
    return " ".join([*facts, opener, *middle, *closing])


def _repair(brief: Brief, prose: Prose, proposal: Proposal) -> str:
    """Facts, then the recommendation with its reasons; what was refused is not said again."""
    refused = {refusal.sentence for refusal in proposal.refused}
    kept = [text for text in _sentences(proposal.previous_draft) if text not in refused]
    said = _Said(refused)
    if brief.shared:
        advice = said.add(_shared_advice(brief, prose), most=3)
    else:
        advice = [_compromise(brief, prose, proposal.pair_number)]
    facts = said.add(_given(brief), most=2 if brief.shared else 3)
    facts += said.add(((text,) for text in kept), most=_MOST_SENTENCES)
    if brief.shared:
        support = said.add(_support(brief, prose), most=_MOST_SENTENCES)
    else:
        facts += said.add(_attributed_demands(brief, prose), most=_MOST_SENTENCES)
        support = []
    room = max(1, _MOST_SENTENCES - len(advice))
    facts = facts[:room]
    return f"{' '.join(facts)}\n\n{' '.join([*advice, *support[: room - len(facts)]])}".strip()


class _Said:
    """What a draft says so far; each line has wordings in order of preference."""

    def __init__(self, refused: set[str]) -> None:
        self._refused = refused
        self._texts: set[str] = set()
        self._words: list[list[str]] = []

    def add(self, lines: Iterable[tuple[str, ...]], *, most: int) -> list[str]:
        """Add the lines that say something new, each in its first wording not refused."""
        added: list[str] = []
        for wordings in lines:
            fresh = [text for text in wordings if text not in self._refused]
            words = _words(wordings[-1])
            known = self._texts.intersection(wordings) or self._overlaps(words)
            if fresh and not known and len(added) < most:
                added.append(fresh[0])
                self._texts.update(wordings)
                self._words.append(words)
        return added

    def _overlaps(self, words: list[str]) -> bool:
        return any(
            content_shared(words, old) >= _SAME and not differs(words, old) for old in self._words
        )


def _given(brief: Brief) -> Iterator[tuple[str, ...]]:
    return ((unit.text,) for group in brief.facts for unit in group)


def _shared_advice(brief: Brief, prose: Prose) -> Iterator[tuple[str, ...]]:
    for number, shared in enumerate(brief.shared):
        plain = shared.last.text
        agreed = prose.agreement.format(inner=lowered(plain))
        yield (agreed, plain) if number == 0 and shared.same_words else (plain,)


def _support(brief: Brief, prose: Prose) -> Iterator[tuple[str, ...]]:
    """Facts several parties repeat, then one reason after the other from each party."""
    yield from ((unit.text,) for unit in brief.repeated[:2])
    for rank in range(2):
        for number, (agent, units) in enumerate(brief.reasons.items()):
            if rank < len(units):
                yield _reported(brief, prose, agent, units[rank], number + rank)


def _attributed_demands(brief: Brief, prose: Prose) -> Iterator[tuple[str, ...]]:
    for number, (agent, unit) in enumerate(brief.demands.items()):
        yield _reported(brief, prose, agent, unit, number)


def _reported(brief: Brief, prose: Prose, agent: str, unit: Unit, number: int) -> tuple[str, ...]:
    pattern = prose.reports[number % len(prose.reports)]
    singular, plural = prose.verbs[number % len(prose.verbs)]
    verb = plural if agent in brief.plurals else singular
    told = pattern.format(name=brief.names[agent], verb=verb, inner=lowered(unit.text))
    return capital(told), unit.text


def _compromise(brief: Brief, prose: Prose, pair_number: int) -> str:
    """The invented recommendation; each repair words it anew, as a model would."""
    return _by_loads(brief, prose, "compromises", 4 + pair_number - 2)


def _half(patterns: tuple[str, ...], brief: Brief) -> tuple[str, ...]:
    middle = len(patterns) // 2
    return patterns[:middle] if brief.shared else patterns[middle:]


def _by_loads(brief: Brief, prose: Prose, kind: str, place: int) -> str:
    with_loads: tuple[str, ...] = getattr(prose, kind)
    without: tuple[str, ...] = getattr(prose, f"{kind}_without_loads")
    enough = with_loads and len(brief.loads) >= 3
    return _filled(with_loads if enough else without, brief, prose, place)


def _filled(patterns: Sequence[str], brief: Brief, prose: Prose, place: int) -> str:
    pattern = patterns[(brief.variant // 3 + place) % len(patterns)]
    loads = [*brief.loads, "", "", ""]
    hours = brief.hours
    return capital(
        pattern.format(
            parties=joined(list(brief.names.values()), prose.joint) or prose.all_parties,
            total=prose.total.format(shown=brief.total) if brief.total else prose.no_total,
            every=prose.every.format(hours=hours) if hours else prose.no_every,
            l0=loads[0],
            l1=loads[1],
            l2=loads[2],
        )
    )


def _sentences(draft: str) -> list[str]:
    return [draft[segment.start : segment.end] for segment in segments_find(draft)]


def _words(text: str) -> list[str]:
    return words_in(text)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

"""Have an auditor judge labelled cases, and count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from apg_engine.auditors.protocol import Auditor
from apg_engine.calibration.tally import Tally, tally_count
from apg_engine.journal import CallLedger
from apg_engine.matching.index import index_of
from apg_engine.measuring.cases import Case, Truth
from apg_engine.records import Label, Sentence, SentenceKind, Verdict
from apg_engine.stages.audit import verdict_counted

_UNDECIDED = frozenset({Label.UNDETERMINED, Label.NOT_AUDITED})


@dataclass(frozen=True, slots=True)
class Judged:
    """A case and the verdict on it, as the gate would count it."""

    case: Case
    verdict: Verdict


def cases_judge(
    cases: Sequence[Case],
    *,
    auditor: Auditor,
    calls: CallLedger,
    on_progress: Callable[[int], None] | None = None,
) -> list[Judged]:
    """Judge every case; the claims of one corpus go to the auditor together.

    Args:
        cases: in any order.
        auditor: who judges.
        calls: where its model calls are kept.
        on_progress: is told how many cases are done.
    """
    judged: list[Judged] = []
    for group in _by_corpus(cases):
        judged.extend(_group_judge(group, auditor, calls))
        if on_progress:
            on_progress(len(judged))
    return judged


def support_tally(judged: Iterable[Judged]) -> Tally:
    """Count for the gate's question: is it supported?"""
    return tally_count(
        (one.case.is_supported, one.verdict.label is Label.SUPPORTED, _is_decided(one))
        for one in judged
    )


def contradiction_tally(judged: Iterable[Judged]) -> Tally:
    """Count for a veto's question: is it refuted? Cases without enough evidence stay out.

    A *positive* is a refuted case; a false positive is a supported claim called contradicted.
    """
    return tally_count(
        (
            one.case.truth is Truth.REFUTED,
            one.verdict.label is Label.CONTRADICTED,
            _is_decided(one),
        )
        for one in judged
        if one.case.truth is not Truth.NOT_ENOUGH
    )


def _is_decided(one: Judged) -> bool:
    return one.verdict.label not in _UNDECIDED


def _by_corpus(cases: Sequence[Case]) -> list[list[Case]]:
    groups: dict[int, list[Case]] = {}
    for case in cases:
        groups.setdefault(id(case.corpus), []).append(case)
    return list(groups.values())


def _group_judge(cases: Sequence[Case], auditor: Auditor, calls: CallLedger) -> list[Judged]:
    corpus = cases[0].corpus
    sentences = [_sentence(number, case.claim) for number, case in enumerate(cases, start=1)]
    given = {
        v.sentence_id: v for v in auditor.audit(sentences=sentences, corpus=corpus, calls=calls)
    }
    index = index_of(corpus)
    return [
        Judged(
            case,
            verdict_counted(index, sentence, given.get(sentence.id, _absent(sentence, auditor))),
        )
        for case, sentence in zip(cases, sentences, strict=True)
    ]


def _sentence(number: int, claim: str) -> Sentence:
    return Sentence(f"s{number}", claim, 0, len(claim), SentenceKind.CLAIM)


def _absent(sentence: Sentence, auditor: Auditor) -> Verdict:
    return Verdict(
        sentence_id=sentence.id,
        label=Label.NOT_AUDITED,
        reason="the auditor returned no verdict",
        decided_by=auditor.name,
        failure="unparsed",
    )

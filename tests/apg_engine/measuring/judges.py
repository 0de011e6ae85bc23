"""Auditors with a mind of their own, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from apg_engine.journal import CallLedger
from apg_engine.records import Corpus, Label, Quote, Sentence, Verdict


class RuleJudge:
    """Labels each sentence by a function of claim and corpus text; quotes the first sentence."""

    identity = "a rule of the test"
    offline = False

    def __init__(self, rule: Callable[[str, str], Label], *, name: str = "rule judge") -> None:
        self._rule = rule
        self.name = name
        self.asked: list[str] = []

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        self.asked.extend(sentence.text for sentence in sentences)
        return tuple(self._verdict(sentence, corpus) for sentence in sentences)

    def _verdict(self, sentence: Sentence, corpus: Corpus) -> Verdict:
        whole = " ".join(item.text for item in corpus.items)
        label = self._rule(sentence.text, whole)
        failure = "timeout" if label is Label.NOT_AUDITED else ""
        return Verdict(
            sentence.id, label, "by rule", self.name, supporting=_quotes(corpus), failure=failure
        )


def _quotes(corpus: Corpus) -> tuple[Quote, ...]:
    if not corpus.items:
        return ()
    item = corpus.items[0]
    return (Quote(item.address, 0, len(item.text), item.text),)

"""How often an auditor changes its mind when nothing that matters has changed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from apg_engine.auditors.llm import POLISH_PROMPT, REWORDED_PROMPTS, ModelAuditor
from apg_engine.auditors.protocol import Auditor
from apg_engine.calibration.card import Flips
from apg_engine.journal import CallLedger
from apg_engine.records import Corpus, CorpusItem, ItemKind, Label, Sentence, SentenceKind
from apg_engine.segmentation.segments import segments_find

MOST_PROMPTS = 1 + len(REWORDED_PROMPTS)
# Of another world than any debate, and without a number, a date or a negation.
_FILLER = (
    "The lighthouse keeper polished the lamp and wrote a letter to his sister. "
    "A grey heron stood among the reeds and watched the ferry pass. "
    "The baker carried warm loaves through the square while the band tuned its instruments."
)
_FILLERS = 20


def stability_measure(
    auditor: Auditor,
    *,
    sentences: Sequence[Sentence],
    corpus: Corpus,
    repeat: int,
    prompts: int,
    dice: random.Random,
    calls: CallLedger,
) -> tuple[Flips, ...]:
    """Audit the same sentences again and again, and count verdicts that change their label.

    Every audit is held against the first. `repeat`: the same question. `order`: the evidence in
    another order, addresses kept. `padding`: foreign sentences before and behind the evidence.
    `prompt` and `language`, for a language model only: the question in other English words, and
    in Polish.

    Args:
        auditor: who is measured.
        sentences: of a draft; claims count.
        corpus: the debate.
        repeat: audits with the same question, the first one included.
        prompts: wordings of the question, the usual one included; at most `MOST_PROMPTS`.
        dice: shuffles the evidence.
        calls: keeps a model's calls.
    """
    claims = [sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM]
    first = _labels(auditor, claims, corpus, calls)

    def flips(what: str, others: Sequence[tuple[Auditor, Corpus]]) -> Flips:
        found = [_labels(judge, claims, seen, calls) for judge, seen in others]
        changed = sum(
            old != new for labels in found for old, new in zip(first, labels, strict=True)
        )
        return Flips(what, changed, len(found) * len(claims))

    counted = [
        flips("repeat", [(auditor, corpus)] * max(0, repeat - 1)),
        flips("order", [(auditor, _shuffled(corpus, dice))]),
        flips("padding", [(auditor, _padded(corpus))]),
    ]
    if isinstance(auditor, ModelAuditor):
        words = REWORDED_PROMPTS[: max(0, prompts - 1)]
        counted.append(flips("prompt", [(auditor.reworded(name), corpus) for name in words]))
        counted.append(flips("language", [(auditor.reworded(POLISH_PROMPT), corpus)]))
    return tuple(one for one in counted if one.n)


def _labels(
    auditor: Auditor, claims: Sequence[Sentence], corpus: Corpus, calls: CallLedger
) -> list[Label]:
    verdicts = auditor.audit(sentences=claims, corpus=corpus, calls=calls)
    by_id = {verdict.sentence_id: verdict.label for verdict in verdicts}
    return [by_id.get(claim.id, Label.NOT_AUDITED) for claim in claims]


def _shuffled(corpus: Corpus, dice: random.Random) -> Corpus:
    items = list(corpus.items)
    dice.shuffle(items)
    return replace(corpus, items=tuple(items))


def _padded(corpus: Corpus) -> Corpus:
    filler = list(_fillers(corpus))
    half = len(filler) // 2
    return replace(corpus, items=(*filler[:half], *corpus.items, *filler[half:]))


def _fillers(corpus: Corpus) -> Iterator[CorpusItem]:
    taken = {item.address for item in corpus.items}
    free = (f"A{n}" for n in range(len(taken) + 1, 3 * len(taken) + 3 * _FILLERS))
    addresses = [address for address in free if address not in taken][:_FILLERS]
    for address in addresses:
        yield CorpusItem(address, ItemKind.DOCUMENT, _FILLER, segments=segments_find(_FILLER))

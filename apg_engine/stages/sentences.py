"""The sentences of a draft, with ids and offsets, and which of them are claims."""

from __future__ import annotations

import re

from apg_engine.matching.index import words_in
from apg_engine.matching.spans import connective_cut
from apg_engine.records import BlockKind, Sentence, SentenceKind
from apg_engine.segmentation.segments import segments_find

_COURTESY = re.compile(
    r"^\W*(?:(?:many |my )?(?:thanks|thank you)\b|i (?:hope|trust) (?:this|that|it) helps\b"
    r"|(?:please )?(?:feel free|do not hesitate|don't hesitate)\b|let me know\b"
    r"|(?:best|kind) regards\b|sincerely\b|you(?:'|\u2019)re welcome\b|happy to help\b"
    r"|dziękuję\b|dziękujemy\b|mam nadzieję, że to pomoże\b|z poważaniem\b)",
    re.IGNORECASE,
)
_COURTESY_WORDS = 14
_LEAD_IN = re.compile(
    r"^\W*(?:(?:here|below) (?:is|are)|sure\b|certainly\b|of course\b|oto\b|poniżej\b)",
    re.IGNORECASE,
)
_LABEL_WORDS = 8
# A heading that decides something is a claim in a heading's clothes.
_ASSERTS = re.compile(
    r"\d|\b(?:is|are|was|were|has|have|will|shall|must|should|can|cannot|may|agrees?|agreed|"
    r"receives?|rejects?|accepts?|gets?|jest|są|musi|muszą|powin\w+|należy|będzie|otrzyma\w*)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+", re.UNICODE)
_LIST_NUMBER = re.compile(r"\(?\d{1,3}[.)]")


def draft_sentences(draft: str) -> tuple[Sentence, ...]:
    """List a draft's sentences with ids s1, s2, ..., claims and non-claims alike."""
    seen: dict[tuple[str, ...], str] = {}
    sentences: list[Sentence] = []
    for number, segment in enumerate(segments_find(draft), start=1):
        text = draft[segment.start : segment.end]
        kind = _kind_of(text, segment.block)
        key = _normal_form(text)
        first = seen.setdefault(key, f"s{number}") if kind is SentenceKind.CLAIM else f"s{number}"
        repeated = first != f"s{number}"
        sentences.append(
            Sentence(
                id=f"s{number}",
                text=text,
                start=segment.start,
                end=segment.end,
                kind=SentenceKind.DUPLICATE if repeated else kind,
                duplicate_of=first if repeated else "",
            )
        )
    return tuple(sentences)


def _normal_form(text: str) -> tuple[str, ...]:
    """What two sentences must share to be one: all but case, marks, light words, connectives."""
    words = words_in(connective_cut(text))
    return (
        (*words, "?") if words and text.rstrip("*_\"' ").endswith("?") else tuple(words) or (text,)
    )


def _kind_of(text: str, block: BlockKind) -> SentenceKind:
    words = len(_WORD.findall(text))
    if words == 0 or _LIST_NUMBER.fullmatch(text.strip("*_ ")):
        return SentenceKind.FRAGMENT
    if block in {BlockKind.HEADING, BlockKind.TABLE_HEAD} and not _is_claim_like(text, words):
        return SentenceKind.HEADING
    if _COURTESY.match(text) and words <= _COURTESY_WORDS and not re.search(r"\d", text):
        return SentenceKind.COURTESY
    return SentenceKind.LEAD_IN if _is_lead_in(text, words) else SentenceKind.CLAIM


def _is_lead_in(text: str, words: int) -> bool:
    if not text.rstrip("*_ ").endswith(":"):
        return False
    if _LEAD_IN.match(text):
        return words <= 2 * _LABEL_WORDS
    return words <= _LABEL_WORDS and not _ASSERTS.search(text)


def _is_claim_like(text: str, words: int) -> bool:
    if text.rstrip("*_ ").endswith((".", "!", "。")):
        return True
    return words > _LABEL_WORDS or bool(_ASSERTS.search(text))

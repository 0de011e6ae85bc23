"""One judgment from one reader of texts: a chat model, or rules in its place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from apg_engine.debates.answers import (
    choice_read,
    number_read,
    object_read,
    text_read,
    texts_read,
)
from apg_engine.debates.calls import Asking, DebateCalls, Question
from apg_engine.debates.material import Piece
from apg_engine.debates.records import AnswerStatus
from apg_engine.debates.voices import Voice
from apg_engine.evaluating.claims import Label
from apg_engine.evaluating.opinions import Vote
from apg_engine.evaluating.stance import Stance, StanceReader
from apg_engine.prompting import json_text, prompt_load
from apg_engine.segmentation.segments import segments_find

# A model that may only find one of two, and rules that cannot tell, say so by this word.
ABSTAIN: Final = "ABSTAIN"
_MOST_CITED, _MOST_REASON = 40, 4000
# Rules find nothing where no sentence speaks as strongly as this.
_LEAST: Final = 0.5
_PROMPT: Final = "evaluating/verdict"
_MEANING: Final = {
    2: f"{ABSTAIN} is for texts that do not bear on the claim at all.",
    3: f"{Label.NOT_ENOUGH} means that the texts neither support nor refute the claim; {ABSTAIN} "
    "is for texts you cannot read.",
}


class Advisor(Protocol):
    """Finds something about a claim in texts."""

    @property
    def name(self) -> str:
        """What a vote's `judge` says."""

    @property
    def offline(self) -> bool:
        """True where no model is asked."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What makes its answers, as JSON."""

    def advise(
        self,
        asking: Asking,
        calls: DebateCalls,
        *,
        claim: str,
        pieces: Sequence[Piece],
        labels: Sequence[Label],
    ) -> Vote:
        """Judge; what goes wrong is a vote without a label, with the reason as its status.

        Raises:
            ScopeSpentError: the budget does not hold the call.
        """


class ModelAdvisor:
    """A chat model asked for a finding, a confidence and the texts it rests on."""

    offline = False

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self.name = voice.model.name

    @property
    def identity(self) -> Mapping[str, Any]:
        """Model and settings."""
        voice = self._voice
        asked = prompt_load(_PROMPT).label
        return {**voice.model.identity, "temperature": voice.temperature, "prompt": asked}

    def advise(
        self,
        asking: Asking,
        calls: DebateCalls,
        *,
        claim: str,
        pieces: Sequence[Piece],
        labels: Sequence[Label],
    ) -> Vote:
        """Ask the model."""
        findings = [label.value for label in labels]
        question = Question(
            prompt_load(_PROMPT),
            {
                "claim": json_text(claim),
                "findings": ", ".join([*findings, ABSTAIN]),
                "meaning": _MEANING[len(labels)],
            },
            tuple(pieces),
            schema=_schema(findings),
        )
        answer, vote = calls.ask_read(
            asking, self._voice, question, lambda text: vote_read(text, self.name, labels)
        )
        return vote or Vote(self.name, None, answer.status.value)


class RuleAdvisor:
    """Reads every sentence's stance and takes the stronger side.

    Its confidence is that side's share of the two strongest stances.
    """

    offline = True

    def __init__(self, reader: StanceReader) -> None:
        self._reader = reader
        self.name = reader.name

    @property
    def identity(self) -> Mapping[str, Any]:
        """The reader and the least strength."""
        return {"kind": "rules", "name": self.name, "least": _LEAST}

    def advise(
        self,
        asking: Asking,
        calls: DebateCalls,
        *,
        claim: str,
        pieces: Sequence[Piece],
        labels: Sequence[Label],
    ) -> Vote:
        """Judge by the reader; the answer is journalled like a model's."""
        answer = calls.ask_rules(
            asking,
            self.name,
            facts={"claim": claim, "labels": [label.value for label in labels]},
            pieces=pieces,
            answer=lambda shown: json.dumps(self._finding(claim, shown, labels)),
        )
        if answer.status is not AnswerStatus.OK:
            return Vote(self.name, None, answer.status.value)
        return vote_read(answer.text, self.name, labels)

    def _finding(
        self, claim: str, shown: Sequence[Piece], labels: Sequence[Label]
    ) -> dict[str, Any]:
        read = stances_read(self._reader, claim, shown)
        best = max((one for _, _, one in read), key=lambda one: one.supports, default=Stance())
        worst = max((one for _, _, one in read), key=lambda one: one.refutes, default=Stance())
        supports, refutes = best.supports, worst.refutes
        stronger = max(supports, refutes)
        if stronger < _LEAST or supports == refutes:
            open_ = Label.NOT_ENOUGH.value if Label.NOT_ENOUGH in labels else ABSTAIN
            return _answer(open_, 1.0 - stronger, [])
        label = Label.SUPPORT if supports > refutes else Label.REFUTE
        cited = [piece.id for piece, _, one in read if stronger in (one.supports, one.refutes)]
        return _answer(label.value, stronger / (supports + refutes), list(dict.fromkeys(cited)))


def stances_read(
    reader: StanceReader, claim: str, pieces: Sequence[Piece]
) -> list[tuple[Piece, str, Stance]]:
    """Read every sentence of every piece."""
    sentences = [
        (piece, piece.text[segment.start : segment.end])
        for piece in pieces
        for segment in segments_find(piece.text)
    ]
    stances = reader.read(claim, [text for _, text in sentences])
    return [(piece, text, one) for (piece, text), one in zip(sentences, stances, strict=True)]


def vote_read(text: str, judge: str, labels: Sequence[Label]) -> Vote:
    """Read an answer.

    Raises:
        UnreadableAnswerError: it is not what was asked for.
    """
    data = object_read(text)
    found = choice_read(data, "finding", [*(label.value for label in labels), ABSTAIN])
    score = number_read(data, "confidence", least=0.0, most=1.0)
    texts_read(data, "cited", most=_MOST_CITED)
    text_read(data, "reason", most=_MOST_REASON, empty=True)
    if found == ABSTAIN:
        return Vote(judge, None, "abstained", score)
    return Vote(judge, Label(found), "voted", score)


def _answer(finding: str, confidence: float, cited: list[str]) -> dict[str, Any]:
    return {"finding": finding, "confidence": confidence, "cited": cited, "reason": ""}


def _schema(findings: Sequence[str]) -> dict[str, Any]:
    properties = {
        "finding": {"type": "string", "enum": [*findings, ABSTAIN]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "cited": {"type": "array", "items": {"type": "string"}},
        "reason": {"type": "string"},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }

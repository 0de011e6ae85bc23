"""A language model as auditor: it judges, code checks every answer and counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apg_engine.auditors.private import private_veto
from apg_engine.auditors.replies import Cited, Judged, Reading, reply_read
from apg_engine.auditors.vetoes_above import rule_veto
from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.evidence import (
    NO_ROOM,
    Evidence,
    evidence_fit,
    left_out_note,
    room_for,
)
from apg_engine.journal import CallLedger
from apg_engine.llm.calling import model_call
from apg_engine.llm.protocol import ChatModel
from apg_engine.matching.index import index_of
from apg_engine.matching.quotes import quote_locate
from apg_engine.prompting import (
    agents_json,
    audit_schema,
    json_lines,
    json_text,
    prompt_load,
)
from apg_engine.records import (
    Corpus,
    ItemKind,
    Label,
    Quote,
    Sentence,
    SentenceKind,
    Verdict,
)

AUDITOR_PROMPTS = ("audit",)
# The same question in other words, for measuring how much a model's verdicts hang on the words.
REWORDED_PROMPTS = ("audit_b", "audit_c")
POLISH_PROMPT = "audit_pl"
# After these a second question can help; after the others it would only cost.
_ASK_AGAIN = frozenset({CallStatus.OK, CallStatus.EMPTY, CallStatus.TRUNCATED})
_AGAIN = "Your last answer could not be used for these ids ({faults}). "


@dataclass(slots=True)
class _Findings:
    judged: dict[str, Judged] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    status: CallStatus = CallStatus.OK

    def take(self, reading: Reading, status: CallStatus) -> None:
        self.judged.update(reading.judged)
        self.faults = dict(reading.faults)
        self.status = status


class ModelAuditor:
    """One call for all sentences, one re-ask for those without a usable verdict."""

    offline = False

    def __init__(
        self,
        model: ChatModel,
        *,
        temperature: float,
        max_tokens: int,
        context_tokens: int = 0,
        prompt: str = "audit",
    ) -> None:
        self._prompt = prompt
        self._model = model
        self._temperature = temperature
        self._max_tokens = max_tokens
        self._context_tokens = context_tokens

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def identity(self) -> str:
        """Model and endpoint, prompt and settings."""
        prompts = [prompt_load(self._prompt).label]
        settings = [self._model.identity, self._temperature, self._max_tokens]
        settings += [self._context_tokens] if self._context_tokens else []
        return json.dumps([*settings, prompts], sort_keys=True)

    def reworded(self, prompt: str) -> ModelAuditor:
        """Give the same auditor with its question put in the words of another prompt file."""
        return ModelAuditor(
            self._model,
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            context_tokens=self._context_tokens,
            prompt=prompt,
        )

    def audit(
        self, *, sentences: Sequence[Sentence], corpus: Corpus, calls: CallLedger
    ) -> tuple[Verdict, ...]:
        """Judge every claim; one without a usable verdict after the re-ask is NOT_AUDITED."""
        claims = [sentence for sentence in sentences if sentence.kind is SentenceKind.CLAIM]
        draft = " ".join(sentence.text for sentence in sentences)
        findings = _Findings()
        self._ask(claims, draft, corpus, calls, findings)
        again = [claim for claim in claims if claim.id in findings.faults]
        if again and findings.status in _ASK_AGAIN:
            self._ask(again, draft, corpus, calls, findings)
        return tuple(self._verdict(claim, corpus, findings) for claim in claims)

    def _ask(
        self,
        claims: Sequence[Sentence],
        draft: str,
        corpus: Corpus,
        calls: CallLedger,
        findings: _Findings,
    ) -> None:
        faults = "; ".join(sorted(set(findings.faults.values())))
        slots = {
            "agents": agents_json(corpus),
            "draft": json_text(draft),
            "sentences": json_lines({"id": claim.id, "text": claim.text} for claim in claims),
            "again": _AGAIN.format(faults=faults) if faults else "",
            "ids": ", ".join(claim.id for claim in claims),
        }
        evidence = self._evidence(corpus, slots, [claim.text for claim in claims])
        if not evidence.lines:
            reply = ChatReply(CallStatus.CONTEXT_OVERFLOW, detail=NO_ROOM)
        else:
            left_out_note(calls, "auditor", evidence)
            request = self._request(slots | {"evidence": evidence.lines})
            reply = model_call(self._model, request, role="auditor", calls=calls)
        findings.take(_read(reply, claims), reply.status)

    def _request(self, slots: Mapping[str, str]) -> ChatRequest:
        return ChatRequest(
            messages=prompt_load(self._prompt).messages(**slots),
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            schema=audit_schema(),
            schema_name="audit_reply",
        )

    def _verdict(self, claim: Sentence, corpus: Corpus, findings: _Findings) -> Verdict:
        judged = findings.judged.get(claim.id)
        if judged is None:
            return Verdict(
                sentence_id=claim.id,
                label=Label.NOT_AUDITED,
                reason=findings.faults.get(claim.id, "no verdict"),
                decided_by=self.name,
                failure=_failure(findings.status),
            )
        index = index_of(corpus)
        checked = _checked(judged, corpus, decided_by=self.name)
        return private_veto(index, claim) or rule_veto(index, claim, checked)

    def _evidence(self, corpus: Corpus, slots: Mapping[str, str], about: list[str]) -> Evidence:
        others = prompt_load(self._prompt).messages(**slots, evidence="")
        room = room_for(
            self._context_tokens,
            reply_tokens=self._max_tokens,
            others=sum(len(message.content) for message in others),
        )
        return evidence_fit(corpus, room=room, about=about)


def _read(reply: ChatReply, claims: Sequence[Sentence]) -> Reading:
    asked = [claim.id for claim in claims]
    if reply.status in {CallStatus.OK, CallStatus.TRUNCATED}:
        return reply_read(reply.text, asked)
    fault = reply.detail or f"the call ended as {reply.status.value}"
    return Reading({}, dict.fromkeys(asked, fault), ())


def _failure(status: CallStatus) -> str:
    return "unparsed" if status is CallStatus.OK else status.value


def _checked(judged: Judged, corpus: Corpus, *, decided_by: str) -> Verdict:
    """Verify the quotes; `supported` without one that is really there does not count."""
    supporting = _located(judged.evidence_for, corpus)
    opposing = _located(judged.evidence_against, corpus)
    label, reason = Label(judged.verdict), judged.reason
    if label is Label.SUPPORTED and not supporting:
        label = Label.NOT_ENOUGH_INFORMATION
        reason = "called supported, but none of its quotes stands at the address it names"
    return Verdict(
        sentence_id=judged.sentence_id,
        label=label,
        reason=reason,
        decided_by=decided_by,
        supporting=supporting,
        opposing=opposing,
        asserts=_speakers(supporting, corpus),
        denies=_speakers(opposing, corpus),
    )


def _located(cited: Sequence[Cited], corpus: Corpus) -> tuple[Quote, ...]:
    found = (quote_locate(corpus, one.address, one.quote) for one in cited)
    return tuple(dict.fromkeys(quote for quote in found if quote is not None))


def _speakers(quotes: Sequence[Quote], corpus: Corpus) -> tuple[str, ...]:
    items = (corpus.item(quote.address) for quote in quotes)
    speakers = (item.speaker for item in items if item and item.kind is ItemKind.TURN)
    return tuple(dict.fromkeys(speakers))

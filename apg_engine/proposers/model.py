"""A language model as proposer, under a consensus prompt without another mode."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from apg_engine.calls import CallStatus, ChatReply, ChatRequest
from apg_engine.evidence import NO_ROOM, Evidence, evidence_fit, left_out_note, room_for
from apg_engine.journal import CallLedger
from apg_engine.llm.calling import model_call
from apg_engine.llm.protocol import ChatModel
from apg_engine.prompting import (
    LANGUAGES,
    Prompt,
    agents_json,
    json_lines,
    json_text,
    prompt_load,
)
from apg_engine.proposers.protocol import Proposal

PROPOSER_PROMPTS = ("propose", "repair")
_REFUSAL = re.compile(
    r"\W*(?:I(?:'|\u2019)m sorry|I am sorry|Sorry|I apologi[sz]e|I (?:cannot|can(?:'|\u2019)t) "
    r"(?:help|assist|comply|provide|fulfil|do|answer|write|create)|As an AI\b|"
    r"Unfortunately, I (?:cannot|can(?:'|\u2019)t|am unable)|"
    r"Przepraszam|Nie mogę (?:pomóc|spełnić))",
    re.IGNORECASE,
)
_LONGEST_REFUSAL = 600


class ModelProposer:
    """Asks a chat model for a draft, with the whole corpus in the prompt."""

    offline = False

    def __init__(
        self, model: ChatModel, *, temperature: float, max_tokens: int, context_tokens: int = 0
    ) -> None:
        self._model = model
        self._temperature = temperature
        self._max_tokens = max_tokens
        self._context_tokens = context_tokens

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def propose(self, proposal: Proposal, calls: CallLedger) -> ChatReply:
        """Write a first draft or a repair; an apology instead of a draft is a refusal."""
        prompt = prompt_load("repair" if proposal.previous_draft else "propose")
        slots = self._slots(proposal)
        evidence = self._evidence(proposal, prompt, slots)
        if not evidence.lines:
            return ChatReply(CallStatus.CONTEXT_OVERFLOW, detail=NO_ROOM)
        left_out_note(calls, "proposer", evidence)
        request = ChatRequest(
            messages=prompt.messages(**slots, evidence=evidence.lines),
            temperature=self._temperature,
            max_tokens=self._max_tokens,
        )
        reply = model_call(self._model, request, role="proposer", calls=calls)
        if reply.status is CallStatus.OK and _is_refusal(reply.text):
            return replace(reply, status=CallStatus.REFUSED, detail=reply.text[:200])
        return reply

    def _slots(self, proposal: Proposal) -> dict[str, str]:
        rows = [
            {"id": refusal.sentence_id, "text": refusal.sentence, "why": refusal.reason}
            for refusal in proposal.refused
        ]
        return {
            "language": LANGUAGES[proposal.language],
            "question": json_text(proposal.corpus.question),
            "agents": agents_json(proposal.corpus),
            "draft": json_text(proposal.previous_draft),
            "refused": json_lines(rows),
        }

    def _evidence(self, proposal: Proposal, prompt: Prompt, slots: Mapping[str, str]) -> Evidence:
        others = prompt.messages(**slots, evidence="")
        room = room_for(
            self._context_tokens,
            reply_tokens=self._max_tokens,
            others=sum(len(message.content) for message in others),
        )
        about = [proposal.corpus.question, *(one.sentence for one in proposal.refused)]
        return evidence_fit(proposal.corpus, room=room, about=about)


def _is_refusal(text: str) -> bool:
    return len(text) <= _LONGEST_REFUSAL and bool(_REFUSAL.match(text))

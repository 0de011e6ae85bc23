"""Any OpenAI-compatible endpoint through the `openai` SDK; retries are ours and recorded."""

from __future__ import annotations

import random
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import httpx2
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    DefaultHttpxClient,
    OpenAI,
)
from tenacity import RetryCallState, Retrying, retry_if_exception_type

from apg_engine.calls import Attempt, CallStatus, ChatReply, ChatRequest, Usage
from apg_engine.config import ModelSpec
from apg_engine.llm.endpoint_pace import EndpointPaces
from apg_engine.llm.error_bodies import body_told, error_told
from apg_engine.llm.server_errors import (
    Fault,
    Remedy,
    fault_of_body,
    fault_of_connection,
    fault_of_status,
)
from apg_engine.llm.server_replies import Answer, answer_read
from apg_engine.llm.time_limit import TimeLimit

DEFAULT_URL = "https://api.openai.com/v1"
_FIRST_WAIT = 1.0
_LONGEST_WAIT = 60.0
# A placeholder key is a common word; only real ones are looked for in messages.
_LEAST_KEY = 8
_LONGEST_BODY = 50_000_000
# No tokeniser packs a prompt into fewer tokens than one for this many characters.
_CHARACTERS_PER_TOKEN = 12
_LEAST_CHECKED = 6_000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Clock (seconds, monotonic), sleep and dice, handed in so that a run can be repeated.

    `paces` is shared by all callers that are to heed what an endpoint told one of them.
    """

    clock: Callable[[], float]
    sleep: Callable[[float], None]
    dice: random.Random
    paces: EndpointPaces = field(default_factory=EndpointPaces)


class OpenAIModel:
    """Answers through an endpoint. The key is used and never recorded or shown."""

    def __init__(self, spec: ModelSpec, *, key: str, surroundings: Surroundings) -> None:
        self._spec = spec
        self._key = key
        self._around = surroundings

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._spec.name

    @property
    def identity(self) -> dict[str, Any]:
        """Name and address, without the key."""
        url = self._spec.base_url or DEFAULT_URL
        return {"kind": "openai", "name": self._spec.name, "base_url": url}

    def complete(self, request: ChatRequest, *, ordinal: int) -> ChatReply:
        """Answer one request; whatever the server does ends as a typed status."""
        started, limit = self._around.clock(), TimeLimit()
        hooks = {"request": [limit.watch]}
        # A client per call: one made before a fork would be shared by the children.
        with OpenAI(
            api_key=self._key,
            base_url=self._spec.base_url or DEFAULT_URL,
            max_retries=0,
            http_client=DefaultHttpxClient(verify=_certificates(), event_hooks=hooks),
        ) as client:
            reply = _Call(self._spec, self._key, self._around, request, client, limit).run()
        return replace(reply, seconds=round(self._around.clock() - started, 3))


@cache
def _certificates() -> ssl.SSLContext:
    """Reading the certificates takes a tenth of a second; they are the same for every call."""
    return httpx2.create_ssl_context()


class _TryAgainError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


class _Call:
    """One call with all its tries. What a server refuses is left out from the next try on."""

    def __init__(
        self,
        spec: ModelSpec,
        key: str,
        around: Surroundings,
        request: ChatRequest,
        client: OpenAI,
        limit: TimeLimit,
    ) -> None:
        self._spec, self._key, self._around, self._request = spec, key, around, request
        self._client, self._limit = client, limit
        self._ends_at = around.clock() + spec.deadline_seconds
        self._changes: set[Remedy] = set()
        self._attempts: list[Attempt] = []
        self._cut: Answer | None = None

    def run(self) -> ChatReply:
        retrying = Retrying(
            stop=self._is_over,
            wait=self._wait,
            retry=retry_if_exception_type(_TryAgainError),
            sleep=self._around.sleep,
            reraise=True,
        )
        try:
            reply: ChatReply = retrying(self._try)
        except _TryAgainError as last:
            reply = self._given_up(last.fault)
        return replace(reply, attempts=tuple(self._attempts))

    def _given_up(self, fault: Fault) -> ChatReply:
        if self._cut is not None:
            return _reply(self._cut)
        return ChatReply(fault.status, detail=self._clean(fault.detail))

    def _try(self) -> ChatReply:
        number = len(self._attempts) + 1
        try:
            answer = self._answer()
        except _TryAgainError as error:
            self._note(number, error.fault)
            if error.fault.remedy is Remedy.NONE:
                return self._given_up(error.fault)
            self._changes.add(error.fault.remedy)
            raise
        note = ", ".join(sorted(self._changes - {Remedy.WAIT}))
        self._attempts.append(Attempt(number, answer.status.value, 200, note=note))
        return _reply(answer)

    def _note(self, number: int, fault: Fault) -> None:
        note = "; ".join(part for part in (fault.note, self._clean(fault.detail)) if part)
        self._attempts.append(Attempt(number, fault.status.value, fault.http_status, note=note))

    def _answer(self) -> Answer:
        body = self._send()
        answer = answer_read(body)
        if answer is None:
            raise _TryAgainError(self._once(fault_of_body(*self._told(body))))
        if answer.status is CallStatus.TRUNCATED and Remedy.MORE_TOKENS not in self._changes:
            # A retry with the same limit is cut at the same place; thinking models spend it all.
            self._cut = answer
            raise _TryAgainError(Fault(answer.status, Remedy.MORE_TOKENS, answer.detail, 200))
        if answer.status is CallStatus.OK and self._was_prompt_cut(answer.usage):
            return replace(answer, status=CallStatus.PROMPT_CUT, detail=_PROMPT_CUT)
        return answer

    def _was_prompt_cut(self, usage: Usage) -> bool:
        sent = sum(len(message.content) for message in self._request.messages)
        if usage.prompt_tokens is None or sent < _LEAST_CHECKED:
            return False
        return usage.prompt_tokens * _CHARACTERS_PER_TOKEN < sent

    def _send(self) -> bytes:
        endpoint, around = self._spec.base_url, self._around
        around.paces.take(endpoint, until=self._ends_at, clock=around.clock, sleep=around.sleep)
        try:
            body = self._exchange()
        except _FAULTS as error:
            fault = self._fault(error)
        else:
            around.paces.ease(endpoint, now=around.clock())
            return body
        if fault.retry_after is not None:
            around.paces.slow(endpoint, fault.retry_after, now=around.clock())
        raise _TryAgainError(self._once(fault))

    def _once(self, fault: Fault) -> Fault:
        """A change that was made already and did not help is not made again."""
        repeated = fault.remedy is not Remedy.WAIT and fault.remedy in self._changes
        return replace(fault, remedy=Remedy.NONE) if repeated else fault

    def _exchange(self) -> bytes:
        left = self._ends_at - self._around.clock()
        timeout = max(0.05, min(self._spec.timeout_seconds, left))
        create: Any = self._client.chat.completions.with_streaming_response.create
        with self._limit.of(timeout), create(**self._body(), timeout=timeout) as response:
            return _body_bytes(response)

    def _fault(self, error: APIError | httpx2.HTTPError) -> Fault:
        if self._limit.has_cut:
            late = "timed out: the answer came too slowly"
            return fault_of_connection(late, timed_out=True, was_connected=True)
        return _fault(error, clean=self._clean)

    def _told(self, body: bytes) -> tuple[str, int | None]:
        told, http_status = body_told(body)
        return self._clean(told), http_status

    def _body(self) -> dict[str, Any]:
        request = self._request
        other_field = Remedy.OTHER_LIMIT_FIELD in self._changes
        limit = request.max_tokens * (2 if Remedy.MORE_TOKENS in self._changes else 1)
        body: dict[str, Any] = {
            "model": self._spec.name,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "max_completion_tokens" if other_field else "max_tokens": limit,
        }
        if Remedy.WITHOUT_TEMPERATURE not in self._changes:
            body["temperature"] = request.temperature
        if request.schema is not None and Remedy.WITHOUT_SCHEMA not in self._changes:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": request.schema_name,
                    "strict": True,
                    "schema": request.schema,
                },
            }
        return body

    def _is_over(self, state: RetryCallState) -> bool:
        return (
            len(self._attempts) >= self._spec.attempts
            or self._around.clock() + state.upcoming_sleep >= self._ends_at
        )

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, _TryAgainError) or error.fault.remedy is not Remedy.WAIT:
            return 0.0
        # Jitter on top, so that workers that were told the same time do not come back as one.
        if error.fault.retry_after is not None:
            seconds = error.fault.retry_after * (1 + 0.1 * self._around.dice.random())
        else:
            grown = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (len(self._attempts) - 1))
            seconds = grown * (0.5 + 0.5 * self._around.dice.random())
        self._attempts[-1] = replace(self._attempts[-1], waited_seconds=round(seconds, 3))
        return seconds

    def _clean(self, text: str) -> str:
        return text.replace(self._key, "[key]") if len(self._key) >= _LEAST_KEY else text


_FAULTS = (APIError, httpx2.HTTPError)


def _body_bytes(response: Any) -> bytes:
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if len(body) > _LONGEST_BODY:
            raise httpx2.ReadError("the answer is too long")
    return bytes(body)


def _fault(error: APIError | httpx2.HTTPError, *, clean: Callable[[str], str]) -> Fault:
    """Read a failed exchange; words are cleaned before they are cut, so that no half key stays."""
    if isinstance(error, APIStatusError):
        headers = {name.lower(): value for name, value in error.response.headers.items()}
        return fault_of_status(error.status_code, clean(error_told(error.body)), headers)
    if isinstance(error, APITimeoutError):
        return fault_of_connection(str(error), timed_out=True, was_connected=True)
    if isinstance(error, APIConnectionError):
        reached = not isinstance(error.__cause__, httpx2.ConnectError)
        message = f"connection failed: {error.__cause__ or error}"
        return fault_of_connection(message, timed_out=False, was_connected=reached)
    if isinstance(error, httpx2.TimeoutException):
        return fault_of_connection(f"timed out: {error}", timed_out=True, was_connected=True)
    message = f"connection lost: {error}" if isinstance(error, httpx2.HTTPError) else str(error)
    return fault_of_connection(message, timed_out=False, was_connected=True)


_PROMPT_CUT = "the server counted far fewer prompt tokens than were sent, so it cut the prompt"


def _reply(answer: Answer) -> ChatReply:
    return ChatReply(answer.status, text=answer.text, usage=answer.usage, detail=answer.detail)

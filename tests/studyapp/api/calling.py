"""A program that asks the API with a token, as one would with curl."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.utils import timezone

from studyapp.domain.api_scopes import SCOPES
from studyapp.domain.permissions import Action
from studyapp.services.api_access import api_token_create

ROOT = "/api/v1"


@dataclass(frozen=True)
class Caller:
    """A program with one token."""

    secret: str
    token_id: int = 0
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def get(self, path: str, **headers: str) -> Any:
        """Ask."""
        return self.client.get(f"{ROOT}{path}", headers=self._headers(headers))

    def post(self, path: str, body: object = None, *, key: str = "", **headers: str) -> Any:
        """Have something done."""
        sent = body if isinstance(body, str) else json.dumps({} if body is None else body)
        headers = self._headers(headers) | ({"Idempotency-Key": key} if key else {})
        return self.client.post(
            f"{ROOT}{path}", sent, content_type="application/json", headers=headers
        )

    def ask(self, method: str, path: str) -> Any:
        """Ask by any method."""
        return self.client.generic(method, f"{ROOT}{path}", headers=self._headers({}))

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}", **more} if self.secret else more


def caller_of(user_id: int | None, scopes: Sequence[Action] = SCOPES) -> Caller:
    """Make a token for somebody and return a program that has it."""
    made = api_token_create(
        user_id=user_id or 0, name="test", scopes=scopes, days=30, now=timezone.now()
    )
    return Caller(made.secret, made.id)


def problem_of(response: Any, status: int) -> dict[str, Any]:
    """Return an error, which must have the one shape that all have."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    data: dict[str, Any] = json.loads(response.content)
    assert set(data) - {"problems"} == {"type", "title", "status", "detail", "code"}
    assert data["status"] == status
    return data

"""Idempotency keys: a POST that is sent again with its key is answered again and not done again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp.api.base import ApiView
from studyapp.domain.digest import json_sha256
from studyapp.services.api_access import KeptAnswer, request_once

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
_KEY: Final = re.compile(r"[!-~]{1,255}")

Handler = Callable[..., Response]


def once(handler: Handler) -> Handler:
    """Have a method that changes something take an idempotency key."""

    @wraps(handler)
    def answered(self: ApiView, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return handler(self, request, *args, **kwargs)
        kept = request_once(
            token_id=self.access.token_id,
            key=_checked(key),
            request_sha256=_digest(request),
            now=timezone.now(),
            act=lambda: _kept(handler(self, request, *args, **kwargs)),
        )
        return _response(kept)

    return answered


def _checked(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValidationError({HEADER: ["allowed are 1 to 255 visible ASCII characters"]})
    return key


def _digest(request: Request) -> str:
    return json_sha256([request.method, request.get_full_path(), request.data])


def _kept(response: Response) -> KeptAnswer:
    """Take the answer as it will be sent, without types that JSON does not have."""
    data = json.loads(JSONRenderer().render(response.data) or b"null")
    return KeptAnswer(response.status_code, data, response.get("Location", ""))


def _response(kept: KeptAnswer) -> Response:
    headers = {"Location": kept.location} if kept.location else {}
    headers |= {REPLAYED: "true"} if kept.is_replay else {}
    return Response(kept.answer, status=kept.status, headers=headers)

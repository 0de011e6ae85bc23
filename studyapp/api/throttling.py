"""How often a token may ask."""

from __future__ import annotations

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from studyapp.selectors.api_access import ApiAccess


class TokenThrottle(SimpleRateThrottle):
    """Counts requests by token in the site's cache; who has no token is answered by 401 before."""

    scope = "token"

    def get_rate(self) -> str:
        """Return how many requests are let through in which time."""
        return str(settings.API_RATE)

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return under which name a token is counted."""
        if not isinstance(request.auth, ApiAccess):
            return None
        return f"api-throttle-{request.auth.token_id}"

"""What the OpenAPI document says beside the operations: the token, the errors, the keys."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from studyapp.api.once import HEADER
from studyapp.api.problems import PROBLEM_TYPE, Problem

ID_PARAMETER: Final = OpenApiParameter("id", OpenApiTypes.INT64, OpenApiParameter.PATH)
_KEY_PARAMETER: Final = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="The same key with the same request is done once, for 24 hours.",
)
_ALWAYS: Final = (400, 401, 403, 404, 406, 429)
_WITH_BODY: Final = (409, 413, 415, 422)
# The arm key may be sealed again by the time somebody comes for the file.
_CONFLICTS: Final = frozenset({"export_download"})
_MEANINGS: Final = {
    400: "The query or the body is not allowed.",
    401: "No token, or one that is unknown, expired or revoked.",
    403: "Your role in this study, or the token, does not allow this.",
    404: "Not there, or not yours to know of.",
    406: "It is not given in any type that was asked for.",
    409: "What there is stands against it; see `code`.",
    413: "The body is too large.",
    415: "The body is no JSON.",
    422: "The idempotency key came with another request before.",
    429: "Too many requests; `Retry-After` says how long to wait.",
}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A token in the header `Authorization`."""

    target_class = "studyapp.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme."""
        return {"type": "http", "scheme": "bearer"}


class ApiSchema(AutoSchema):
    """Adds the errors and, where something is changed, the idempotency key."""

    def get_tags(self) -> list[str]:
        """Group operations by the noun of their name."""
        return [self.get_operation_id().partition("_")[0]]

    def get_override_parameters(self) -> list[Any]:
        """Add the key to what changes something."""
        return [_KEY_PARAMETER] if self.method == "POST" else []

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        for status in self._problems():
            answer = OpenApiResponse(Problem, _MEANINGS[status])
            bodies[str(status)] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                answer, str(status), [PROBLEM_TYPE], direction
            )
        return bodies

    def _problems(self) -> tuple[int, ...]:
        if self.method == "POST":
            return tuple(sorted({*_ALWAYS, *_WITH_BODY}))
        return (*_ALWAYS, 409) if self.get_operation_id() in _CONFLICTS else _ALWAYS

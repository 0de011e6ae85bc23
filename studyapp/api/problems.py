"""Every error in one shape: RFC 9457, as application/problem+json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, JsonResponse
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from studyapp import errors

PROBLEM_TYPE: Final = "application/problem+json"


class ProblemError(serializers.Serializer[Any]):
    """One value that was refused."""

    field = serializers.CharField(help_text="Where it stood in the body or the query.")
    detail = serializers.CharField()


class Problem(serializers.Serializer[Any]):
    """An error as RFC 9457 has it, with a `code` for programs and the fields that were refused."""

    type = serializers.CharField(help_text="Always about:blank; `code` tells errors apart.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    problems = ProblemError(many=True, required=False)


class TooLarge(exceptions.APIException):
    """A body is larger than what is taken."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is too large."
    default_code = "too_large"


# The first that fits counts. What stands in the way of a right request is a conflict; what is wrong
# with the request itself is its sender's mistake.
_REFUSALS: Final[tuple[tuple[type[errors.StudyAppError], int, str], ...]] = (
    (errors.RoleRefusedError, HTTPStatus.FORBIDDEN, "role_refused"),
    (errors.KeyReusedError, HTTPStatus.UNPROCESSABLE_ENTITY, "idempotency_key_reused"),
    (errors.ArmKeySealedError, HTTPStatus.CONFLICT, "arm_key_sealed"),
    (errors.FrozenError, HTTPStatus.CONFLICT, "frozen"),
    (errors.StudyExistsError, HTTPStatus.CONFLICT, "study_exists"),
    (errors.StudyNotReadyError, HTTPStatus.CONFLICT, "study_not_ready"),
    (errors.NoContrastError, HTTPStatus.CONFLICT, "no_contrast"),
    (errors.IllegalMoveError, HTTPStatus.CONFLICT, "illegal_move"),
    (errors.DebateError, HTTPStatus.CONFLICT, "debate_refused"),
    (errors.EntryRefusedError, HTTPStatus.CONFLICT, "entry_refused"),
    (errors.CohortError, HTTPStatus.CONFLICT, "cohort_refused"),
    (errors.ExportError, HTTPStatus.BAD_REQUEST, "export_refused"),
    (errors.StudyAppError, HTTPStatus.BAD_REQUEST, "refused"),
)


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an error of an operation; one that nobody foresaw goes on to the site's handler."""
    if isinstance(error, errors.StudyAppError):
        status, code = next(row[1:] for row in _REFUSALS if isinstance(error, row[0]))
        return _response(problem(status, str(error), code))
    if isinstance(error, RequestDataTooBig):
        error = TooLarge()
    answered = exception_handler(_as_api(error), dict(context))
    if answered is None:
        return None
    data = _told(_as_api(error), int(answered.status_code))
    headers = {key: value for key, value in answered.items() if key != "Content-Type"}
    return _response(data, headers)


def problem(status: int, detail: str, code: str, **more: Any) -> dict[str, Any]:
    """Return an error as RFC 9457 has it."""
    title = HTTPStatus(status).phrase
    return {
        "type": "about:blank",
        "title": title,
        "status": int(status),
        "detail": detail,
        "code": code,
        **more,
    }


def problem_page(status: int, code: str) -> JsonResponse:
    """Answer an error that came before, or in spite of, an operation."""
    status = HTTPStatus(status)
    data = problem(status, f"{status.phrase}.", code)
    return JsonResponse(data, status=status, content_type=PROBLEM_TYPE)


def _as_api(error: Exception) -> Exception:
    if isinstance(error, Http404):
        return exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    return error


def _told(error: Exception, status: int) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        found = list(_flat(error.detail, ""))
        detail = "; ".join(f"{row['field']}: {row['detail']}" for row in found)
        return problem(status, detail, "invalid", problems=found)
    if isinstance(error, exceptions.APIException):
        codes = error.get_codes()
        return problem(status, str(error.detail), codes if isinstance(codes, str) else "error")
    return problem(status, HTTPStatus(status).phrase, "error")


def _flat(detail: Any, place: str) -> Iterator[dict[str, str]]:
    """Yield each refused value with the way to it."""
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            inner = place if key == "non_field_errors" else f"{place}.{key}".lstrip(".")
            yield from _flat(value, inner)
    elif isinstance(detail, list):
        for number, value in enumerate(detail):
            is_row = isinstance(value, Mapping | list)
            yield from _flat(value, f"{place}[{number}]" if is_row else place)
    else:
        yield {"field": place or "body", "detail": str(detail)}


def _response(data: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    return Response(data, status=data["status"], headers=headers, content_type=PROBLEM_TYPE)

"""Lists in pages: `?page=2&page_size=100`."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from studyapp.api.fields import StrictQuery
from studyapp.selectors.rows import Rows


class PageQuery(StrictQuery):
    """Which page of a list."""

    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=200, default=50)


def order_field(*names: str) -> serializers.ChoiceField:
    """Return the query's field that says in which order; the first is the usual one."""
    backwards = [name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in names]
    return serializers.ChoiceField(choices=[*names, *backwards], default=names[0])


def page_answer(
    request: Request,
    rows: Rows[Any],
    row_class: type[serializers.Serializer[Any]],
    **context: Any,
) -> Response:
    """Answer one page of `rows`; a page past the end is empty.

    Raises:
        ValidationError: the page or its size is no number that is allowed.
    """
    query = PageQuery(data=request.query_params.dict())
    query.is_valid(raise_exception=True)
    page, size = query.validated_data["page"], query.validated_data["page_size"]
    count, shown = len(rows), rows.part((page - 1) * size, page * size)
    data = row_class(shown, many=True, context={"request": request, **context}).data
    return Response(
        {
            "count": count,
            "page": page,
            "page_size": size,
            "next": _link(request, page + 1) if page * size < count else None,
            "previous": _link(request, page - 1) if page > 1 else None,
            "results": data,
        }
    )


def paged(row_class: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """Return what a page of such rows looks like, for the document."""
    fields = {
        "count": serializers.IntegerField(help_text="Rows on all pages."),
        "page": serializers.IntegerField(),
        "page_size": serializers.IntegerField(),
        "next": serializers.CharField(allow_null=True, help_text="Address of the next page."),
        "previous": serializers.CharField(allow_null=True),
        "results": row_class(many=True),
    }
    return type(f"{row_class.__name__}Page", (serializers.Serializer,), fields)


def _link(request: Request, page: int) -> str:
    query = request.query_params.copy()
    query["page"] = str(page)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")

"""The operators' administration: Django's, in the theme `unfold`, with a policy of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from csp.decorators import csp_update
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from unfold.sites import UnfoldAdminSite

# The theme's menus are expressions in attributes, which its Alpine.js evaluates. No script of
# another place and none that stands in a page may run here either.
_POLICY: Final = {"script-src": ["'unsafe-eval'"]}

View = Callable[..., HttpResponseBase]


class OperatorSite(UnfoldAdminSite):
    """The administration for operators of the site."""

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Leave out the colours that the theme writes into pages: static/operators.css has them."""
        context: dict[str, Any] = super().each_context(request)
        return {**context, "colors": None}

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # noqa: FBT001, FBT002 - Django's
        """Serve a page under the theme's policy."""
        return csp_update(_POLICY)(super().admin_view(view, cacheable))

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        """Serve the login under it too."""
        themed: View = csp_update(_POLICY)(super().login)
        return themed(request, extra_context)


class OperatorAdminConfig(AdminConfig):
    """Django's admin with this site in place of its own."""

    default_site = "studyapp.operator_site.OperatorSite"

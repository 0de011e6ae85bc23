"""Which page answers which address."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.i18n import set_language

from studyapp.api import missing
from studyapp.pages import refusals
from studyapp.pages.health import healthz, readyz, worker_readyz
from studyapp.pages.home import home
from studyapp.pages.metrics import metrics

urlpatterns = [
    path("", home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("readyz/worker", worker_readyz, name="worker-readyz"),
    path("metrics", metrics, name="metrics"),
    path("language", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("studyapp.api.urls")),
    path("api/<path:rest>", missing.MissingView.as_view()),
    path("", include("studyapp.pages.participant_urls")),
    path("", include("studyapp.pages.researcher_urls")),
]

# Of the API's addresses in the API's shape, of all others as pages.
handler400 = "studyapp.urls.bad_request"
handler404 = "studyapp.api.missing.page_not_found"
handler500 = "studyapp.api.missing.server_error"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be read."""
    if missing.is_of_api(request):
        return missing.bad_request()
    return refusals.bad_request(request, exception)

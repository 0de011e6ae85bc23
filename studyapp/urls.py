"""Which page answers which address."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

from studyapp.api.missing import MissingView
from studyapp.pages.health import healthz
from studyapp.pages.home import home

handler400 = "studyapp.pages.refusals.bad_request"
urlpatterns = [
    path("", home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("language", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("studyapp.api.urls")),
    path("api/<path:rest>", MissingView.as_view()),
    path("", include("studyapp.pages.participant_urls")),
    path("", include("studyapp.pages.researcher_urls")),
]

# Of the API's addresses in the API's shape, of all others as pages.
handler400 = "studyapp.api.missing.bad_request"
handler404 = "studyapp.api.missing.page_not_found"
handler500 = "studyapp.api.missing.server_error"

"""Which page answers which address."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from studyapp.pages.health import healthz
from studyapp.pages.home import home

urlpatterns = [
    path("", home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("", include("studyapp.pages.participant_urls")),
    path("", include("studyapp.pages.researcher_urls")),
]

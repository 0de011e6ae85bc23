"""The site's own settings, with one more view to measure the machine by; for `serve` alone."""

from __future__ import annotations

from studyapp.settings import *  # noqa: F403 - all of them, as the site runs
from studyapp.settings import MIDDLEWARE as _MIDDLEWARE

ROOT_URLCONF = "benchmarks.serve_urls"
MIDDLEWARE = ["benchmarks.serve_urls.CountingMiddleware", *_MIDDLEWARE]

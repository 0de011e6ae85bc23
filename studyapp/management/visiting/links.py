"""The links by which programs come into a cohort: always its test lane, always marked as bots."""

from __future__ import annotations

from collections.abc import Callable

from django.urls import reverse

from studyapp.models import Cohort
from studyapp.selectors.previews import PREVIEW, preview_sign


def links_of(cohort: Cohort) -> Callable[[int], str]:
    """Return what gives the link of a cohort's next program."""
    path = reverse("join", kwargs={"cohort": cohort.token})
    link = f"{path}?{PREVIEW}={preview_sign(cohort.token, is_bot=True)}"
    return lambda _number: link

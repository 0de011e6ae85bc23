"""The one Django app of the site."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StudyAppConfig(AppConfig):
    """Studies, participants, stimuli and answers."""

    name = "studyapp"
    verbose_name = _("Studies")
    default_auto_field = "django.db.models.BigAutoField"

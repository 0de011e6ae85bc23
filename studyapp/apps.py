"""The one Django app of the site."""

from __future__ import annotations

from django.apps import AppConfig


class StudyAppConfig(AppConfig):
    """Studies, participants, stimuli and answers."""

    name = "studyapp"
    default_auto_field = "django.db.models.BigAutoField"

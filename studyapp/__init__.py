"""The Django site: studies, participants, stimuli and answers."""

from studyapp.celery import app as celery_app

__all__ = ["celery_app"]

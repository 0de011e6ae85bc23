"""The base of rows that are written once."""

from __future__ import annotations

from typing import Any

from django.db import models

from studyapp.errors import FrozenError


class FrozenModel(models.Model):
    """A row that can be inserted and never changed afterwards."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row.

        Raises:
            FrozenError: the row is already stored.
        """
        if not self._state.adding:
            raise FrozenError(f"{self._meta.verbose_name} {self.pk} is stored and cannot change")
        super().save(*args, **kwargs)

"""Studies, their parts and their log, with the export."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Final

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.admin import TabularInline

from studyapp.admin.read_only import ReadOnlyAdmin
from studyapp.errors import ExportError
from studyapp.models import Cohort, Event, EventSeal, Scenario, StimulusPair, Study
from studyapp.services.export import bundle_export

_MEMORY_BYTES: Final = 4_000_000


if TYPE_CHECKING:
    _Inline = admin.TabularInline[Cohort, Study]
else:
    # The theme's class, which has no types, is Django's with another template.
    _Inline = TabularInline


class _CohortInline(_Inline):
    model = Cohort
    extra = 0
    can_delete = False
    # The token is the participants' link: the study's page shows it to those who need it.
    fields = ("name", "kind", "state", "link_kind", "quota", "enrolled")

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    """Studies; the action exports the one that is chosen."""

    list_display = ("slug", "title", "kind", "state", "is_test", "owner", "opened_at")
    list_filter = ("state", "kind", "is_test")
    search_fields = ("slug", "title")
    inlines = (_CohortInline,)
    actions = ("export_bundle",)
    # From the seed it can be drawn again which arm stood where.
    exclude = ("seed", "preregistration")

    @admin.action(description=_("Download the bundle of the chosen study"), permissions=["view"])
    def export_bundle(
        self, request: HttpRequest, queryset: QuerySet[Study]
    ) -> HttpResponseBase | None:
        """Write the bundle to disk, then stream it."""
        studies = list(queryset[:2])
        if len(studies) != 1:
            self.message_user(request, _("Choose one study."), level=messages.ERROR)
            return None
        file = tempfile.SpooledTemporaryFile(max_size=_MEMORY_BYTES)  # noqa: SIM115 - the response closes it
        try:
            bundle_export(
                study_id=studies[0].pk,
                target=file,
                actor_id=request.user.pk,
                now=timezone.now(),
            )
        except ExportError as error:
            file.close()
            self.message_user(request, str(error), level=messages.ERROR)
            return None
        file.seek(0)
        return FileResponse(file, as_attachment=True, filename=f"{studies[0].slug}.zip")


@admin.register(Scenario)
class ScenarioAdmin(ReadOnlyAdmin):
    """Scenarios."""

    list_display = ("study", "position", "key", "title", "trace", "run", "pair")
    list_filter = ("study",)
    list_select_related = ("study", "trace", "run", "pair__trace")


@admin.register(StimulusPair)
class StimulusPairAdmin(ReadOnlyAdmin):
    """Frozen pairs."""

    list_display = ("id", "trace", "has_contrast", "sha256", "created_at")
    list_filter = ("has_contrast",)
    list_select_related = ("trace",)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """The append-only log. What was drawn for a participant stands in payloads and is not shown."""

    list_display = ("at", "study", "kind", "participant")
    list_filter = ("kind", "study")
    date_hierarchy = "at"
    fields = ("at", "study", "kind", "participant", "actor")
    readonly_fields = ("actor",)

    @admin.display(description=_("Actor"))
    def actor(self, event: Event) -> str:
        """Who did it, for what researchers do."""
        return str(event.payload.get("actor", ""))


@admin.register(EventSeal)
class EventSealAdmin(ReadOnlyAdmin):
    """The chain that shows whether the log was changed."""

    list_display = ("study", "number", "events", "sha256", "sealed_at")
    list_filter = ("study",)

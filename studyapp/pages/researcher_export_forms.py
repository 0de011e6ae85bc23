"""The forms about exports: what to take out, and why to unseal the arm key."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from studyapp.domain.export_options import BUNDLE, ExportOptions, options_load
from studyapp.selectors.export import ExportChoice
from studyapp.services.study.arm_key import REASON_LIMIT

_SELECT: Final = {"class": "select"}
_SHAPES: Final = (
    (BUNDLE, _("Bundle: all tables, zipped")),
    ("csv", _("CSV, UTF-8")),
    ("csv_excel", _("CSV for a double click in Excel")),
    ("xlsx", _("Excel workbook (.xlsx)")),
    ("sav", _("SPSS with value labels (.sav)")),
    ("parquet", _("Parquet")),
    ("jsonl", _("JSON Lines")),
)
_TABLES: Final = (
    ("long", _("Long: one row for each answer")),
    ("wide", _("Wide: one row for each participant and scenario")),
    ("participants", _("Participants")),
    ("assignments", _("Assignments")),
    ("paradata", _("Paradata: what was in view, for how long")),
)


class ExportForm(forms.Form):
    """One export; what is offered depends on the study."""

    form = forms.ChoiceField(
        label=_("Form"), choices=_SHAPES, widget=forms.Select(attrs=_SELECT), initial=BUNDLE
    )
    table = forms.ChoiceField(
        label=_("Table"),
        help_text=_("For a single file; a bundle holds all of them."),
        choices=_TABLES,
        widget=forms.Select(attrs=_SELECT),
        initial="long",
    )
    completion = forms.ChoiceField(
        label=_("Participants"),
        choices=(
            ("all", _("All who consented")),
            ("completed", _("Completed only")),
            ("partial", _("Not completed only")),
        ),
        widget=forms.Select(attrs=_SELECT),
        initial="all",
    )
    # Not "data": that is what a form calls everything it was sent.
    whose = forms.ChoiceField(
        label=_("Data"),
        choices=(("live", _("Live")), ("test", _("Test")), ("both", _("Live and test"))),
        widget=forms.Select(attrs=_SELECT),
    )
    cohort = forms.ChoiceField(
        label=_("Cohort"), required=False, widget=forms.Select(attrs=_SELECT)
    )
    headings = forms.ChoiceField(
        label=_("Headings"),
        help_text=_("Labels are for a single file; SPSS files hold both."),
        choices=(("codes", _("Codes: trust_apg")), ("labels", _("Labels: what was asked"))),
        widget=forms.Select(attrs=_SELECT),
        initial="codes",
    )
    blind = forms.BooleanField(label=_("Blind: leave out which arm stood where"), required=False)
    external_ids = forms.BooleanField(
        label=_("Include what panels call the participants (personal data)"), required=False
    )

    def __init__(self, *args: Any, choice: ExportChoice, is_sealed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cohorts = [(name, name) for name in choice.cohorts]
        self.fields["cohort"] = forms.ChoiceField(
            label=_("Cohort"),
            choices=[("", _("All cohorts")), *cohorts],
            required=False,
            widget=forms.Select(attrs=_SELECT),
        )
        self.fields["whose"].initial = "test" if choice.is_test else "live"
        self.fields["blind"].initial = is_sealed
        if not choice.has_external_ids:
            del self.fields["external_ids"]

    @property
    def options(self) -> ExportOptions:
        """What was asked for.

        Raises:
            ExportError: the options do not go together.
        """
        asked = dict(self.cleaned_data)
        data = asked.pop("whose")
        return options_load({**asked, "data": data})


class UnsealForm(forms.Form):
    """Why somebody must know which arm stood where before the study has ended."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("It is recorded with your name, and every later export states it."),
        max_length=REASON_LIMIT,
        widget=forms.Textarea(attrs={"class": "textarea", "rows": 3}),
        error_messages={"required": _("Enter a reason")},
    )

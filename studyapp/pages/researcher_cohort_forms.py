"""The forms about cohorts: a new one with its way in, and a list of people to invite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from studyapp.domain.definition import BROWSER, OPEN, PANEL, PERSONAL, CohortPlan
from studyapp.domain.invitations import InvitationPlan, invitations_read
from studyapp.domain.panel import OUTCOMES
from studyapp.domain.time_pressure import AtZero
from studyapp.domain.tokens import code_new
from studyapp.errors import InvitationsRefusedError

_INPUT: Final = {"class": "input"}
_SELECT: Final = {"class": "select"}
_AREA: Final = {"class": "textarea", "rows": 4}
_LIST_BYTES: Final = 500_000


class CohortForm(forms.Form):
    """A new cohort, without the settings of a panel."""

    name = forms.SlugField(
        label=_("Name"),
        max_length=40,
        help_text=_("Small letters, digits and hyphens; it becomes a column of the export."),
        widget=forms.TextInput(attrs=_INPUT),
        error_messages={"required": _("Enter a name")},
    )
    kind = forms.ChoiceField(
        label=_("Who they are"),
        choices=(
            ("open", _("Anybody")),
            ("crowd", _("Crowd workers")),
            ("students", _("Students")),
            ("experts", _("Domain experts: also asked for conflicts of interest")),
        ),
        widget=forms.Select(attrs=_SELECT),
    )
    link = forms.ChoiceField(
        label=_("How they come in"),
        choices=(
            (BROWSER, _("One link, once per browser")),
            (OPEN, _("One link, also for several people on one device")),
            (PERSONAL, _("Personal links, one for each person you invite")),
            (PANEL, _("A panel: Prolific, SONA or another")),
        ),
        widget=forms.Select(attrs=_SELECT),
    )
    quota = forms.IntegerField(
        label=_("Places"),
        help_text=_("Leave empty for no limit. Places of people who left are given on."),
        min_value=1,
        required=False,
        widget=forms.NumberInput(attrs=_INPUT),
    )
    instructions = forms.CharField(
        label=_("Instructions for this cohort"),
        help_text=_("Markdown, shown after the study's own. May stay empty."),
        required=False,
        widget=forms.Textarea(attrs=_AREA),
    )
    seconds = forms.IntegerField(
        label=_("Seconds for one trial"),
        help_text=_("Time pressure, from opening the debate. Leave empty for none."),
        min_value=1,
        max_value=3600,
        required=False,
        widget=forms.NumberInput(attrs=_INPUT),
    )
    at_zero = forms.ChoiceField(
        label=_("When the time is over"),
        choices=(
            (AtZero.RECORD.value, _("Note it, and go on")),
            (AtZero.WARN.value, _("Warn, and go on")),
            (AtZero.LOCK.value, _("Take no further answers for the trial")),
        ),
        widget=forms.Select(attrs=_SELECT),
    )
    turn_seconds = forms.IntegerField(
        label=_("Seconds between turns"),
        help_text=_("The debate unfolds turn by turn at this pace. Leave empty to show it whole."),
        min_value=1,
        max_value=3600,
        required=False,
        widget=forms.NumberInput(attrs=_INPUT),
    )

    def plan(self, panel: Mapping[str, Any]) -> CohortPlan:
        """Return what the form describes; only what is set becomes part of the design."""
        row = self.cleaned_data
        pressure = {key: row[key] for key in ("seconds", "turn_seconds") if row[key]}
        if row["seconds"]:
            pressure["at_zero"] = row["at_zero"]
        return CohortPlan(
            name=row["name"],
            kind=row["kind"],
            link=row["link"],
            quota=row["quota"],
            panel=panel if row["link"] == PANEL else {},
            instructions=row["instructions"].strip(),
            time_pressure=pressure,
        )


class PanelForm(forms.Form):
    """The settings of a panel; read only where the cohort's link is one."""

    provider = forms.ChoiceField(
        label=_("Panel"),
        choices=(("prolific", "Prolific"), ("sona", "SONA"), ("generic", _("Another one"))),
        widget=forms.Select(attrs=_SELECT),
    )
    id_parameter = forms.CharField(
        label=_("Parameter that names the person"),
        help_text=_("Empty: PROLIFIC_PID, survey_code or id, as the panel usually has it."),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs=_INPUT),
    )
    captures = forms.CharField(
        label=_("Further parameters to keep"),
        help_text=_("With commas between them. Empty: STUDY_ID and SESSION_ID for Prolific."),
        required=False,
        widget=forms.TextInput(attrs=_INPUT),
    )
    redirect = forms.CharField(
        label=_("Where people go afterwards"),
        help_text=_(
            "An https address; {code}, {id} and kept parameters in braces are filled in. Empty: "
            "Prolific's own, otherwise none. Without {code} it is used for completion only, as "
            "SONA gives credit to whoever opens it."
        ),
        required=False,
        widget=forms.URLInput(attrs=_INPUT),
    )
    complete = forms.CharField(label=_("Code: completed"), required=False, max_length=60)
    screened_out = forms.CharField(label=_("Code: screened out"), required=False, max_length=60)
    failed_attention = forms.CharField(
        label=_("Code: failed attention checks"), required=False, max_length=60
    )
    no_consent = forms.CharField(
        label=_("Code: no consent"),
        required=False,
        max_length=60,
        help_text=_("Codes left empty are made up here; enter them at your panel."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Give the code fields the look of the others."""
        super().__init__(*args, **kwargs)
        for outcome in OUTCOMES:
            self.fields[outcome].widget.attrs.update(_INPUT)

    def panel(self) -> dict[str, Any]:
        """Return the settings as a cohort stores them."""
        row = self.cleaned_data
        named = {key: row[key] for key in ("id_parameter", "redirect") if row[key]}
        kept = [name.strip() for name in row["captures"].split(",") if name.strip()]
        return {
            "provider": row["provider"],
            **named,
            **({"captures": kept} if kept else {}),
            "codes": {outcome: row[outcome] or code_new() for outcome in OUTCOMES},
        }


class InvitationsForm(forms.Form):
    """People to invite: pasted lines, or a file as a spreadsheet saves it."""

    people = forms.CharField(
        label=_("One person per line"),
        help_text=_(
            "name, role, years of experience, credential. Only the name is needed. Rows copied "
            "from a spreadsheet work as well."
        ),
        required=False,
        widget=forms.Textarea(attrs={**_AREA, "rows": 6}),
    )
    file = forms.FileField(
        label=_("Or a CSV file"),
        help_text=_("The same columns, UTF-8; a first line may name them."),
        required=False,
        widget=forms.FileInput(attrs={"class": "input", "accept": ".csv,.txt,.tsv"}),
    )

    def clean(self) -> dict[str, Any]:
        """Read the list; a line that cannot be read refuses them all."""
        data = dict(super().clean() or {})
        try:
            data["plans"] = self._plans(data)
        except InvitationsRefusedError as error:
            raise forms.ValidationError(str(error)) from error
        return data

    @property
    def plans(self) -> tuple[InvitationPlan, ...]:
        """Whom to invite."""
        return tuple(self.cleaned_data["plans"])

    def _plans(self, data: Mapping[str, Any]) -> tuple[InvitationPlan, ...]:
        file = data.get("file")
        if file is None:
            return invitations_read(data.get("people", ""), file_name=str(_("the pasted lines")))
        if file.size > _LIST_BYTES:
            raise _refuse(file, f"{file.size} bytes", f"at most {_LIST_BYTES} bytes")
        try:
            text = file.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            found = f"byte {error.start} is no UTF-8"
            raise _refuse(file, found, "UTF-8, as spreadsheets save it on request") from error
        return invitations_read(text, file_name=file.name)


def _refuse(file: Any, found: str, allowed: str) -> InvitationsRefusedError:
    return InvitationsRefusedError(file=file.name, place="the file", found=found, allowed=allowed)

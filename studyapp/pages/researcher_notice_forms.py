"""Forms about notices: when a study stalls, whose mail, which address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy

from studyapp.domain.occasions import (
    CHOICES,
    DESCRIPTION_LIMIT,
    HOURS_LIMIT,
    PEOPLE_LIMIT,
    URL_LIMIT,
    StallRule,
)
from studyapp.selectors.notice_words import LABELS
from studyapp.services.notices import WebhookPlan, webhook_plan

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_NUMBER = {"class": "input is-short", "inputmode": "numeric"}


def occasion_choices() -> Sequence[tuple[str, _StrPromise]]:
    """Return the occasions with their names for people."""
    return [(occasion.value, LABELS[occasion]) for occasion in CHOICES]


class RuleForm(forms.Form):
    """After how many hours, and with how many people."""

    hours = forms.IntegerField(
        label=gettext_lazy("Hours without anybody coming or completing"),
        min_value=1,
        max_value=HOURS_LIMIT,
        widget=forms.NumberInput(attrs=_NUMBER),
    )
    people = forms.IntegerField(
        label=gettext_lazy("People in progress, none of whom completes in these hours"),
        min_value=1,
        max_value=PEOPLE_LIMIT,
        widget=forms.NumberInput(attrs=_NUMBER),
    )

    def rule(self) -> StallRule:
        """Return what the service stores."""
        return StallRule(self.cleaned_data["hours"], self.cleaned_data["people"])


class MailForm(forms.Form):
    """On which occasions the reader wants mail; none is allowed."""

    occasions = forms.MultipleChoiceField(
        label=gettext_lazy("Write to me when"),
        choices=occasion_choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


class WebhookForm(forms.Form):
    """An address, what it is called, and on which occasions it is told."""

    # Text, as the service says better than a browser what is wrong with an address.
    url = forms.CharField(
        label=gettext_lazy("Address"),
        help_text=gettext_lazy("It begins with https:// and gets a POST with JSON."),
        max_length=URL_LIMIT,
        widget=forms.TextInput(
            attrs={
                "class": "input",
                "inputmode": "url",
                "autocomplete": "off",
                "spellcheck": "false",
            }
        ),
        error_messages={"required": gettext_lazy("Enter an address")},
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        help_text=gettext_lazy("What is behind it, such as “lab chat”."),
        max_length=DESCRIPTION_LIMIT,
        required=False,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )
    occasions = forms.MultipleChoiceField(
        label=gettext_lazy("Tell it when"),
        choices=occasion_choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one occasion")},
    )

    def plan(self) -> WebhookPlan:
        """Return what the service stores.

        Raises:
            NoticeError: the site may not send there, or something is not allowed.
        """
        row: dict[str, Any] = self.cleaned_data
        return webhook_plan(
            url=row["url"], description=row["description"], occasions=row["occasions"]
        )

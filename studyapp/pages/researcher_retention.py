"""How long a study keeps what participants left: read it, set it, or keep everything."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from studyapp.errors import StudyAppError
from studyapp.pages.researcher import OneStudyPage
from studyapp.selectors.retention import retention_of
from studyapp.services.retention import DAYS_LIMIT, REMINDERS, retention_set

_ACTIONS = (
    (
        "anonymise",
        gettext_lazy(
            "Anonymise: panel ids, invitations, links, codes and free texts go; ratings stay"
        ),
    ),
    (
        "delete",
        gettext_lazy("Delete: everything goes as if each person had withdrawn; counts stay"),
    ),
)


class RetentionForm(forms.Form):
    """A number of days after closing, and what happens then."""

    days = forms.IntegerField(
        label=gettext_lazy("Days after the study is closed"),
        help_text=gettext_lazy("Leave it empty to keep everything."),
        min_value=1,
        max_value=DAYS_LIMIT,
        required=False,
        widget=forms.NumberInput(attrs={"class": "input", "inputmode": "numeric"}),
    )
    action = forms.ChoiceField(
        label=gettext_lazy("What happens then"),
        choices=_ACTIONS,
        initial="anonymise",
        widget=forms.RadioSelect,
    )


class RetentionPage(OneStudyPage):
    """The rule of one study."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show it with a form."""
        rule = retention_of(self.study.id)
        initial = {"days": rule.days, "action": rule.action} if rule else {}
        return self._show(RetentionForm(initial=initial))

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Store it, or say what is wrong."""
        form = RetentionForm(request.POST)
        if not form.is_valid():
            return self._show(form, status=400)
        try:
            retention_set(
                study_id=self.study.id,
                days=form.cleaned_data["days"],
                action=form.cleaned_data["action"],
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error(None, str(error))
            return self._show(form, status=400)
        messages.success(request, _("It is stored."))
        return redirect("study-retention", slug=slug)

    def _show(self, form: RetentionForm, *, status: int = 200) -> HttpResponse:
        return self.page(
            "retention.html",
            status=status,
            form=form,
            rule=retention_of(self.study.id),
            reminders=REMINDERS,
        )

"""A researcher's tokens of the API: made, shown once, listed, revoked."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from studyapp.domain.api_scopes import DAYS, SCOPES
from studyapp.domain.permissions import Action
from studyapp.errors import TokenError
from studyapp.pages.researcher import ResearcherPage
from studyapp.selectors.api_access import tokens_list
from studyapp.services.api_access import NewToken, api_token_create, api_token_revoke

_WORDS: Final = {
    Action.WATCH: gettext_lazy("watch: studies, cohorts and how far participants are"),
    Action.STIMULI: gettext_lazy("stimuli: debates, runs and both texts"),
    Action.EDIT: gettext_lazy("edit: create studies, cohorts, links, debates and texts"),
    Action.RUN: gettext_lazy("run: open, pause and close"),
    Action.ANALYSE: gettext_lazy("analyse: exports of the answers"),
}


class TokenForm(forms.Form):
    """A new token."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("What will use it, such as “recruitment script”."),
        max_length=80,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter a name")},
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it is for"),
        choices=[(scope.value, _WORDS[scope]) for scope in SCOPES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose what the token is for")},
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Days until it expires"),
        choices=[(days, str(days)) for days in DAYS],
        coerce=int,
        initial=30,
        widget=forms.Select(attrs={"class": "select"}),
    )


class TokensPage(ResearcherPage):
    """The tokens somebody has, and a form for one more."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show them."""
        return self._show(TokenForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Make one and show it this once, or say what is wrong."""
        form = TokenForm(request.POST)
        if not form.is_valid():
            return self._show(form, status=400)
        return self._show(TokenForm(), made=self._make(form))

    def _make(self, form: TokenForm) -> NewToken:
        row = form.cleaned_data
        return api_token_create(
            user_id=self.actor_id,
            name=row["name"],
            scopes=[Action(name) for name in row["scopes"]],
            days=row["days"],
            now=timezone.now(),
        )

    def _show(
        self, form: TokenForm, *, made: NewToken | None = None, status: int = 200
    ) -> HttpResponse:
        tokens = tokens_list(self.actor_id, now=timezone.now())
        context: dict[str, Any] = {"form": form, "made": made, "tokens": tokens}
        return render(self.request, "researcher/tokens.html", context, status=status)


class TokenRevokeAction(ResearcherPage):
    """A token revoked."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, token: int) -> HttpResponse:
        """Revoke it, if it is theirs."""
        try:
            api_token_revoke(user_id=self.actor_id, token_id=token, now=timezone.now())
        except TokenError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("The token is revoked. It opens nothing any more."))
        return redirect("api-tokens")

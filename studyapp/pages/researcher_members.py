"""Who works on a study: members and invitations, what each did, and the door for who is invited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View
from django.views.decorators.cache import never_cache

from studyapp.domain.permissions import Role
from studyapp.domain.tokens import token_new
from studyapp.errors import MemberError, StudyAppError, UnknownLinkError
from studyapp.pages.researcher import OneStudyPage, StudyAction
from studyapp.selectors.members import invited_list, invited_to, log_page, members_list
from studyapp.services.members import (
    member_add,
    member_invitation_accept,
    member_invitation_revoke,
    member_invite,
    member_remove,
    member_role_set,
    researcher_register,
    token_digest,
)

if TYPE_CHECKING:
    _AccountForm = UserCreationForm[User]
else:
    # Django's class takes a type argument for the checker only.
    _AccountForm = UserCreationForm

_INPUT = {"class": "input"}
_BACKEND = "django.contrib.auth.backends.ModelBackend"


class MemberForm(forms.Form):
    """Somebody to work with: a user name of this site, or an address to invite."""

    who = forms.CharField(
        label=gettext_lazy("User name or e-mail address"),
        help_text=gettext_lazy(
            "A user name of this site is a member at once. For an e-mail address you get a link to "
            "pass on; it works once, for 14 days."
        ),
        max_length=254,
        widget=forms.TextInput(attrs={**_INPUT, "autocapitalize": "none", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter a user name or an e-mail address")},
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=(
            (Role.MONITOR.value, gettext_lazy("Monitor: sees how far participants are")),
            (Role.ANALYST.value, gettext_lazy("Analyst: takes answers out, reads reports")),
            (Role.EDITOR.value, gettext_lazy("Editor: builds and runs the study")),
            (Role.OWNER.value, gettext_lazy("Owner: everything, and who else works on it")),
        ),
        initial=Role.MONITOR.value,
        widget=forms.RadioSelect,
    )

    def clean_who(self) -> str:
        """Check an address for its form; a user name is looked up when it is used."""
        who = str(self.cleaned_data["who"]).strip()
        if "@" in who:
            validate_email(who)
        return who


class RegisterForm(_AccountForm):
    """A new account for somebody who holds an invitation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"


class MembersPage(OneStudyPage):
    """A study's members and open invitations, and a form for one more."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show them."""
        return self._show(MemberForm())

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Add or invite somebody, or say why not."""
        form = MemberForm(request.POST)
        if not form.is_valid():
            return self._show(form, status=400)
        who, role = form.cleaned_data["who"], Role(form.cleaned_data["role"])
        if "@" in who:
            return self._show(MemberForm(), link=self._invite(who, role), invited=who)
        try:
            member_add(
                study_id=self.study.id,
                username=who,
                role=role,
                actor_id=self.actor_id,
                now=timezone.now(),
            )
        except StudyAppError as error:
            form.add_error("who", str(error))
            return self._show(form, status=400)
        messages.success(request, _("%(name)s is a member now.") % {"name": who})
        return redirect("study-members", slug=slug)

    def _invite(self, email: str, role: Role) -> str:
        token = token_new()
        member_invite(
            study_id=self.study.id,
            email=email,
            role=role,
            token=token,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        link = self.request.build_absolute_uri(reverse("member-accept", kwargs={"token": token}))
        self._write_to(email, link)
        return link

    def _write_to(self, email: str, link: str) -> None:
        """Send the link where the site can send mail; the page shows it in any case."""
        if settings.EMAIL_BACKEND.endswith("dummy.EmailBackend"):
            return
        text = _("You are invited to work on the study “%(study)s”. Open this link: %(link)s")
        try:
            send_mail(
                _("Invitation to a study"),
                text % {"study": self.study.title, "link": link},
                None,
                [email],
            )
        except OSError as error:
            messages.error(self.request, _("The mail could not be sent: %s") % error)
            return
        messages.success(self.request, _("A mail with the link was sent."))

    def _show(
        self, form: MemberForm, *, link: str = "", invited: str = "", status: int = 200
    ) -> HttpResponse:
        return self.page(
            "members.html",
            status=status,
            form=form,
            link=link,
            invited=invited,
            members=members_list(self.study.id),
            invitations=invited_list(self.study.id, now=timezone.now()),
            roles=[role.value for role in Role],
        )


class _MemberAction(StudyAction):
    def back(self) -> HttpResponse:
        """Lead back to the members; who took themselves out, to their other studies."""
        if self.actor.get_username() not in {row.username for row in members_list(self.study.id)}:
            return redirect("study-list")
        return redirect("study-members", slug=self.study.slug)


class MemberRoleAction(_MemberAction):
    """A member given another role."""

    def act(self) -> str:
        """Change it."""
        try:
            role = Role(self.request.POST.get("role", ""))
        except ValueError as error:
            raise MemberError(_("There is no such role.")) from error
        member_role_set(
            study_id=self.study.id,
            member_id=self.kwargs["member"],
            role=role,
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The role was changed.")


class MemberRemoveAction(_MemberAction):
    """A member taken out."""

    def act(self) -> str:
        """Take them out."""
        member_remove(
            study_id=self.study.id,
            member_id=self.kwargs["member"],
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The member was taken out of the study.")


class MemberInvitationRevokeAction(_MemberAction):
    """An invitation taken back."""

    def act(self) -> str:
        """Take it back."""
        member_invitation_revoke(
            study_id=self.study.id,
            invitation_id=self.kwargs["invitation"],
            actor_id=self.actor_id,
            now=timezone.now(),
        )
        return _("The invitation was taken back.")


class LogPage(OneStudyPage):
    """What researchers did with the study, the latest first."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show one page of it."""
        sheet = log_page(slug, number=request.GET.get("page", "1"))
        return self.page("log.html", sheet=sheet)


@method_decorator(never_cache, name="dispatch")
class MemberAcceptPage(View):
    """The door for who was invited. Looking at it uses nothing up."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        """Say what the invitation is to, and how to accept it."""
        return self._show(token, RegisterForm())

    def post(self, request: HttpRequest, token: str) -> HttpResponseBase:
        """Accept it with the account that is signed in, or with a new one."""
        try:
            if request.user.is_authenticated:
                return self._join(token)
            return self._register(token)
        except UnknownLinkError as error:
            raise Http404 from error

    def _join(self, token: str) -> HttpResponseBase:
        if not self.request.user.is_staff:
            return self._show(token, RegisterForm(), status=403)
        study = member_invitation_accept(
            token=token, user_id=int(self.request.user.pk), now=timezone.now()
        )
        return redirect("study-detail", slug=study.slug)

    def _register(self, token: str) -> HttpResponseBase:
        form = RegisterForm(self.request.POST)
        if not form.is_valid():
            return self._show(token, form, status=400)
        try:
            user = researcher_register(
                token=token,
                username=form.cleaned_data["username"],
                password=form.cleaned_data["password1"],
                now=timezone.now(),
            )
        except MemberError as error:
            form.add_error("username", ValidationError(str(error)))
            return self._show(token, form, status=400)
        login(self.request, user, backend=_BACKEND)
        return redirect("study-list")

    def _show(self, token: str, form: RegisterForm, *, status: int = 200) -> HttpResponse:
        invited = invited_to(token_digest(token), now=timezone.now())
        if invited is None:
            raise Http404
        context = {"invited": invited, "form": form}
        return render(self.request, "researcher/member_accept.html", context, status=status)

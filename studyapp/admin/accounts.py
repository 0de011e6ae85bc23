"""Accounts, groups and second factors: the packages' own tables, in the theme's forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axes.admin import AccessAttemptAdmin, AccessFailureLogAdmin, AccessLogAdmin
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django_otp.plugins.otp_static.admin import StaticDeviceAdmin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.admin import TOTPDeviceAdmin
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from studyapp.admin.read_only import ListedFiltersAdmin

for _model in (
    User,
    Group,
    AccessAttempt,
    AccessFailureLog,
    AccessLog,
    StaticDevice,
    TOTPDevice,
):
    admin.site.unregister(_model)


if TYPE_CHECKING:
    _UserAdmin = UserAdmin[User]
else:
    # Django's class takes a type argument for the checker only.
    _UserAdmin = UserAdmin


@admin.register(User)
class ThemedUserAdmin(_UserAdmin, ListedFiltersAdmin):
    """Accounts: made, changed, made inactive."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


@admin.register(Group)
class ThemedGroupAdmin(GroupAdmin, ListedFiltersAdmin):
    """Groups of accounts."""


@admin.register(AccessAttempt)
class ThemedAccessAttemptAdmin(AccessAttemptAdmin, ListedFiltersAdmin):
    """Failed logins that count now."""


@admin.register(AccessFailureLog)
class ThemedAccessFailureLogAdmin(AccessFailureLogAdmin, ListedFiltersAdmin):
    """Failed logins."""


@admin.register(AccessLog)
class ThemedAccessLogAdmin(AccessLogAdmin, ListedFiltersAdmin):
    """Logins."""


@admin.register(StaticDevice)
class ThemedStaticDeviceAdmin(StaticDeviceAdmin, ListedFiltersAdmin):
    """Recovery codes: whose there are, and not which."""


@admin.register(TOTPDevice)
class ThemedTOTPDeviceAdmin(TOTPDeviceAdmin, ListedFiltersAdmin):
    """Second factors; one can be taken away."""

"""The second factor of a researcher's sign-in: set up, asked for, and required everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache
from django_otp import login as otp_login

from studyapp.domain.qr import qr_data_uri
from studyapp.selectors.accounts import recovery_codes_left, second_factor_is_set
from studyapp.services.accounts import (
    recovery_codes_renew,
    second_factor_begin,
    second_factor_check,
    second_factor_confirm,
)

Answer = Callable[[HttpRequest], HttpResponseBase]
# What somebody may open who has given a password and no code: participants' pages, which know no
# accounts, the pages below, and the way out.
_OPEN_MODULES: Final = (
    "studyapp.pages.participant_",
    "studyapp.pages.health",
    "studyapp.pages.home",
    "django.views.static",
)
_OPEN_NAMES: Final = frozenset({"login", "logout", "second-factor", "second-factor-set"})


class SecondFactorMiddleware:
    """Keeps staff who have only given a password from every page that asks who they are.

    It stands in front of all pages, the administration and the interfaces with a session, so that
    a new page is guarded without saying so.
    """

    def __init__(self, get_response: Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Go on; what is asked for is known only once the address was resolved."""
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, _args: Any, _kwargs: Any
    ) -> HttpResponseBase | None:
        """Lead to the code, or to setting the factor up, where one is missing."""
        user = request.user
        if not (user.is_authenticated and user.is_staff) or _is_open(request, view):
            return None
        if cast("Any", user).is_verified():
            return None
        if second_factor_is_set(int(user.pk)):
            return _to("second-factor", request)
        return _to("second-factor-set", request) if settings.SECOND_FACTOR_REQUIRED else None


@method_decorator(never_cache, name="dispatch")
class SecondFactorPage(LoginRequiredMixin, View):
    """The code of the app, or a recovery code."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask for it."""
        return self._show()

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Take it, or ask again; wrong codes make the next one wait longer."""
        device = second_factor_check(
            user=_user(request), code=request.POST.get("code", ""), now=timezone.now()
        )
        if device is None:
            return self._show(is_wrong=True, status=400)
        otp_login(request, device)
        return redirect(_next(request))

    def _show(self, *, is_wrong: bool = False, status: int = 200) -> HttpResponse:
        context = {"is_wrong": is_wrong, "next": _next(self.request)}
        return render(self.request, "registration/second_factor.html", context, status=status)


@method_decorator(never_cache, name="dispatch")
class SecondFactorSetPage(LoginRequiredMixin, View):
    """An app taken into use, and recovery codes to print; changing either needs the old factor."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let nobody change a factor by a password alone."""
        user = request.user
        is_half_way = user.is_authenticated and not cast("Any", user).is_verified()
        if is_half_way and second_factor_is_set(int(user.pk or 0)):
            return _to("second-factor", request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the app's secret as a QR code."""
        return self._show()

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Confirm the app by a code of it, or make new recovery codes."""
        if request.POST.get("action") == "renew" and cast("Any", request.user).is_verified():
            return self._codes(recovery_codes_renew(user=_user(request), now=timezone.now()))
        confirmed = second_factor_confirm(
            user=_user(request), code=request.POST.get("code", ""), now=timezone.now()
        )
        if confirmed is None:
            return self._show(is_wrong=True, status=400)
        device, codes = confirmed
        otp_login(request, device)
        messages.success(request, _("From now on, signing in asks for a code of your app."))
        return self._codes(codes)

    def _codes(self, codes: list[str]) -> HttpResponse:
        context = {"codes": codes, "next": _next(self.request)}
        return render(self.request, "registration/recovery_codes.html", context)

    def _show(self, *, is_wrong: bool = False, status: int = 200) -> HttpResponse:
        user = _user(self.request)
        is_set = second_factor_is_set(int(user.pk))
        device = second_factor_begin(user=user)
        context = {
            "is_wrong": is_wrong,
            "is_set": is_set,
            "codes_left": recovery_codes_left(int(user.pk)),
            "qr": qr_data_uri(device.config_url),
            "secret": _spaced(device.config_url),
            "next": _next(self.request),
        }
        return render(self.request, "registration/second_factor_set.html", context, status=status)


def _is_open(request: HttpRequest, view: Any) -> bool:
    module = str(getattr(getattr(view, "view_class", view), "__module__", ""))
    match = request.resolver_match
    return module.startswith(_OPEN_MODULES) or (
        match is not None and match.url_name in _OPEN_NAMES and not match.namespaces
    )


def _user(request: HttpRequest) -> AbstractUser:
    return cast("AbstractUser", request.user)


def _to(name: str, request: HttpRequest) -> HttpResponseBase:
    address = reverse(name)
    if request.method == "GET":
        address = f"{address}?{urlencode({'next': request.get_full_path()})}"
    return redirect(address)


def _next(request: HttpRequest) -> str:
    """Return where to go afterwards; an address of another site is not followed."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else reverse("study-list")


def _spaced(config_url: str) -> str:
    """Return the secret in groups of four, for an app without a camera."""
    secret = config_url.partition("secret=")[2].partition("&")[0]
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))

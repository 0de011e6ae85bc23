"""The second factor of researchers' accounts: a code of an app, and recovery codes on paper."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django_otp import verify_token
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from studyapp.models import Event

RECOVERY_CODES: Final = 10
_APP: Final = "app"
_PAPER: Final = "paper"


@transaction.atomic
def second_factor_begin(*, user: AbstractBaseUser) -> TOTPDevice:
    """Return the app's secret that waits to be confirmed; asking again gives the same one."""
    device, _ = TOTPDevice.objects.get_or_create(user=user, name=_APP, confirmed=False)
    return device


@transaction.atomic
def second_factor_confirm(
    *, user: AbstractBaseUser, code: str, now: datetime
) -> tuple[Device, list[str]] | None:
    """Take the app into use once it gives a right code; earlier apps and codes end.

    Returns:
        The device that now counts, and the recovery codes; None if the code is wrong.
    """
    waiting = TOTPDevice.objects.select_for_update().filter(user=user, name=_APP, confirmed=False)
    device = waiting.first()
    if device is None or not device.verify_token(_digits(code)):
        return None
    TOTPDevice.objects.filter(user=user, confirmed=True).delete()
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    _note(user, "account.second_factor_set", now=now)
    return device, _codes_new(user)


@transaction.atomic
def recovery_codes_renew(*, user: AbstractBaseUser, now: datetime) -> list[str]:
    """Make new recovery codes; the earlier ones end."""
    _note(user, "account.recovery_codes_renewed", now=now)
    return _codes_new(user)


def second_factor_check(*, user: AbstractBaseUser, code: str, now: datetime) -> Device | None:
    """Return the device that takes the code, or None; wrong codes make each device wait longer.

    A code of the app works once, and so does each recovery code.
    """
    apps: list[Device] = list(TOTPDevice.objects.filter(user=user, confirmed=True))
    papers: list[Device] = list(StaticDevice.objects.filter(user=user, confirmed=True))
    typed = _digits(code)
    # Only the kind that the code looks like: a wrong one would hold up the other as well.
    for device in apps if typed.isdigit() and len(typed) == 6 else papers:
        found = verify_token(user, device.persistent_id, typed.lower())
        if found is not None:
            if isinstance(found, StaticDevice):
                _note(user, "account.recovery_code_used", now=now)
            return found
    return None


def _codes_new(user: AbstractBaseUser) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=_PAPER)
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def _digits(code: str) -> str:
    return "".join(code.split()).replace("-", "")


def _note(user: AbstractBaseUser, kind: str, *, now: datetime) -> None:
    Event.objects.create(study="", kind=kind, payload={"actor": user.get_username()}, at=now)

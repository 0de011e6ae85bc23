"""What is known of a researcher's second factor."""

from __future__ import annotations

from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice


def second_factor_is_set(user_id: int) -> bool:
    """Say whether signing in asks this person for a code."""
    return bool(TOTPDevice.objects.filter(user_id=user_id, confirmed=True).exists())


def recovery_codes_left(user_id: int) -> int:
    """Count the recovery codes that were not used."""
    return int(StaticToken.objects.filter(device__user_id=user_id).count())

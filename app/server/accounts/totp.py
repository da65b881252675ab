"""Codes of authenticator apps (RFC 6238): six digits, a new one every 30 seconds."""

import hmac
from datetime import datetime

import pyotp

_PERIOD_SECONDS = 30
_SKEW_STEPS = 1
"""A phone's clock may be this many steps early or late."""


def mint_secret() -> str:
    """Mint a random secret of 160 bits, as apps accept it (base32)."""
    return pyotp.random_base32()


def build_uri(secret: str, *, email: str, lab: str) -> str:
    """Build the address that a QR code carries to the app."""
    return pyotp.TOTP(secret, interval=_PERIOD_SECONDS).provisioning_uri(
        name=email, issuer_name=lab
    )


def find_step(secret: str, code: str, now: datetime, *, after: int) -> int | None:
    """Return the time step that a code belongs to; None if it is wrong, too old, or used.

    Args:
        after: the step of the last code that was used; it and earlier ones are not accepted.
    """
    totp = pyotp.TOTP(secret, interval=_PERIOD_SECONDS)
    current_step = int(now.timestamp()) // _PERIOD_SECONDS
    for step in range(current_step - _SKEW_STEPS, current_step + _SKEW_STEPS + 1):
        is_code = hmac.compare_digest(totp.generate_otp(step).encode(), code.encode())
        if is_code and step > after:
            return step
    return None

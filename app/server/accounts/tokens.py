"""Access tokens: signed with Ed25519, valid for five minutes, without personal data."""

import hashlib
import secrets
import string
import time
from dataclasses import dataclass
from uuid import UUID, uuid4

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from app.contract.limits import ACCESS_TOKEN_SECONDS
from app.server.keys import KeyFolder

_ALGORITHM = "EdDSA"
_ISSUER = "portal"
_AUDIENCES = (None, "portal")
"""Accepted audiences. Tokens name no audience yet: the previous release would reject it."""
_LETTERS_AND_DIGITS = string.ascii_letters + string.digits
_DEVICE_ID_LENGTH = 32


@dataclass(frozen=True)
class Claims:
    """The claims of an access token. Times are seconds since the epoch."""

    user_id: UUID
    session_id: UUID
    token_id: str
    signed_in_at: int
    expires_at: int


class Tokens:
    """Mints and verifies access tokens; the key is in the key folder."""

    def __init__(self, keys: KeyFolder) -> None:
        key = serialization.load_pem_private_key(
            keys.load_key("access-token.pem", _generate_key), None
        )
        assert isinstance(key, Ed25519PrivateKey)
        self._private = key
        self._public = key.public_key()

    def mint(self, user_id: UUID, session_id: UUID, signed_in_at: int) -> str:
        """Mint an access token for a session whose password was entered at ``signed_in_at``."""
        now = int(time.time())
        return jwt.encode(
            {
                "iss": _ISSUER,
                "sub": str(user_id),
                "sid": str(session_id),
                "jti": uuid4().hex,
                "iat": now,
                "exp": now + ACCESS_TOKEN_SECONDS,
                "auth_time": signed_in_at,
            },
            self._private,
            algorithm=_ALGORITHM,
        )

    def verify(self, token: str) -> Claims | None:
        """Return the claims of a valid token that has not expired, else None."""
        try:
            claims = jwt.decode(
                token,
                self._public,
                algorithms=[_ALGORITHM],
                issuer=_ISSUER,
                options={
                    "require": ["exp", "sub", "sid", "jti", "auth_time"],
                    "verify_aud": False,
                    # The machine that minted the token may have a clock that is ahead of ours.
                    "verify_iat": False,
                },
            )
            if claims.get("aud") not in _AUDIENCES:
                return None
            return Claims(
                UUID(claims["sub"]),
                UUID(claims["sid"]),
                claims["jti"],
                int(claims["auth_time"]),
                int(claims["exp"]),
            )
        except (jwt.PyJWTError, ValueError, TypeError):
            return None


def mint_refresh_token() -> str:
    """Mint a random refresh token of 256 bits."""
    return secrets.token_urlsafe(32)


def mint_device_id() -> str:
    """Mint a random device id: 32 letters and digits, 190 bits (P 3)."""
    return "".join(secrets.choice(_LETTERS_AND_DIGITS) for _ in range(_DEVICE_ID_LENGTH))


def hash_secret(text: str) -> bytes:
    """Hash a secret, or the e-mail address of a sign-in attempt, for storage (SHA-256)."""
    return hashlib.sha256(text.encode()).digest()


def _generate_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )

"""Verification of access tokens."""

import base64
import json
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from app.server.accounts.tokens import Tokens
from app.server.keys import KeyFolder


def build_claims(**changes: Any) -> dict[str, Any]:
    """Build the claims of a valid token; a claim that is changed to None is left out."""
    now = int(time.time())
    claims = {
        "iss": "portal",
        "sub": str(uuid4()),
        "sid": str(uuid4()),
        "jti": uuid4().hex,
        "exp": now + 300,
        "auth_time": now,
        **changes,
    }
    return {name: value for name, value in claims.items() if value is not None}


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    """Tokens with their own key."""
    return Tokens(KeyFolder(tmp_path))


class TestForgedTokens:
    """``Tokens.verify`` with valid and forged tokens."""

    def sign(self, tokens: Tokens, **changes: Any) -> str:
        """Sign claims with the portal's key."""
        return jwt.encode(build_claims(**changes), tokens._private, algorithm="EdDSA")

    def test_accepts_tokens_of_the_portal(self, tokens: Tokens) -> None:
        assert tokens.verify(self.sign(tokens)) is not None
        assert tokens.verify(self.sign(tokens, aud="portal")) is not None

    def test_the_clock_of_another_machine_may_be_ahead(
        self, tokens: Tokens, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = time.time()
        monkeypatch.setattr("app.server.accounts.tokens.time.time", lambda: now + 120)
        token = tokens.mint(uuid4(), uuid4(), int(now))
        monkeypatch.undo()
        assert tokens.verify(token) is not None

    @pytest.mark.parametrize("audience", ["billing", ["portal", "billing"], ["portal"], ""])
    def test_rejects_tokens_for_others(self, tokens: Tokens, audience: Any) -> None:
        assert tokens.verify(self.sign(tokens, aud=audience)) is None

    def test_rejects_forged_tokens(self, tokens: Tokens) -> None:
        public_key = tokens._public.public_bytes(Encoding.Raw, PublicFormat.Raw)
        other_key = Ed25519PrivateKey.generate()
        named_key = {
            "jwk": {"kty": "OKP", "crv": "Ed25519"},
            "jku": "https://evil.test",
            "kid": "x",
        }
        head, _, signature = self.sign(tokens).split(".")
        body = base64.urlsafe_b64encode(json.dumps(build_claims()).encode()).decode().rstrip("=")
        for forged_token in (
            jwt.encode(build_claims(), None, algorithm="none"),
            jwt.encode(build_claims(), public_key, algorithm="HS256"),
            jwt.encode(build_claims(), other_key, algorithm="EdDSA", headers=named_key),
            f"{head}.{body}.{signature}",
            f"{head}.{body}.",
        ):
            assert tokens.verify(forged_token) is None

    @pytest.mark.parametrize(
        "changes",
        [
            {"exp": 1},
            {"exp": None},
            {"nbf": 9_999_999_999},
            {"iss": "another"},
            {"sid": None},
            {"auth_time": None},
            {"sub": "everybody"},
        ],
    )
    def test_rejects_tokens_with_invalid_claims(
        self, tokens: Tokens, changes: dict[str, Any]
    ) -> None:
        assert tokens.verify(self.sign(tokens, **changes)) is None

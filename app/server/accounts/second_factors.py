"""Second factors: set up, checked at each sign-in, replaced, and turned off (ADR 62)."""

import base64
import secrets
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.basics.clock import get_utc_now
from app.basics.errors import BadInput, Conflict, FieldError, Forbidden
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import RECOVERY_CODES
from app.drawing.qr import draw_qr_code
from app.server.accounts import totp
from app.server.accounts.models import SecondFactor
from app.server.accounts.passwords import Passwords
from app.server.accounts.repository import AccountRepository
from app.server.accounts.schemas import SecondFactorSetup, SecondFactorState
from app.server.accounts.second_factor_repository import SecondFactorRepository
from app.server.accounts.tokens import hash_secret
from app.server.actor import GATEKEEPER_ACTOR, Actor
from app.server.audit.service import add_audit_row
from app.server.database.pools import Database
from app.server.database.transactions import Transaction
from app.server.keys import Cipher
from app.server.lab_settings.repository import SettingRepository
from app.server.lab_settings.rules import is_second_factor_required

_CODE_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of recovery codes, without letters and digits that look alike."""
_GROUPS, _GROUP_LENGTH = 4, 4


class SecondFactorRequired(Forbidden):
    """403: the password is right, and a code of the app is missing."""

    code = "second_factor_required"


class SecondFactorInvalid(Forbidden):
    """403: the code is wrong, too old, or was used."""

    code = "second_factor_invalid"


class SecondFactorOn(Conflict):
    """409: the second factor is already on."""

    code = "second_factor_on"


class SecondFactorKey(Cipher):
    """Encrypts the secrets of second factors; its key is in the key folder."""


class SecondFactors:
    """Second factors of people; each operation opens transactions of the gatekeeper."""

    def __init__(
        self, database: Database, key: SecondFactorKey, passwords: Passwords, request_id: str
    ) -> None:
        self._database = database
        self._key = key
        self._passwords = passwords
        self._request_id = request_id

    async def read(self, actor: Actor) -> SecondFactorState:
        """Read whether the actor has a second factor, needs one, and how many codes are left."""
        user_id, role = _get_person(actor)
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            factors = transaction.build_repository(SecondFactorRepository)
            is_on, settings = await factors.load_protection(user_id)
            code_count = await factors.count_recovery_codes(user_id)
        return SecondFactorState(
            is_on=is_on,
            is_required=is_second_factor_required(settings, role),
            recovery_codes_left=code_count,
        )

    async def begin(self, actor: Actor, password: str) -> SecondFactorSetup:
        """Begin the setup, and return the secret for the app; it takes effect once confirmed.

        Raises:
            BadInput: the password is wrong.
            SecondFactorOn: the second factor is already on.
        """
        user_id, _ = _get_person(actor)
        await self._require_password(user_id, password)
        secret = totp.mint_secret()
        sealed_secret = self._key.seal(secret.encode(), user_id.bytes)
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            factors = transaction.build_repository(SecondFactorRepository)
            factor = await factors.lock_factor(user_id)
            if factor is not None and factor.confirmed_at is not None:
                raise SecondFactorOn(messages.SECOND_FACTOR_ON_ALREADY)
            if factor is None:
                await factors.insert(SecondFactor(user_id=user_id, sealed_secret=sealed_secret))
            else:
                factor.sealed_secret, factor.last_step = sealed_secret, 0
            lab = await transaction.build_repository(SettingRepository).load_group("report")
            self._audit(transaction, user_id, "begin-second-factor", actor.role)
        uri = totp.build_uri(secret, email=actor.email, lab=lab.get("name") or "Lab Portal")
        picture = base64.b64encode(draw_qr_code(uri).encode()).decode()
        return SecondFactorSetup(key=secret, picture=f"data:image/svg+xml;base64,{picture}")

    async def confirm(self, actor: Actor, code: str) -> list[str]:
        """Turn the second factor on with a code of the app, and return the recovery codes.

        Raises:
            BadInput: the code is wrong, or the setup has not begun.
            SecondFactorOn: the second factor is already on.
        """
        user_id, _ = _get_person(actor)
        now = get_utc_now()
        codes = _mint_recovery_codes()
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            accounts = transaction.build_repository(AccountRepository)
            # The lock waits for a sign-in in progress, whose session then ends below. A later
            # sign-in without a code fails.
            await accounts.lock_user(user_id)
            factors = transaction.build_repository(SecondFactorRepository)
            factor = await factors.lock_factor(user_id)
            if factor is None:
                raise BadInput.of(FieldError("code", messages.SECOND_FACTOR_NOT_STARTED))
            if factor.confirmed_at is not None:
                raise SecondFactorOn(messages.SECOND_FACTOR_ON_ALREADY)
            if not self._use_app_code(factor, _normalize_code(code), now):
                raise BadInput.of(FieldError("code", messages.SECOND_FACTOR_CODE_INVALID))
            factor.confirmed_at = now
            await factors.replace_recovery_codes(user_id, _hash_codes(user_id, codes))
            # The other sessions began without the second factor.
            await self._end_other_sessions(transaction, actor)
            self._audit(transaction, user_id, "turn-on-second-factor", actor.role)
        return codes

    async def replace_codes(self, actor: Actor, password: str, code: str) -> list[str]:
        """Replace the recovery codes and end the other sessions; same errors as ``turn_off``."""
        user_id, _ = _get_person(actor)
        await self._require_both(user_id, password, code)
        codes = _mint_recovery_codes()
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            factors = transaction.build_repository(SecondFactorRepository)
            await factors.replace_recovery_codes(user_id, _hash_codes(user_id, codes))
            await self._end_other_sessions(transaction, actor)
            self._audit(transaction, user_id, "replace-recovery-codes", actor.role)
        return codes

    async def turn_off(self, actor: Actor, password: str, code: str) -> None:
        """Turn the second factor off, and end the other sessions.

        Raises:
            BadInput: the password or the code is wrong.
        """
        user_id, _ = _get_person(actor)
        await self._require_both(user_id, password, code)
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            factors = transaction.build_repository(SecondFactorRepository)
            await factors.delete_factor(user_id)
            await self._end_other_sessions(transaction, actor)
            self._audit(transaction, user_id, "turn-off-second-factor", actor.role)

    async def require_code(self, user_id: UUID, code: str | None) -> bool:
        """Use a code at sign-in, if the user has a second factor; return whether there is one.

        Raises:
            SecondFactorRequired: there is no code.
            SecondFactorInvalid: the code is wrong, too old, or was used.
        """
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            factors = transaction.build_repository(SecondFactorRepository)
            factor = await factors.lock_factor(user_id)
            if factor is None or factor.confirmed_at is None:
                return False
            is_accepted = bool(code) and await self._use_code(transaction, factor, code or "")
            if not code:
                self._audit(transaction, user_id, "ask-second-factor")
            elif not is_accepted:
                self._audit(transaction, user_id, "fail-second-factor")
        if not code:
            raise SecondFactorRequired(messages.SECOND_FACTOR_REQUIRED)
        if not is_accepted:
            raise SecondFactorInvalid(messages.SECOND_FACTOR_CODE_INVALID)
        return True

    async def _end_other_sessions(self, transaction: Transaction, actor: Actor) -> None:
        user_id, _ = _get_person(actor)
        accounts = transaction.build_repository(AccountRepository)
        await accounts.end_sessions(user_id, get_utc_now(), except_id=actor.session_id)

    async def _use_code(self, transaction: Transaction, factor: SecondFactor, code: str) -> bool:
        """Use a code of the app, or else a recovery code."""
        now, text = get_utc_now(), _normalize_code(code)
        if self._use_app_code(factor, text, now):
            return True
        factors = transaction.build_repository(SecondFactorRepository)
        [code_hash] = _hash_codes(factor.user_id, [text])
        if not await factors.use_recovery_code(factor.user_id, code_hash, now):
            return False
        self._audit(transaction, factor.user_id, "use-recovery-code")
        return True

    def _use_app_code(self, factor: SecondFactor, code: str, now: datetime) -> bool:
        secret = self._key.open(factor.sealed_secret, factor.user_id.bytes).decode()
        step = totp.find_step(secret, code, now, after=factor.last_step)
        if step is None:
            return False
        factor.last_step = step
        return True

    async def _require_both(self, user_id: UUID, password: str, code: str) -> None:
        await self._require_password(user_id, password)
        try:
            await self.require_code(user_id, code)
        except (SecondFactorRequired, SecondFactorInvalid) as error:
            raise BadInput.of(FieldError("code", messages.SECOND_FACTOR_CODE_INVALID)) from error

    async def _require_password(self, user_id: UUID, password: str) -> None:
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            user = await transaction.build_repository(AccountRepository).find_user(user_id)
            password_hash = user.password_hash if user else None
        if await self._passwords.matches(password_hash, password):
            return
        async with self._database.transaction(GATEKEEPER_ACTOR) as transaction:
            self._audit(transaction, user_id, "fail-second-factor")
        raise BadInput.of(FieldError("password", messages.INVALID_PASSWORD))

    def _audit(
        self,
        transaction: Transaction,
        user_id: UUID,
        action: str,
        role: Role | None = None,
    ) -> None:
        actor = replace(GATEKEEPER_ACTOR, user_id=user_id, role=role)
        add_audit_row(transaction.statements, actor, self._request_id, action, "user", [])


def _get_person(actor: Actor) -> tuple[UUID, str]:
    assert actor.user_id is not None and actor.role is not None
    return actor.user_id, actor.role


def _mint_recovery_codes() -> list[str]:
    return [_mint_recovery_code() for _ in range(RECOVERY_CODES)]


def _mint_recovery_code() -> str:
    return "-".join(_mint_code_group() for _ in range(_GROUPS))


def _mint_code_group() -> str:
    return "".join(secrets.choice(_CODE_CHARACTERS) for _ in range(_GROUP_LENGTH))


def _normalize_code(code: str) -> str:
    """Remove what people type between groups of letters or digits."""
    return "".join(code.split()).replace("-", "").lower()


def _hash_codes(user_id: UUID, codes: list[str]) -> list[bytes]:
    return [hash_secret(f"{user_id}:{_normalize_code(code)}") for code in codes]

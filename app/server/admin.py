"""The commands ``admin create`` and ``user reset``.

``admin create`` creates the account of a Superuser, such as a portal's first account.
``user reset`` helps somebody who is locked out: by failed sign-ins, or because the authenticator
app and the recovery codes are lost (ADR 62). Both need the owner's rights on the database, so they
work where the portal is installed and nowhere else.
"""

import argparse
import getpass
import sys
from datetime import timedelta
from pathlib import Path

import psycopg

from app.basics.emails import is_valid_email
from app.basics.terminal import say
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import RECOVERY_LINK_MINUTES
from app.server.accounts.guessable import build_own_words, contains_any, is_common
from app.server.accounts.passwords import Passwords
from app.server.accounts.rules import is_valid_password
from app.server.accounts.tokens import hash_secret, mint_refresh_token
from app.server.database.embedded import EmbeddedPostgresError
from app.server.open_database import DatabaseUrlError, open_any_database, prepare_database
from app.server.password_recovery.service import LINK
from app.server.schema.names import BusyTableError, UnsupportedDatabaseError
from app.server.settings import Settings
from app.server.transmissions.service.content import get_public_url

_INSERT_USER = """
WITH created AS (
  INSERT INTO users (email, username, password_hash, first_name, last_name)
  VALUES (%(email)s, %(username)s, %(hash)s, %(first_name)s, %(last_name)s)
  ON CONFLICT (email) DO NOTHING RETURNING id
), registered AS (
  INSERT INTO registrations (user_id, application_id, roles)
  SELECT id, 'portal', ARRAY[%(role)s] FROM created
), audited AS (
  INSERT INTO audit_events (role, action, kind, record_ids, request_id, detail)
  SELECT 'admin', 'create', 'user', '{}', '', jsonb_build_object('user', id) FROM created
)
SELECT count(*) FROM created
"""


_RESET_USER = """
WITH account AS (SELECT id FROM users WHERE email = %(email)s AND active),
factors AS (DELETE FROM second_factors WHERE user_id IN (TABLE account)),
codes AS (DELETE FROM recovery_codes WHERE user_id IN (TABLE account)),
devices AS (DELETE FROM known_devices WHERE user_id IN (TABLE account)),
failures AS (DELETE FROM sign_in_attempts WHERE email_hash = %(email_hash)s),
sessions AS (
  UPDATE user_sessions SET ended_at = now()
  WHERE user_id IN (TABLE account) AND ended_at IS NULL
), links AS (
  UPDATE password_recoveries SET used_at = now(), next_try_at = NULL
  WHERE user_id IN (TABLE account) AND used_at IS NULL
), recovery AS (
  INSERT INTO password_recoveries (user_id, key, token_hash, expires_at, next_try_at)
  SELECT id, gen_random_uuid(), %(token_hash)s, now() + %(life)s,
    CASE WHEN %(token_hash)s::bytea IS NULL THEN now() END FROM account
), audited AS (
  INSERT INTO audit_events (role, action, kind, record_ids, request_id, detail)
  SELECT 'admin', 'reset', 'user', '{}', '', jsonb_build_object('user', id) FROM account
)
SELECT count(*) FROM account
"""
_COMMAND_ERRORS = (
    BusyTableError,
    DatabaseUrlError,
    EmbeddedPostgresError,
    UnsupportedDatabaseError,
)


class InvalidAccount(ValueError):
    """The account cannot be created or reset; the text says why."""


def run(arguments: list[str]) -> int:
    """Create an account, and return the exit code of the process."""
    parser = argparse.ArgumentParser(prog="python -m app admin")
    commands = parser.add_subparsers(required=True)
    create = commands.add_parser("create", help="create an account of a Superuser")
    create.add_argument("--email", help="asked for if missing")
    create.add_argument("--password-file", type=Path, help="a file with the password on one line")
    create.add_argument("--first-name", default="PORTAL")
    create.add_argument("--last-name", default="ADMINISTRATOR")
    options = parser.parse_args(arguments)
    settings = Settings()
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    try:
        email = read_email(options.email)
        password = read_password(
            options.password_file,
            build_own_words(email.partition("@")[0], options.first_name, options.last_name),
        )
        with open_any_database(settings, lambda text: say(f"  {text} ...")) as owner_url:
            prepare_database(settings, owner_url)
            create_superuser(owner_url, email, password, options.first_name, options.last_name)
    except (*_COMMAND_ERRORS, InvalidAccount) as error:
        say(str(error))
        return 1
    say(f"Created the account {email}.")
    return 0


def run_user(arguments: list[str]) -> int:
    """Reset the sign-in of an account, and return the exit code of the process."""
    parser = argparse.ArgumentParser(prog="python -m app user")
    commands = parser.add_subparsers(required=True)
    reset = commands.add_parser(
        "reset", help="remove the second factor and the lock, and give out a link to a new password"
    )
    reset.add_argument("--email", required=True)
    reset.add_argument("--mail", action="store_true", help="mail the link instead of printing it")
    options = parser.parse_args(arguments)
    settings = Settings()
    try:
        email = read_email(options.email)
        if options.mail and not settings.has_mail_server:
            raise InvalidAccount(messages.EMAIL_NOT_CONFIGURED)
        with open_any_database(settings, lambda text: say(f"  {text} ...")) as owner_url:
            prepare_database(settings, owner_url)
            token = reset_user(owner_url, email, mails_link=options.mail)
    except (*_COMMAND_ERRORS, InvalidAccount) as error:
        say(str(error))
        return 1
    say(f"Reset {email}: the second factor and the lock are removed, all sessions have ended.")
    if token is None:
        say("The portal mails the link to a new password.")
    else:
        say(f"Valid once, for {RECOVERY_LINK_MINUTES} minutes:")
        say(get_public_url(settings) + LINK.format(token=token))
    return 0


def read_email(argument: str | None) -> str:
    """Return the valid e-mail address of the account, or raise InvalidAccount."""
    email = (argument if argument is not None else input("E-mail: ")).strip().lower()
    if not is_valid_email(email):
        raise InvalidAccount(messages.EMAIL_INVALID)
    return email


def read_password(file: Path | None, own_words: frozenset[str] = frozenset()) -> str:
    """Read a password from the file or from two prompts, or raise InvalidAccount.

    ``own_words`` are words of the person, which the password may not contain.
    """
    if file is not None:
        try:
            password = file.read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidAccount(f"The file {file} cannot be read.") from error
    elif not sys.stdin.isatty():
        raise InvalidAccount("Name a file with the password: --password-file FILE")
    else:
        password = getpass.getpass("Password: ")
        if getpass.getpass("Repeat the password: ") != password:
            raise InvalidAccount("The passwords are different.")
    if not is_valid_password(password):
        raise InvalidAccount(messages.NEW_PASSWORD_INVALID)
    if contains_any(password, own_words):
        raise InvalidAccount(messages.NEW_PASSWORD_PERSONAL)
    if is_common(password):
        raise InvalidAccount(messages.NEW_PASSWORD_COMMON)
    return password


def create_superuser(
    owner_url: str, email: str, password: str, first_name: str, last_name: str
) -> None:
    """Create the account with its audit row, or raise InvalidAccount when the e-mail is in use."""
    values = {
        "email": email,
        "username": email.partition("@")[0],
        "hash": Passwords().hash_now(password),
        "first_name": clean_text(first_name),
        "last_name": clean_text(last_name),
        "role": Role.SUPERUSER.value,
    }
    with psycopg.connect(owner_url) as connection:
        row = connection.execute(_INSERT_USER, values).fetchone()
    if row is None or not row[0]:
        raise InvalidAccount(f"There is already an account {email}.")


def reset_user(owner_url: str, email: str, *, mails_link: bool) -> str | None:
    """Reset the sign-in of an account, with its audit row.

    Returns the secret of a link to a new password; None if the portal mails one.

    Raises:
        InvalidAccount: no active account has this e-mail address.
    """
    token = None if mails_link else mint_refresh_token()
    values = {
        "email": email,
        "email_hash": hash_secret(email),
        "token_hash": None if token is None else hash_secret(token),
        "life": timedelta(minutes=RECOVERY_LINK_MINUTES),
    }
    with psycopg.connect(owner_url) as connection:
        row = connection.execute(_RESET_USER, values).fetchone()
    if row is None or not row[0]:
        raise InvalidAccount(f"There is no active account {email}.")
    return token

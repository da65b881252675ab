"""The command ``audit``: verifies the sealed audit log, and changes the key of its seals.

Both run beside a portal or without one, with the owner's rights on the database (ADR 66).
"""

import argparse

import psycopg

from app.basics.terminal import say
from app.server.audit_seals.anchor import open_anchor
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.service.verify import Verification, record_verification, verify_log
from app.server.database.embedded import EmbeddedPostgresError
from app.server.open_database import DatabaseUrlError, open_any_database
from app.server.settings import Settings


def run(arguments: list[str]) -> int:
    """Run the command, and return the exit code: 1 if the log is broken or cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m app audit")
    commands = parser.add_subparsers(required=True, dest="command")
    commands.add_parser("verify", help="compare all rows with their seals and the anchor")
    commands.add_parser("rotate-key", help="seal with a new key from now on")
    options = parser.parse_args(arguments)
    settings = Settings()
    if options.command == "rotate-key":
        old_id, new_id = SealKeys(settings.data_dir / "keys").rotate()
        say(f"New seals have the key {new_id}. The key {old_id} stays, to verify older seals.")
        return 0
    try:
        with open_any_database(settings, lambda text: say(f"  {text} ...")) as owner_url:
            result = verify_database(settings, owner_url)
    except (DatabaseUrlError, EmbeddedPostgresError) as error:
        say(str(error))
        return 1
    except psycopg.errors.UndefinedTable:
        say("The database has no seals yet: start `serve` first.")
        return 1
    for line in describe_verification(result):
        say(line)
    return 0 if result.trouble is None else 1


def verify_database(settings: Settings, owner_url: str) -> Verification:
    """Verify the log of a database, and record the outcome."""
    keys = SealKeys(settings.data_dir / "keys")
    with psycopg.connect(owner_url, autocommit=True) as connection:
        result = verify_log(connection, keys, open_anchor(settings))
        record_verification(connection, result)
    return result


def describe_verification(result: Verification) -> list[str]:
    """Describe a verification in lines for the terminal."""
    lines = [
        f"Verified: {result.rows:,} rows in {result.seals:,} seals, up to row {result.last_id}."
    ]
    if result.removed_seals:
        lines.append(
            f"The rows of {result.removed_seals:,} seals were removed after their retention."
        )
    if result.trouble is not None:
        return [*lines, f"BROKEN: {result.trouble}."]
    if result.unsealed_rows:
        lines.append(
            f"Not sealed yet: {result.unsealed_rows:,} rows, "
            f"the oldest of {result.unsealed_since:%Y-%m-%d %H:%M:%S %Z}."
        )
    return [*lines, "Nothing was changed, removed, or inserted."]

"""Prepares a database for the portal: its schema, its data, and the demo lab."""

import asyncio

from app.basics.terminal import say
from app.server.audit_seals.keys import SealKeys
from app.server.exposure import PublishedPasswordError, find_exposing_host
from app.server.keys import KeyFolder
from app.server.main import build_portal
from app.server.open_database import PreparedDatabase, prepare_database
from app.server.seeding import DEMO_PASSWORD, fill_database, has_accounts, list_published_accounts
from app.server.seeding.showcase import complete_demo_requisitions
from app.server.settings import Settings


def prepare_portal(settings: Settings, owner_url: str) -> PreparedDatabase:
    """Bring the schema and the data up to date.

    Raises:
        BusyTableError, UnsupportedDatabaseError.
        PublishedPasswordError: other machines could sign in with a published password.
    """
    say("  Database is up; bringing the schema up to date ...")
    app_url = prepare_database(settings, owner_url)
    # Create the key that a worker would create later, so that copies of the folder have all keys.
    SealKeys(settings.data_dir / "keys").load_current()
    accounts = _load_data(settings, owner_url)
    require_unpublished_passwords(settings, owner_url)
    if accounts:
        asyncio.run(_complete_demo(settings, app_url))
    published_accounts = [(role, email, DEMO_PASSWORD) for role, email in accounts]
    return PreparedDatabase(app_url, published_accounts, has_accounts(owner_url))


def require_unpublished_passwords(settings: Settings, owner_url: str) -> None:
    """Raise PublishedPasswordError if a portal for other machines once had the demo lab."""
    host = find_exposing_host(settings)
    if host is None:
        return
    if emails := list_published_accounts(owner_url):
        raise PublishedPasswordError(
            "This database has the demo lab, whose passwords are published: "
            f"{', '.join(emails)}. Use another database (PORTAL_DATA_DIR or DATABASE_URL), or set "
            f"PORTAL_DEMO_HOST={host} to show the demo lab to other machines."
        )


def _load_data(settings: Settings, owner_url: str) -> list[tuple[str, str]]:
    keys = KeyFolder(settings.data_dir / "keys")
    return fill_database(
        owner_url,
        keys,
        demo=settings.demo,
        time_zone=settings.time_zone,
        report=lambda text: say(f"  {text} ..."),
    )


async def _complete_demo(settings: Settings, app_url: str) -> None:
    portal = build_portal(settings, app_url)
    await portal.database.open()
    try:
        await complete_demo_requisitions(portal)
    finally:
        await portal.addresses.close()
        await portal.senders.close()
        await portal.database.close()

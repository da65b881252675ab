"""Whether other machines could sign in with the published passwords of the demo lab."""

from urllib.parse import urlsplit

from app.server.settings import Settings

_LOOPBACK = ("127.0.0.1", "localhost")


class PublishedPasswordError(Exception):
    """Other machines could sign in with the published password of the demo lab."""


def find_exposing_host(settings: Settings) -> str | None:
    """Find the host at which other machines reach the portal, unless it is public on purpose.

    A proxy on this machine lets others in under the host of ``public_url``.
    """
    public_host = urlsplit(settings.public_url or "").hostname or ""
    hosts = [host for host in (settings.host, public_host) if host and host not in _LOOPBACK]
    return None if settings.demo_host in hosts else next(iter(hosts), None)

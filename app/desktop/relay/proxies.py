"""Finds the proxy to the portal in the settings, the environment, or the system.

The environment is ``HTTPS_PROXY``, ``ALL_PROXY``, and ``NO_PROXY`` in either case. Windows and
macOS add what their network settings say.
"""

import ipaddress
import ssl
import urllib.request
from urllib.parse import unquote, urlsplit

import httpcore

from app.contract import messages
from app.desktop.errors import SettingsError
from app.desktop.settings import is_loopback

NO_PROXY = "none"
"""The setting that uses no proxy, whatever the environment says."""

_SCHEMES = ("http", "https", "socks5", "socks5h")


def parse_proxy(text: str) -> str:
    """Return a proxy's address, with a scheme, or raise ``SettingsError``."""
    address = text.strip() if "://" in text else f"http://{text.strip()}"
    try:
        parts = urlsplit(address)
        is_valid = parts.scheme in _SCHEMES and parts.hostname and parts.port is not None
    except ValueError:  # invalid port or brackets
        is_valid = False
    if not is_valid:
        raise SettingsError(messages.SETTING_PROXY_INVALID.format(value=text))
    return address


def find_proxy(portal_url: str, setting: str | None) -> str | None:
    """Return the address of the proxy to use for the portal, or None for a direct connection.

    Raises ``SettingsError`` for an address that is not a proxy's.
    """
    parts = urlsplit(portal_url)
    host = parts.hostname or ""
    if setting == NO_PROXY or is_loopback(host):  # a proxy cannot reach this machine's loopback
        return None
    if setting:
        return parse_proxy(setting)
    proxies = urllib.request.getproxies()
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address or _is_excepted(host, parts.port, proxies.get("no", "")):
        return None
    return parse_proxy(address)


def _is_excepted(host: str, port: int | None, exceptions: str) -> bool:
    """Whether the environment or the system excepts a host from the proxy."""
    name = f"{host}:{port}" if port else host
    if urllib.request.proxy_bypass(name) or urllib.request.proxy_bypass(host):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return any(address in network for network in _parse_networks(exceptions))


def _parse_networks(
    exceptions: str,
) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Return the networks ("10.0.0.0/8") of ``NO_PROXY``, which Python itself does not read."""
    networks = []
    for item in exceptions.split(","):
        if "/" in item:
            try:
                networks.append(ipaddress.ip_network(item.strip(), strict=False))
            except ValueError:
                continue
    return networks


def describe_proxy(address: str) -> str:
    """Return a proxy's address without the password, for people."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def build_proxy(address: str, context: ssl.SSLContext) -> httpcore.Proxy:
    """Build the proxy of an HTTP client; name and password are sent if the address has them.

    The certificate of a proxy with ``https://`` is verified like the portal's, also against a
    hospital's own authority.
    """
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    auth = None
    if parts.username:
        auth = (unquote(parts.username).encode(), unquote(parts.password or "").encode())
    secure = context if parts.scheme == "https" else None
    return httpcore.Proxy(f"{parts.scheme}://{host}", auth=auth, ssl_context=secure)

"""Settings of the desktop app: the portal's address and the folders of its files."""

import argparse
import ipaddress
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.basics.version import VERSION
from app.desktop.errors import SettingsError
from app.desktop.files import JsonFile, get_config_dir

_DEFAULT_PORTAL = "http://127.0.0.1:8000"


@dataclass(frozen=True)
class Settings:
    """``portal_url`` has no trailing slash; ``ui_dir`` holds the built user interface.

    ``local_printers`` allows printers at any address, also on this computer.
    """

    portal_url: str
    config_dir: Path
    ui_dir: Path
    headless: bool = False
    local_printers: bool = False


def is_loopback(host: str | None) -> bool:
    """Whether a host name always means this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def parse_portal_url(text: str) -> str:
    """Return the portal's address without a trailing slash; raises ``SettingsError``.

    Plain http is allowed for this machine only, because the relay sends patient data.
    """
    parts = urlsplit(text.strip())
    host = parts.hostname
    if parts.scheme not in ("http", "https") or not host:
        raise SettingsError(f"The portal's address must begin with https://: {text}")
    if parts.scheme == "http" and not is_loopback(host):
        raise SettingsError(f"The portal's address must begin with https://, not http://: {text}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise SettingsError(
            f"The portal's address may contain a host, a port, and a path only: {text}"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def find_bundled_file(relative: str) -> Path:
    """Return the path of an application file, in the package or in the source tree."""
    frozen = getattr(sys, "_MEIPASS", None)
    return (Path(frozen) if frozen else Path(__file__).parents[2]) / relative


def parse_arguments(argv: list[str]) -> Settings:
    """Read the settings from the arguments, the environment, and ``desktop.json``.

    Earlier sources win. The environment has ``PORTAL_URL``, ``PORTAL_UI_DIR``, and
    ``PORTAL_LOCAL_PRINTERS`` (true allows printers at any address), the file ``portalUrl`` and
    ``localPrinters``.
    """
    parser = argparse.ArgumentParser(
        prog="python -m app desktop", description="The lab portal's desktop app."
    )
    parser.add_argument("--portal", metavar="URL", help="address of the hosted portal")
    parser.add_argument(
        "--headless",
        action="store_true",
        help="no window: print one line of JSON with the sidecar's address and a one-time code",
    )
    parser.add_argument("--version", action="version", version=VERSION)
    arguments = parser.parse_args(argv)
    folder = get_config_dir()
    stored = JsonFile(folder / "desktop.json").read()
    url = (
        arguments.portal
        or os.environ.get("PORTAL_URL")
        or stored.get("portalUrl")
        or _DEFAULT_PORTAL
    )
    local_printers = os.environ.get("PORTAL_LOCAL_PRINTERS", "").lower()
    ui_dir = Path(os.environ.get("PORTAL_UI_DIR") or find_bundled_file("ui/dist"))
    if not (ui_dir / "index.html").is_file():
        raise SettingsError(f"The user interface is not built: {ui_dir} has no index.html")
    return Settings(
        portal_url=parse_portal_url(str(url)),
        config_dir=folder,
        ui_dir=ui_dir,
        headless=arguments.headless,
        local_printers=local_printers == "true"
        or (not local_printers and stored.get("localPrinters") is True),
    )

"""Settings of the desktop app: the portal's address and the folders of its files."""

import argparse
import ipaddress
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.basics.version import VERSION
from app.contract import messages
from app.desktop.configuration import FILE_NAME, Source, read_file, read_machine_settings
from app.desktop.errors import SettingsError
from app.desktop.files import get_config_dir


@dataclass(frozen=True)
class Network:
    """How to reach the portal: a proxy (``none`` uses none), and an authority to trust."""

    proxy: str | None = None
    authority: Path | None = None


@dataclass(frozen=True)
class KnownPortal:
    """A portal to choose from; ``is_fixed`` if the settings of the computer list it."""

    url: str
    name: str = ""
    is_fixed: bool = False


@dataclass(frozen=True)
class Settings:
    """The settings of the desktop app.

    Attributes:
        portal_url: the portal, without a trailing slash; None until somebody chooses one.
        ui_dir: the folder of the built user interface.
        local_printers: whether printers may have any address, even on this computer.
        names_in_titles: whether the titles of windows name the patient.
        fixed_by: the source that sets the portal and leaves no choice; None if people may choose.
        problem: a mistake in the settings, which the app then shows instead of the portal.
    """

    portal_url: str | None
    config_dir: Path
    ui_dir: Path
    headless: bool = False
    local_printers: bool = False
    names_in_titles: bool = False
    network: Network = Network()
    portals: tuple[KnownPortal, ...] = ()
    fixed_by: str | None = None
    problem: str | None = None


def is_loopback(host: str | None) -> bool:
    """Whether a host name always means this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def parse_portal_url(text: str) -> str:
    """Return the portal's address without a trailing slash, or raise ``SettingsError``.

    Plain http is allowed for this machine only, because the relay sends patient data.
    """
    try:
        parts = urlsplit(text.strip())
    except ValueError as error:  # an IPv6 address without one of its brackets
        raise SettingsError(messages.PORTAL_ADDRESS_NO_HTTPS.format(value=text)) from error
    host = parts.hostname
    if parts.scheme not in ("http", "https") or not host:
        raise SettingsError(messages.PORTAL_ADDRESS_NO_HTTPS.format(value=text))
    if parts.scheme == "http" and not is_loopback(host):
        raise SettingsError(messages.PORTAL_ADDRESS_HTTP.format(value=text))
    has_password = parts.username is not None or parts.password is not None
    if has_password or parts.query or parts.fragment or any(c.isspace() for c in parts.netloc):
        raise SettingsError(messages.PORTAL_ADDRESS_PARTS.format(value=text))
    try:
        has_port = parts.port is not None
    except ValueError as error:
        raise SettingsError(messages.PORTAL_ADDRESS_PORT.format(value=text)) from error
    if parts.netloc.endswith(":") and not has_port:
        raise SettingsError(messages.PORTAL_ADDRESS_PORT.format(value=text))
    try:
        _require_host(host)
    except ValueError as error:
        raise SettingsError(messages.PORTAL_ADDRESS_INVALID.format(value=text)) from error
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _require_host(host: str) -> None:
    """Raise ``ValueError`` for an impossible host, such as 192.168.1.300."""
    if ":" in host or host.replace(".", "").isdecimal():
        ipaddress.ip_address(host)
    else:
        host.encode("idna")


def find_bundled_file(relative: str) -> Path:
    """Return the path of an application file, in the package or in the source tree."""
    frozen = getattr(sys, "_MEIPASS", None)
    return (Path(frozen) if frozen else Path(__file__).parents[2]) / relative


def find_interface() -> Path:
    """Return the folder of the built user interface, or raise ``SettingsError``."""
    folder = Path(os.environ.get("PORTAL_UI_DIR") or find_bundled_file("ui/dist"))
    if not (folder / "index.html").is_file():
        raise SettingsError(f"The user interface is not built: {folder} has no index.html")
    return folder


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """Parse the command line; exits for an invalid one, and after ``--help``."""
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
    parser.add_argument(
        "link", nargs="?", help="what to open after sign-in: labportal://requisition/CODE"
    )
    return parser.parse_args(argv)


def read_settings(arguments: argparse.Namespace) -> Settings:
    """Read the settings of the computer, the arguments, the environment, and the person.

    Earlier sources override later ones. The environment has ``PORTAL_URL``, ``PORTAL_UI_DIR``, and
    ``PORTAL_LOCAL_PRINTERS`` (true allows printers at any address). Raises ``SettingsError``.
    """
    folder = get_config_dir()
    machine, person = read_machine_settings(), read_file(folder / FILE_NAME)
    url, fixed_by = _choose_portal(machine, arguments.portal, person)
    sources = [*machine, person]
    authority = _get_text(sources, "certificateAuthority")
    return Settings(
        portal_url=url,
        config_dir=folder,
        ui_dir=find_interface(),
        headless=arguments.headless,
        local_printers=_allows_local_printers(sources),
        names_in_titles=_get_setting(sources, "namesInTitles") is True,
        network=Network(_get_text(sources, "proxy"), Path(authority) if authority else None),
        portals=_list_portals(machine, person),
        fixed_by=fixed_by,
    )


def build_unusable_settings(problem: str) -> Settings:
    """Build the settings of an app that connects nowhere and says what is wrong with them."""
    return Settings(None, get_config_dir(), find_interface(), problem=problem)


def _choose_portal(
    machine: list[Source], argument: str | None, person: Source
) -> tuple[str | None, str | None]:
    """Return the portal's address, and the source that leaves the person no choice."""
    requested_url = argument or os.environ.get("PORTAL_URL")
    origin = "--portal" if argument else "PORTAL_URL"
    for source in machine:
        if "portalUrl" in source.values:
            url = parse_portal_url(str(source.values["portalUrl"]))
            if requested_url and parse_portal_url(requested_url) != url:
                raise SettingsError(
                    messages.PORTAL_ADDRESS_FIXED.format(
                        origin=origin, value=requested_url, source=source.name, url=url
                    )
                )
            return url, source.name
    if requested_url:
        return parse_portal_url(requested_url), origin
    stored_url = person.values.get("portalUrl")
    return (parse_portal_url(str(stored_url)) if stored_url else None), None


def _allows_local_printers(sources: list[Source]) -> bool:
    """Whether printers may have any address; the environment overrides the files."""
    value = os.environ.get("PORTAL_LOCAL_PRINTERS", "").lower()
    return value == "true" if value else _get_setting(sources, "localPrinters") is True


def _get_setting(sources: list[Source], name: str) -> object:
    return next((s.values[name] for s in sources if name in s.values), None)


def _get_text(sources: list[Source], name: str) -> str | None:
    value = _get_setting(sources, name)
    return str(value) if value else None


def _list_portals(machine: list[Source], person: Source) -> tuple[KnownPortal, ...]:
    """List the portals of every source, each address once."""
    portals: dict[str, KnownPortal] = {}
    for source in (*machine, person):
        is_fixed = source is not person
        entries = source.values.get("portals", [])
        for item in entries if isinstance(entries, list) else []:
            url = parse_portal_url(str(item["url"]))
            portals.setdefault(url, KnownPortal(url, str(item.get("name", "")), is_fixed=is_fixed))
        if "portalUrl" in source.values:
            url = parse_portal_url(str(source.values["portalUrl"]))
            portals.setdefault(url, KnownPortal(url, is_fixed=is_fixed))
    return tuple(portals.values())

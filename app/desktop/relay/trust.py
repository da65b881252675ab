"""Trusted certificate authorities: the system's, public ones, and one from the settings."""

import ssl
import sys
from pathlib import Path

import certifi
import truststore

from app.contract import messages
from app.desktop.errors import SettingsError


def build_ssl_context(authority: Path | None = None) -> ssl.SSLContext:
    """Build the TLS context of calls to the portal.

    A hospital may have its own authority: in the system's store, or in the PEM file ``authority``.
    Raises ``SettingsError`` if that file cannot be used.
    """
    context: ssl.SSLContext
    if sys.platform in ("win32", "darwin"):
        # Asks the system itself, which knows its policies and loads missing intermediates.
        context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    else:
        context = ssl.create_default_context()
        _load_system_store(context)
        context.load_verify_locations(certifi.where())
    if authority is not None:
        try:
            context.load_verify_locations(authority)
        except OSError as error:  # raised for a file without certificates, too
            raise SettingsError(
                messages.SETTING_AUTHORITY_INVALID.format(file=authority)
            ) from error
    return context


# Where distributions keep their authorities; a Python that comes with the app looks elsewhere.
_STORES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
)


def _load_system_store(context: ssl.SSLContext) -> None:
    paths = ssl.get_default_verify_paths()
    if paths.cafile is not None or paths.capath is not None:
        return
    for store in _STORES:
        if Path(store).is_file():
            context.load_verify_locations(store)
            return

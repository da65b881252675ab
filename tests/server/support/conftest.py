"""The portal with a mail server, as the tests of transmissions have it."""

from tests.server.transmissions.conftest import certificate, fax, mail, open_office

__all__ = ["certificate", "fax", "mail", "open_office"]

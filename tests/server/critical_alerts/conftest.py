"""The portal with a mail server, as the tests of transmissions have it."""

from tests.server.transmissions.conftest import certificate, delete_jobs, mail, open_office

__all__ = ["certificate", "delete_jobs", "mail", "open_office"]

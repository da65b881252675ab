"""The fixtures of the transmission tests for a portal with a mail server."""

from tests.server.transmissions.conftest import certificate, delete_jobs, mail, open_office

__all__ = ["certificate", "delete_jobs", "mail", "open_office"]

"""A portal with a mail server, by the fixtures of the tests of transmissions."""

from tests.server.transmissions.conftest import certificate, delete_jobs, mail, open_office

__all__ = ["certificate", "delete_jobs", "mail", "open_office"]

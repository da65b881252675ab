"""Samples of requests for new passwords, for the tests of all routes."""

from tests.server.samples import Sample

SAMPLES = {
    "POST /auth/user/forgot-password": Sample({"loginId": "nobody@test.lab"}),
    "POST /auth/user/reset-password": Sample({"changePasswordId": "x", "password": "Another-1!"}),
}

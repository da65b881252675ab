"""Samples of accounts' requests, for the tests of all routes."""

from tests.server.samples import Sample

SAMPLES = {
    "POST /auth/login": Sample(),
    "POST /auth/jwt/refresh": Sample(),
    "POST /auth/logout": Sample(),
    "POST /auth/user/change-password": Sample(
        {"loginId": "nobody@test.lab", "currentPassword": "no", "password": "Another-1!"}
    ),
    "PUT /auth/user/{user_id}": Sample({"user": {"firstName": "Ada"}}),
}

"""Samples of accounts' requests, for the tests of all routes."""

from tests.server.samples import Sample

SAMPLES = {
    "POST /auth/login": Sample(),
    "POST /auth/jwt/refresh": Sample(),
    "POST /auth/logout": Sample(),
    "PUT /auth/user/{user_id}": Sample({"user": {"firstName": "Ada"}}),
}

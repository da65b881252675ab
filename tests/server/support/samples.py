"""Sample requests of support, which answer 424 because this portal has no mail server."""

from tests.server.samples import Sample

_WRITER = {"name": "Ada Tester", "email": "ada@test.lab", "message": "Hello"}
SAMPLES = {
    "POST /api/system/contacts/email": Sample(_WRITER),
    "POST /api/system/supplies/email": Sample({**_WRITER, "client": "NOBODY"}),
    "POST /api/system/lab-settings/test-sending": Sample({"type": "email", "value": "a@test.lab"}),
}

"""Requests and records of this slice for the tests of every route."""

import uuid

from app.contract.enumerations import Role
from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "PUT /api/v2/requisitions/drafts/{draft_id}": Sample(
        lambda _, ids: {"patientId": ids["patient_id"], "content": {"comments": "seen"}}
    ),
    "DELETE /api/v2/requisitions/drafts/{draft_id}": Sample(),
}
TABLES = (("requisition_drafts", "id", "draft_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Add a draft of the nurse."""
    home.ids["draft_id"] = str(uuid.uuid4())
    answer = await world.http.put(
        f"/api/v2/requisitions/drafts/{home.ids['draft_id']}",
        headers=home.people[Role.CLIENT_BASIC].headers,
        json={"patientId": home.ids["patient_id"], "content": {"comments": "begun"}},
    )
    assert answer.status_code == 200, answer.text

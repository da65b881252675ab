"""What the walks over all routes need of this slice."""

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
    """A draft of the nurse's."""
    home.ids["draft_id"] = str(uuid.uuid4())
    kept = await world.http.put(
        f"/api/v2/requisitions/drafts/{home.ids['draft_id']}",
        headers=home.people[Role.CLIENT_BASIC].headers,
        json={"patientId": home.ids["patient_id"], "content": {"comments": "begun"}},
    )
    assert kept.status_code == 200, kept.text

"""Requests and records of this slice for the tests of every route."""

from app.contract.enumerations import Role
from tests.server.requisitions.builders import SIGNATURE
from tests.server.samples import Realm, Sample
from tests.server.world import World

_ALL = "/api/v2/requisitions"
_ONE = f"{_ALL}/{{requisition_id}}"
_SCAN = {"fileName": "scan.pdf", "content": "JVBERi0xLjQK"}
SAMPLES = {
    f"POST {_ALL}": Sample(lambda world, ids: world.build_requisition_body(ids["patient_id"])),
    f"POST {_ONE}": Sample({"comments": "seen"}),
    f"POST {_ONE}/unsign": Sample({}),
    f"POST {_ONE}/cancel": Sample({"comment": "not needed"}),
    f"POST {_ONE}/save-billing-info": Sample([]),
    f"POST {_ONE}/save-diagnoses": Sample([]),
    f"POST {_ONE}/save-medications": Sample([]),
    f"POST {_ONE}/documents": Sample(_SCAN),
    f"DELETE {_ONE}/documents/{{document_id}}": Sample(),
    f"PUT {_ALL}/change-bill-to": Sample(
        lambda _, ids: {"billTo": "Client", "ids": [ids["requisition_id"]]}
    ),
    f"POST {_ALL}/sign-multiple": Sample(
        lambda _, ids: {"image": SIGNATURE, "requisitionsIds": [ids["requisition_id"]]}
    ),
    f"GET {_ONE}/documents/download": Sample(query="?name=scan.pdf"),
    f"GET {_ALL}/without-insurance": Sample(query="?ids={requisition_id}", omits_foreign=True),
    f"GET {_ALL}/ids": Sample(query="?ids={requisition_id}", omits_foreign=True),
    "GET /api/v2/tests/frequent": Sample(query="?clientId={client_id}", omits_foreign=True),
}
TABLES = (
    ("requisitions", "id", "requisition_id"),
    ("requisition_signatures", "requisition_id", "requisition_id"),
    ("requisition_insurance", "requisition_id", "requisition_id"),
    ("requisition_documents", "requisition_id", "requisition_id"),
)


async def add_records(world: World, home: Realm) -> None:
    """Add a signed requisition with a document."""
    nurse = home.people[Role.CLIENT_BASIC]
    requisition = await world.save_requisition(
        nurse, home.ids["patient_id"], physicianId=home.ids["physician_id"]
    )
    upload_answer = await world.http.post(
        f"{_ALL}/{requisition['id']}/documents", headers=nurse.headers, json=_SCAN
    )
    assert upload_answer.status_code == 201, upload_answer.text
    await world.sign_in(nurse)
    sign_answer = await world.http.post(
        f"{_ALL}/sign-multiple",
        headers=nurse.headers,
        json={"image": SIGNATURE, "requisitionsIds": [requisition["id"]]},
    )
    assert sign_answer.status_code == 200, sign_answer.text
    home.ids.update(requisition_id=requisition["id"], document_id=upload_answer.json()["id"])

"""Requests and records of this slice for the tests of every route."""

from app.contract.enumerations import Role
from tests.server.requisitions.builders import SIGNATURE
from tests.server.samples import Realm, Sample
from tests.server.world import World

_SCAN = {"fileName": "scan.pdf", "fileBase64": "JVBERi0xLjQK"}
SAMPLES = {
    "POST /api/v2/orders/sign-multiple": Sample(
        lambda _, ids: {"image": SIGNATURE, "ordersIds": [ids["order_id"]]}
    ),
    "POST /api/v2/orders/{order_id}/unsign": Sample({}),
    "PUT /api/v2/orders/{order_id}/report-comment": Sample({"comment": "Called."}),
    "POST /api/v2/orders/unsign-multiple": Sample(lambda _, ids: {"ordersIds": [ids["order_id"]]}),
    "POST /api/v2/orders/{order_id}/documents": Sample(_SCAN),
    "DELETE /api/v2/orders/{order_id}/documents/{order_document_id}": Sample(),
    "GET /api/v2/orders/{order_id}/documents/download": Sample(query="?name=scan.pdf"),
    "PUT /api/v2/orders/acknowledge": Sample({}, query="?ids={order_id}"),
    "PUT /api/v2/orders/{order_id}/billing-information": Sample({"comments": "<p>Called.</p>"}),
    "PUT /api/v2/orders/change-bill-to": Sample(
        lambda _, ids: {"billTo": "Patient", "ids": [ids["order_id"]]}
    ),
    "GET /api/v2/orders/ids": Sample(query="?ids={order_id}", omits_foreign=True),
}
TABLES = (("orders", "id", "order_id"), ("order_documents", "order_id", "order_id"))


async def add_records(world: World, home: Realm) -> None:
    """Receive the requisition, and attach a document to its order."""
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive",
        headers=home.people[Role.LABORATORY].headers,
        json={"ids": [home.ids["requisition_id"]]},
    )
    home.ids["order_id"] = receive_answer.json()[0]["orderId"]
    upload_answer = await world.http.post(
        f"/api/v2/orders/{home.ids['order_id']}/documents",
        headers=home.people[Role.CLIENT_BASIC].headers,
        json=_SCAN,
    )
    assert upload_answer.status_code == 201, upload_answer.text
    home.ids["order_document_id"] = upload_answer.json()["id"]

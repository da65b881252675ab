"""Documents of an order: who attaches, downloads, and removes them."""

import base64

from app.contract import messages
from app.contract.limits import UPLOAD_MAX_BYTES
from tests.server.orders.practice import Practice, open_practice
from tests.server.world import World

PDF = b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"


async def upload_document(
    practice: Practice, role: str, name: str = "scan.pdf", content: bytes = PDF
):
    """Upload a document to the first order, and return the response."""
    return await practice.world.http.post(
        f"/api/v2/orders/{practice.orders[0]['orderId']}/documents",
        headers=practice.people[role].headers,
        json={"fileName": name, "fileBase64": base64.b64encode(content).decode()},
    )


async def call_route(practice: Practice, role: str, method: str, path: str = "", **query: str):
    """Call a route of the first order's documents, and return the response."""
    return await practice.world.http.request(
        method,
        f"/api/v2/orders/{practice.orders[0]['orderId']}/documents{path}",
        headers=practice.people[role].headers,
        params=query,
    )


class TestDocuments:
    """/orders/{id}/documents."""

    async def test_downloads_what_was_uploaded(self, world: World) -> None:
        practice = await open_practice(world)
        first = await upload_document(practice, "physician")
        assert first.status_code == 201, first.text
        second = await upload_document(practice, "nurse")
        documents = (await call_route(practice, "patient", "GET")).json()
        assert [row["name"] for row in documents] == ["scan.pdf", "scan (2).pdf"]
        file = await call_route(practice, "patient", "GET", "/download", name="scan.pdf")
        assert file.content == PDF
        assert file.headers["content-disposition"].startswith("attachment;")
        missing_answer = await call_route(practice, "patient", "GET", "/download", name="other.pdf")
        assert missing_answer.status_code == 404
        assert second.json()["canRemove"]["allowed"] is True

    async def test_only_the_uploader_or_the_lab_removes(self, world: World) -> None:
        practice = await open_practice(world)
        own = (await upload_document(practice, "physician")).json()
        other = (await upload_document(practice, "nurse")).json()
        denied_answer = await call_route(practice, "nurse", "DELETE", f"/{own['id']}")
        assert denied_answer.status_code == 409
        assert denied_answer.json()["detail"] == messages.DOCUMENT_OF_ANOTHER
        documents = {row["id"]: row for row in (await call_route(practice, "nurse", "GET")).json()}
        assert documents[own["id"]]["canRemove"]["allowed"] is False
        for role, document in (("physician", own), ("lab", other)):
            delete_answer = await call_route(practice, role, "DELETE", f"/{document['id']}")
            assert delete_answer.status_code == 204, delete_answer.text
        assert (await call_route(practice, "nurse", "GET")).json() == []
        stored_rows = world.fetch_rows(
            "SELECT removed_by IS NOT NULL FROM order_documents WHERE order_id = %s",
            (practice.orders[0]["orderId"],),
        )
        assert stored_rows == [(True,), (True,)]

    async def test_rejects_patients_and_files_that_are_not_documents(self, world: World) -> None:
        practice = await open_practice(world)
        assert (await upload_document(practice, "patient")).status_code == 403
        assert (await upload_document(practice, "nurse", content=b"plain text")).status_code == 415
        assert (await call_route(practice, "nurse", "GET")).json() == []

    async def test_rejects_documents_of_more_than_25_mb(self, world: World) -> None:
        practice = await open_practice(world)
        largest = PDF.ljust(UPLOAD_MAX_BYTES, b" ")
        for content in (largest + b" ", largest.ljust(26 * 1024 * 1024, b" ")):
            answer = await upload_document(practice, "nurse", "big.pdf", content)
            assert answer.status_code == 413
            assert answer.json()["detail"] == "Only 25 MB files allowed."
        assert (await call_route(practice, "nurse", "GET")).json() == []
        assert (await upload_document(practice, "nurse", "big.pdf", largest)).status_code == 201

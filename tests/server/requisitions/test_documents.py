"""Documents of a requisition: accepted files, their names, and who may download them."""

import asyncio
import base64
import uuid

import pytest

from app.basics.errors import Unavailable
from app.contract import messages
from app.contract.limits import UPLOAD_MAX_BYTES
from tests.server.accounts.builders import Person
from tests.server.world import World

BASE = "/api/v2/requisitions"
PDF = b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


def encode_content(content: bytes) -> str:
    """Encode bytes as a request sends them."""
    return base64.b64encode(content).decode()


@pytest.fixture
async def requisition(world: World, nurse, patient) -> dict:
    """A requisition of the nurse."""
    return await world.save_requisition(nurse, patient)


@pytest.fixture
def upload(world: World, nurse, requisition):
    """Return a function that uploads a document, by default to the saved requisition."""

    async def upload_document(
        name: str | None = "scan.pdf", content: bytes = PDF, *, person=None, requisition_id=None
    ):
        return await world.http.post(
            f"{BASE}/{requisition_id or requisition['id']}/documents",
            headers=(person or nurse).headers,
            json={"fileName": name, "content": encode_content(content)},
        )

    return upload_document


async def list_names(world: World, person: Person, requisition_id: int) -> list[str]:
    """Return the names of a requisition's documents."""
    answer = await world.http.get(f"{BASE}/{requisition_id}/documents", headers=person.headers)
    assert answer.status_code == 200
    return [row["name"] for row in answer.json()]


async def download_document(world: World, person: Person, requisition_id: int, name: str):
    """Download a document by its name."""
    return await world.http.get(
        f"{BASE}/{requisition_id}/documents/download", headers=person.headers, params={"name": name}
    )


class TestUpload:
    """POST documents."""

    async def test_uploaded_document_is_listed_and_downloads_unchanged(
        self, world: World, nurse, requisition, upload
    ) -> None:
        answer = await upload("Überweisung.pdf")
        assert answer.status_code == 201
        assert answer.json()["name"] == "Überweisung.pdf"
        assert set(answer.json()) == {"id", "name"}
        assert await list_names(world, nurse, requisition["id"]) == ["Überweisung.pdf"]
        file = await download_document(world, nurse, requisition["id"], "Überweisung.pdf")
        assert file.content == PDF
        assert file.headers["content-type"] == "application/pdf"
        assert file.headers["x-content-type-options"] == "nosniff"
        assert file.headers["cache-control"] == "no-store"
        assert file.headers["content-disposition"] == (
            "attachment; filename=\"_berweisung.pdf\"; filename*=UTF-8''%C3%9Cberweisung.pdf"
        )

    @pytest.mark.parametrize(
        "body",
        [
            {"fileName": "a.pdf", "content": encode_content(PDF)},
            {"fileName": "a.pdf", "fileBase64": encode_content(PDF), "id": 7},
            {"fileName": "a.pdf", "content": "data:application/pdf;base64," + encode_content(PDF)},
            {
                "fileName": "a.pdf",
                "content": encode_content(PDF)[:20] + "\r\n" + encode_content(PDF)[20:],
            },
        ],
    )
    async def test_accepts_content_in_several_encodings(
        self, world: World, nurse, requisition, body
    ) -> None:
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}/documents", headers=nurse.headers, json=body
        )
        assert answer.status_code == 201
        assert (await download_document(world, nurse, requisition["id"], "a.pdf")).content == PDF

    async def test_numbers_documents_of_the_same_name(
        self, world: World, nurse, requisition, upload
    ) -> None:
        names = [(await upload()).json()["name"] for _ in range(3)]
        assert names == ["scan.pdf", "scan (2).pdf", "scan (3).pdf"]

    async def test_concurrent_uploads_get_different_names(
        self, world: World, nurse, requisition, upload
    ) -> None:
        answers = await asyncio.gather(*(upload() for _ in range(4)))
        assert [answer.status_code for answer in answers] == [201] * 4
        assert len(set(await list_names(world, nurse, requisition["id"]))) == 4

    @pytest.mark.parametrize(
        ("name", "content", "stored_name"),
        [
            ("scan.png", PDF, "scan.pdf"),
            ("scan.pdf", PNG, "scan.png"),
            ("scan.exe", PDF, "scan.exe.pdf"),
            ("../../etc/passwd", PDF, "passwd.pdf"),
            ("..\\..\\boot.ini", PNG, "boot.ini.png"),
            ('x"; filename="y.exe', PDF, "x__ filename=_y.exe.pdf"),
            ("\0", PDF, "document.pdf"),
            (None, PDF, "document.pdf"),
        ],
    )
    async def test_cleans_unsafe_names_and_wrong_extensions(
        self, world: World, nurse, requisition, upload, name, content, stored_name: str
    ) -> None:
        assert (await upload(name, content)).json()["name"] == stored_name
        assert (
            await download_document(world, nurse, requisition["id"], stored_name)
        ).content == content

    async def test_every_listed_document_can_be_downloaded(
        self, world: World, nurse, requisition, upload
    ) -> None:
        for name in ("e\u200d\u0301.pdf", "e\u0301\u0323.pdf", "\u200d\u0301.pdf"):
            await upload(name)
        names = await list_names(world, nurse, requisition["id"])
        assert len(names) == 3
        for name in names:
            assert (
                await download_document(world, nurse, requisition["id"], name)
            ).status_code == 200

    async def test_rejects_overlong_names(
        self, world: World, requisition, upload, parse_problem
    ) -> None:
        answer = await upload("e\u0301" * 50_000)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "fileName"

    @pytest.mark.parametrize(
        "content",
        [b"MZ\x90\0", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html></html>", b"GIF89a"],
    )
    async def test_rejects_other_file_types_under_any_name(
        self, world: World, parse_problem, nurse, requisition, upload, content
    ) -> None:
        answer = await upload("scan.pdf", content)
        assert answer.status_code == 415
        assert parse_problem(answer)["detail"] == messages.DOCUMENT_KINDS_ONLY
        assert await list_names(world, nurse, requisition["id"]) == []

    @pytest.mark.parametrize(
        ("content", "status", "message"),
        [
            (None, 400, messages.NO_FILE),
            ("", 400, messages.NO_FILE),
            ("   ", 400, messages.NO_FILE),
            ("data:application/pdf;base64,", 400, messages.NO_FILE),
            ("%%%%", 400, messages.UPLOAD_FAILED),
            ("JVBERi0", 400, messages.UPLOAD_FAILED),
        ],
    )
    async def test_rejects_missing_and_malformed_files(
        self, world: World, parse_problem, nurse, requisition, content, status: int, message: str
    ) -> None:
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}/documents",
            headers=nurse.headers,
            json={"fileName": "scan.pdf", "content": content},
        )
        assert answer.status_code == status
        assert parse_problem(answer)["detail"] == message

    async def test_accepts_up_to_25_mb(
        self, world: World, parse_problem, nurse, requisition, upload
    ) -> None:
        largest = PDF.ljust(UPLOAD_MAX_BYTES, b" ")
        for content in (largest + b" ", largest + b" " * 1024 * 1024):
            answer = await upload("big.pdf", content)
            assert answer.status_code == 413
            assert parse_problem(answer)["detail"] == "Only 25 MB files allowed."
        assert (await upload("big.pdf", largest)).status_code == 201

    async def test_the_same_idempotency_key_uploads_once(
        self, world: World, nurse, requisition
    ) -> None:
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = {"fileName": "scan.pdf", "content": encode_content(PDF)}
        path = f"{BASE}/{requisition['id']}/documents"
        first_answer = await world.http.post(path, headers=headers, json=body)
        second_answer = await world.http.post(path, headers=headers, json=body)
        assert first_answer.content == second_answer.content
        assert await list_names(world, nurse, requisition["id"]) == ["scan.pdf"]

    async def test_an_open_form_can_still_be_saved(
        self, world: World, nurse, requisition, upload
    ) -> None:
        await upload()
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}",
            headers={**nurse.headers, "If-Match": f'"{requisition["version"]}"'},
            json={"comments": "x"},
        )
        assert answer.status_code == 200


class TestStatus:
    """Documents by status: open while signed, read-only when canceled or done (O 4)."""

    async def test_signed_requisitions_accept_documents(
        self, world: World, nurse, requisition, upload, sign
    ) -> None:
        await sign(nurse, requisition["id"])
        assert (await upload()).status_code == 201

    async def test_done_and_canceled_requisitions_are_read_only(
        self, world: World, nurse, patient, upload, receive, cancel
    ) -> None:
        for close in (receive, cancel):
            closed_requisition = await world.save_requisition(nurse, patient)
            document = (await upload(requisition_id=closed_requisition["id"])).json()
            await close(closed_requisition["id"])
            assert (await upload(requisition_id=closed_requisition["id"])).status_code == 409
            path = f"{BASE}/{closed_requisition['id']}/documents/{document['id']}"
            delete_answer = await world.http.delete(path, headers=nurse.headers)
            assert delete_answer.status_code == 409
            file = await download_document(world, nurse, closed_requisition["id"], "scan.pdf")
            assert file.content == PDF


class TestAccess:
    """Documents by scope and role, and their audit events."""

    async def test_other_clients_documents_look_nonexistent(
        self, world: World, nurse, requisition, upload
    ) -> None:
        document = (await upload()).json()
        stranger = await world.create_person("Client Admin", client_ids=[world.create_client()])
        for requisition_id in (requisition["id"], 999_999_999):
            path = f"{BASE}/{requisition_id}/documents"
            answers = [
                await world.http.get(path, headers=stranger.headers),
                await download_document(world, stranger, requisition_id, "scan.pdf"),
                await upload(person=stranger, requisition_id=requisition_id),
                await world.http.delete(f"{path}/{document['id']}", headers=stranger.headers),
            ]
            assert [answer.status_code for answer in answers] == [404] * 4
        assert await list_names(world, nurse, requisition["id"]) == ["scan.pdf"]

    async def test_a_rejected_upload_stores_nothing(
        self, world: World, requisition, upload, monkeypatch
    ) -> None:
        files = world.app.state.portal.files
        stored_keys: list[str] = []

        async def record(key: str, content: bytes) -> None:
            stored_keys.append(key)

        monkeypatch.setattr(files, "put", record)
        stranger = await world.create_person("Client Admin", client_ids=[world.create_client()])
        await upload(person=stranger)
        await upload("a.pdf", b"MZ")
        assert stored_keys == []

    async def test_a_document_of_another_requisition_is_not_found(
        self, world: World, nurse, patient, requisition, upload
    ) -> None:
        other_requisition = await world.save_requisition(nurse, patient)
        document = (await upload()).json()
        answer = await world.http.delete(
            f"{BASE}/{other_requisition['id']}/documents/{document['id']}", headers=nurse.headers
        )
        assert answer.status_code == 404
        assert (
            await download_document(world, nurse, other_requisition["id"], "scan.pdf")
        ).status_code == 404

    async def test_patients_read_but_cannot_upload(
        self, world: World, patient, requisition, upload
    ) -> None:
        await upload()
        person = await world.create_person("Patient", patient_ids=[patient])
        assert await list_names(world, person, requisition["id"]) == ["scan.pdf"]
        assert (
            await download_document(world, person, requisition["id"], "scan.pdf")
        ).content == PDF
        assert (await upload(person=person)).status_code == 403

    async def test_audits_every_operation(self, world: World, nurse, requisition, upload) -> None:
        document = (await upload()).json()
        await list_names(world, nurse, requisition["id"])
        await download_document(world, nurse, requisition["id"], "scan.pdf")
        await world.http.delete(
            f"{BASE}/{requisition['id']}/documents/{document['id']}", headers=nurse.headers
        )
        events = world.fetch_rows(
            "SELECT action, detail FROM audit_events WHERE kind = 'requisition-document'"
            " AND record_ids[1] = %s ORDER BY id",
            (requisition["id"],),
        )
        assert [action for action, _ in events] == ["attach", "list", "download", "remove"]
        assert "scan" not in str(events)


class TestRemoval:
    """DELETE documents/{docId}."""

    async def test_hides_the_document_but_keeps_its_bytes(
        self, world: World, nurse, requisition, upload
    ) -> None:
        document = (await upload()).json()
        path = f"{BASE}/{requisition['id']}/documents/{document['id']}"
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 204
        assert await list_names(world, nurse, requisition["id"]) == []
        assert (
            await download_document(world, nurse, requisition["id"], "scan.pdf")
        ).status_code == 404
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 404
        key, removed_by = world.fetch_rows(
            "SELECT key, removed_by FROM requisition_documents WHERE id = %s", (document["id"],)
        )[0]
        files = world.app.state.portal.files
        assert await files.get(key) == PDF
        assert str(removed_by) == nurse.user_id

    async def test_frees_the_name(self, world: World, nurse, requisition, upload) -> None:
        document = (await upload()).json()
        await world.http.delete(
            f"{BASE}/{requisition['id']}/documents/{document['id']}", headers=nurse.headers
        )
        assert (await upload()).json()["name"] == "scan.pdf"


class TestStoreFailure:
    """Failures of the file store."""

    async def test_a_failed_upload_adds_no_document(
        self, world: World, nurse, requisition, upload, monkeypatch
    ) -> None:
        files = world.app.state.portal.files

        async def fail(key: str, content: bytes) -> None:
            raise Unavailable(messages.UPLOAD_FAILED)

        monkeypatch.setattr(files, "put", fail)
        assert (await upload()).status_code == 503
        assert await list_names(world, nurse, requisition["id"]) == []

    @pytest.mark.parametrize("damage", ["lost", "changed"])
    async def test_does_not_send_lost_or_damaged_documents(
        self, world: World, parse_problem, nurse, requisition, upload, damage: str
    ) -> None:
        document = (await upload()).json()
        key = world.run_sql(
            "SELECT key FROM requisition_documents WHERE id = %s", (document["id"],)
        )
        portal = world.app.state.portal
        path = portal.settings.data_dir / "files" / key
        if damage == "lost":
            path.unlink()
        else:
            path.write_bytes(PDF[:20])
        answer = await download_document(world, nurse, requisition["id"], "scan.pdf")
        assert answer.status_code == 503
        assert parse_problem(answer)["detail"] == messages.DOCUMENT_UNAVAILABLE

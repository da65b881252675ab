"""Documents of a requisition: what is taken, under which name, who gets it back."""

import asyncio
import base64
import uuid

import pytest

from app.basics.errors import Unavailable
from app.contract import messages
from app.contract.limits import UPLOAD_MAX_BYTES
from tests.server.world import Person, World

BASE = "/api/v2/requisitions"
PDF = b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


def encoded(content: bytes) -> str:
    """As it is sent."""
    return base64.b64encode(content).decode()


@pytest.fixture
async def saved(world: World, nurse, patient) -> dict:
    """A requisition of the nurse's."""
    return await world.requisition(nurse, patient)


@pytest.fixture
def upload(world: World, nurse, saved):
    """Uploads to the requisition."""

    async def do(name: str | None = "scan.pdf", content: bytes = PDF, *, person=None, to=None):
        return await world.http.post(
            f"{BASE}/{to or saved['id']}/documents",
            headers=(person or nurse).headers,
            json={"fileName": name, "content": encoded(content)},
        )

    return do


async def names(world: World, person: Person, requisition_id: int) -> list[str]:
    """The names of a requisition's documents."""
    answer = await world.http.get(f"{BASE}/{requisition_id}/documents", headers=person.headers)
    assert answer.status_code == 200
    return [row["name"] for row in answer.json()]


async def download(world: World, person: Person, requisition_id: int, name: str):
    """A document by its name."""
    return await world.http.get(
        f"{BASE}/{requisition_id}/documents/download", headers=person.headers, params={"name": name}
    )


class TestUpload:
    """POST documents."""

    async def test_is_listed_and_comes_back_byte_for_byte(
        self, world: World, nurse, saved, upload
    ) -> None:
        answer = await upload("Überweisung.pdf")
        assert answer.status_code == 201
        assert answer.json()["name"] == "Überweisung.pdf"
        assert set(answer.json()) == {"id", "name"}
        assert await names(world, nurse, saved["id"]) == ["Überweisung.pdf"]
        file = await download(world, nurse, saved["id"], "Überweisung.pdf")
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
            {"fileName": "a.pdf", "content": encoded(PDF)},
            {"fileName": "a.pdf", "fileBase64": encoded(PDF), "id": 7},
            {"fileName": "a.pdf", "content": "data:application/pdf;base64," + encoded(PDF)},
            {"fileName": "a.pdf", "content": encoded(PDF)[:20] + "\r\n" + encoded(PDF)[20:]},
        ],
    )
    async def test_takes_the_bytes_in_several_dresses(
        self, world: World, nurse, saved, body
    ) -> None:
        answer = await world.http.post(
            f"{BASE}/{saved['id']}/documents", headers=nurse.headers, json=body
        )
        assert answer.status_code == 201
        assert (await download(world, nurse, saved["id"], "a.pdf")).content == PDF

    async def test_a_second_of_a_name_is_numbered(self, world: World, nurse, saved, upload) -> None:
        given = [(await upload()).json()["name"] for _ in range(3)]
        assert given == ["scan.pdf", "scan (2).pdf", "scan (3).pdf"]

    async def test_several_at_once_get_different_names(
        self, world: World, nurse, saved, upload
    ) -> None:
        answers = await asyncio.gather(*(upload() for _ in range(4)))
        assert [answer.status_code for answer in answers] == [201] * 4
        assert len(set(await names(world, nurse, saved["id"]))) == 4

    @pytest.mark.parametrize(
        ("name", "content", "kept"),
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
    async def test_odd_names_and_lying_extensions_are_put_right(
        self, world: World, nurse, saved, upload, name, content, kept: str
    ) -> None:
        assert (await upload(name, content)).json()["name"] == kept
        assert (await download(world, nurse, saved["id"], kept)).content == content

    async def test_whatever_is_listed_can_be_downloaded(
        self, world: World, nurse, saved, upload
    ) -> None:
        for name in ("e\u200d\u0301.pdf", "e\u0301\u0323.pdf", "\u200d\u0301.pdf"):
            await upload(name)
        listed = await names(world, nurse, saved["id"])
        assert len(listed) == 3
        for name in listed:
            assert (await download(world, nurse, saved["id"], name)).status_code == 200

    async def test_a_name_of_any_length_is_no_name(
        self, world: World, saved, upload, problem_of
    ) -> None:
        answer = await upload("e\u0301" * 50_000)
        assert answer.status_code == 400
        assert problem_of(answer)["errors"][0]["field"] == "fileName"

    @pytest.mark.parametrize(
        "content",
        [b"MZ\x90\0", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html></html>", b"GIF89a"],
    )
    async def test_other_kinds_are_refused_whatever_they_are_called(
        self, world: World, problem_of, nurse, saved, upload, content
    ) -> None:
        answer = await upload("scan.pdf", content)
        assert answer.status_code == 415
        assert problem_of(answer)["detail"] == messages.DOCUMENT_KINDS_ONLY
        assert await names(world, nurse, saved["id"]) == []

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
    async def test_no_file_is_no_document(
        self, world: World, problem_of, nurse, saved, content, status: int, message: str
    ) -> None:
        answer = await world.http.post(
            f"{BASE}/{saved['id']}/documents",
            headers=nurse.headers,
            json={"fileName": "scan.pdf", "content": content},
        )
        assert answer.status_code == status
        assert problem_of(answer)["detail"] == message

    async def test_25_mb_are_taken_and_not_a_byte_more(
        self, world: World, problem_of, nurse, saved, upload
    ) -> None:
        whole = PDF.ljust(UPLOAD_MAX_BYTES, b" ")
        for content in (whole + b" ", whole + b" " * 1024 * 1024):
            answer = await upload("big.pdf", content)
            assert answer.status_code == 413
            assert problem_of(answer)["detail"] == "Only 25 MB files allowed."
        assert (await upload("big.pdf", whole)).status_code == 201

    async def test_sent_twice_with_one_key_it_is_there_once(
        self, world: World, nurse, saved
    ) -> None:
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = {"fileName": "scan.pdf", "content": encoded(PDF)}
        path = f"{BASE}/{saved['id']}/documents"
        first = await world.http.post(path, headers=headers, json=body)
        again = await world.http.post(path, headers=headers, json=body)
        assert first.content == again.content
        assert await names(world, nurse, saved["id"]) == ["scan.pdf"]

    async def test_an_open_form_can_still_be_saved(
        self, world: World, nurse, saved, upload
    ) -> None:
        await upload()
        answer = await world.http.post(
            f"{BASE}/{saved['id']}",
            headers={**nurse.headers, "If-Match": f'"{saved["version"]}"'},
            json={"comments": "x"},
        )
        assert answer.status_code == 200


class TestWhen:
    """Open while signed; read-only when canceled or done (O 4)."""

    async def test_signed_ones_take_documents(
        self, world: World, nurse, saved, upload, sign
    ) -> None:
        await sign(nurse, saved["id"])
        assert (await upload()).status_code == 201

    async def test_done_and_canceled_ones_give_theirs_and_take_none(
        self, world: World, nurse, patient, upload, receive, cancel
    ) -> None:
        for end in (receive, cancel):
            ended = await world.requisition(nurse, patient)
            kept = (await upload(to=ended["id"])).json()
            await end(ended["id"])
            assert (await upload(to=ended["id"])).status_code == 409
            path = f"{BASE}/{ended['id']}/documents/{kept['id']}"
            removed = await world.http.delete(path, headers=nurse.headers)
            assert removed.status_code == 409
            file = await download(world, nurse, ended["id"], "scan.pdf")
            assert file.content == PDF


class TestWho:
    """Scope, roles and audit."""

    async def test_others_see_nothing_of_it(self, world: World, nurse, saved, upload) -> None:
        document = (await upload()).json()
        stranger = await world.person("Client Admin", client_ids=[world.client()])
        for requisition_id in (saved["id"], 999_999_999):
            path = f"{BASE}/{requisition_id}/documents"
            answers = [
                await world.http.get(path, headers=stranger.headers),
                await download(world, stranger, requisition_id, "scan.pdf"),
                await upload(person=stranger, to=requisition_id),
                await world.http.delete(f"{path}/{document['id']}", headers=stranger.headers),
            ]
            assert [answer.status_code for answer in answers] == [404] * 4
        assert await names(world, nurse, saved["id"]) == ["scan.pdf"]

    async def test_a_refused_upload_stores_nothing(
        self, world: World, saved, upload, monkeypatch
    ) -> None:
        files = world.app.state.portal.files
        stored: list[str] = []

        async def note(key: str, content: bytes) -> None:
            stored.append(key)

        monkeypatch.setattr(files, "put", note)
        stranger = await world.person("Client Admin", client_ids=[world.client()])
        await upload(person=stranger)
        await upload("a.pdf", b"MZ")
        assert stored == []

    async def test_a_document_of_another_requisition_is_not_found(
        self, world: World, nurse, patient, saved, upload
    ) -> None:
        other = await world.requisition(nurse, patient)
        document = (await upload()).json()
        answer = await world.http.delete(
            f"{BASE}/{other['id']}/documents/{document['id']}", headers=nurse.headers
        )
        assert answer.status_code == 404
        assert (await download(world, nurse, other["id"], "scan.pdf")).status_code == 404

    async def test_a_patient_reads_and_does_not_write(
        self, world: World, patient, saved, upload
    ) -> None:
        await upload()
        person = await world.person("Patient", patient_ids=[patient])
        assert await names(world, person, saved["id"]) == ["scan.pdf"]
        assert (await download(world, person, saved["id"], "scan.pdf")).content == PDF
        assert (await upload(person=person)).status_code == 403

    async def test_every_act_is_on_record(self, world: World, nurse, saved, upload) -> None:
        document = (await upload()).json()
        await names(world, nurse, saved["id"])
        await download(world, nurse, saved["id"], "scan.pdf")
        await world.http.delete(
            f"{BASE}/{saved['id']}/documents/{document['id']}", headers=nurse.headers
        )
        acts = world.rows(
            "SELECT action, detail FROM audit_events WHERE kind = 'requisition-document'"
            " AND record_ids[1] = %s ORDER BY id",
            (saved["id"],),
        )
        assert [action for action, _ in acts] == ["attach", "list", "download", "remove"]
        assert "scan" not in str(acts)


class TestRemoval:
    """DELETE documents/{docId}."""

    async def test_hides_the_document_and_keeps_it(
        self, world: World, nurse, saved, upload
    ) -> None:
        document = (await upload()).json()
        path = f"{BASE}/{saved['id']}/documents/{document['id']}"
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 204
        assert await names(world, nurse, saved["id"]) == []
        assert (await download(world, nurse, saved["id"], "scan.pdf")).status_code == 404
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 404
        key, by = world.rows(
            "SELECT key, removed_by FROM requisition_documents WHERE id = %s", (document["id"],)
        )[0]
        files = world.app.state.portal.files
        assert await files.get(key) == PDF
        assert str(by) == nurse.user_id

    async def test_its_name_is_free_again(self, world: World, nurse, saved, upload) -> None:
        document = (await upload()).json()
        await world.http.delete(
            f"{BASE}/{saved['id']}/documents/{document['id']}", headers=nurse.headers
        )
        assert (await upload()).json()["name"] == "scan.pdf"


class TestStoreInTrouble:
    """What happens when the bytes can not be stored or read."""

    async def test_no_bytes_no_document(
        self, world: World, nurse, saved, upload, monkeypatch
    ) -> None:
        files = world.app.state.portal.files

        async def fail(key: str, content: bytes) -> None:
            raise Unavailable(messages.UPLOAD_FAILED)

        monkeypatch.setattr(files, "put", fail)
        assert (await upload()).status_code == 503
        assert await names(world, nurse, saved["id"]) == []

    @pytest.mark.parametrize("damage", ["lost", "changed"])
    async def test_half_a_document_is_never_sent(
        self, world: World, problem_of, nurse, saved, upload, damage: str
    ) -> None:
        document = (await upload()).json()
        key = world.sql("SELECT key FROM requisition_documents WHERE id = %s", (document["id"],))
        portal = world.app.state.portal
        path = portal.settings.data_dir / "files" / key
        if damage == "lost":
            path.unlink()
        else:
            path.write_bytes(PDF[:20])
        answer = await download(world, nurse, saved["id"], "scan.pdf")
        assert answer.status_code == 503
        assert problem_of(answer)["detail"] == messages.DOCUMENT_UNAVAILABLE

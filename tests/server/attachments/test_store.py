"""The file store, and the sweeping of abandoned uploads."""

import base64
from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.basics.errors import Unavailable
from app.contract.enumerations import ScopeKind
from app.server.access.reader import Reader
from app.server.actor import Actor
from app.server.attachments import repository, service
from app.server.attachments.store import FileStore
from tests.server.world import World
from tests.standins.s3 import Bucket, run_bucket

BASE = "/api/v2/requisitions"
PDF = b"%PDF-1.4\n%%EOF\n"
AT_ONCE = timedelta(0)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """A running stand-in of S3, configured by the usual variables."""
    with run_bucket() as bucket:
        for name, value in bucket.variables.items():
            monkeypatch.setenv(name, value)
        yield bucket


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path) -> FileStore:
    """Each kind of store; they behave alike."""
    if request.param == "folder":
        return FileStore.open(None, tmp_path / "files")
    request.getfixturevalue("bucket")
    return FileStore.open("s3://documents/portal", tmp_path / "unused")


class TestStore:
    """Behavior of both stores."""

    async def test_returns_the_stored_bytes(self, store: FileStore) -> None:
        await store.put("ab/abcd", PDF)
        assert await store.get("ab/abcd") == PDF

    async def test_never_overwrites(self, store: FileStore) -> None:
        await store.put("ab/abcd", PDF)
        with pytest.raises(Unavailable):
            await store.put("ab/abcd", b"other")
        assert await store.get("ab/abcd") == PDF

    async def test_deleting_twice_is_not_an_error(self, store: FileStore) -> None:
        await store.put("ab/abcd", PDF)
        await store.delete("ab/abcd")
        await store.delete("ab/abcd")
        with pytest.raises(Unavailable):
            await store.get("ab/abcd")


class TestPlace:
    """The location of the store."""

    def test_only_the_owner_may_read_the_folder(self, tmp_path) -> None:
        FileStore.open(None, tmp_path / "files")
        assert (tmp_path / "files").stat().st_mode & 0o777 == 0o700

    async def test_a_bucket_is_used_with_credentials_and_prefix(
        self, bucket: Bucket, tmp_path
    ) -> None:
        await FileStore.open("s3://documents/portal", tmp_path / "unused").put("ab/abcd", PDF)
        assert list(bucket.objects) == ["/documents/portal/ab/abcd"]
        assert (
            "somebody" in bucket.authorizations[0] and "something" not in bucket.authorizations[0]
        )
        assert not (tmp_path / "unused").exists()

    @pytest.mark.parametrize("url", ["http://files.test", "/var/files", "file:///"])
    def test_rejects_other_urls_at_start(self, tmp_path, url: str) -> None:
        with pytest.raises(ValueError, match="s3://"):
            FileStore.open(url, tmp_path)


@pytest.fixture
async def requisition(world: World) -> dict:
    """A requisition and the nurse who saved it."""
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    return {"nurse": nurse, **await world.save_requisition(nurse, world.create_patient(client))}


async def upload_document(world: World, requisition: dict):
    """Upload a document."""
    return await world.http.post(
        f"{BASE}/{requisition['id']}/documents",
        headers=requisition["nurse"].headers,
        json={"fileName": "scan.pdf", "content": base64.b64encode(PDF).decode()},
    )


class TestUnfinishedUploads:
    """Abandoned uploads: bytes without a record are swept."""

    async def test_a_finished_upload_is_not_pending(self, world: World, requisition) -> None:
        assert (await upload_document(world, requisition)).status_code == 201
        pending = world.run_sql(
            "SELECT count(*) FROM pending_uploads WHERE user_id = %s",
            (requisition["nurse"].user_id,),
        )
        assert pending == 0

    async def test_a_pending_upload_is_on_the_disk_before_its_bytes_are_stored(
        self, world: World, requisition
    ) -> None:
        nurse = Actor(ScopeKind.CLIENT, user_id=requisition["nurse"].user_id)
        reader = Reader(world.app.state.portal.database, nurse)
        statement = f"{repository.INSERT_PENDING_UPLOAD}, current_setting('synchronous_commit')"
        assert await reader.fetch_row(statement, {"key": "zz/durable"}) == ("zz/durable", "on")

    async def test_sweeps_bytes_after_a_crash_before_the_record(
        self, world: World, requisition, monkeypatch
    ) -> None:
        portal = world.app.state.portal
        put = portal.files.put

        async def put_and_crash(key: str, content: bytes) -> None:
            await put(key, content)
            raise RuntimeError("the machine crashed")

        monkeypatch.setattr(portal.files, "put", put_and_crash)
        assert (await upload_document(world, requisition)).status_code == 500
        monkeypatch.undo()
        assert (
            world.run_sql(
                "SELECT count(*) FROM requisition_documents WHERE requisition_id = %s",
                (requisition["id"],),
            )
            == 0
        )
        key = world.run_sql(
            "SELECT key FROM pending_uploads WHERE user_id = %s", (requisition["nurse"].user_id,)
        )
        assert await portal.files.get(key) == PDF
        await service.delete_abandoned_uploads(portal.database, portal.files)
        assert await portal.files.get(key) == PDF, "it may still be in progress"
        await service.delete_abandoned_uploads(portal.database, portal.files, AT_ONCE)
        with pytest.raises(Unavailable):
            await portal.files.get(key)
        assert world.run_sql("SELECT count(*) FROM pending_uploads WHERE key = %s", (key,)) == 0

    async def test_sweeps_only_pending_uploads(self, world: World, requisition) -> None:
        await upload_document(world, requisition)
        portal = world.app.state.portal
        await portal.files.put("zz/of-another-database", PDF)
        await service.delete_abandoned_uploads(portal.database, portal.files, AT_ONCE)
        assert await portal.files.get("zz/of-another-database") == PDF
        answer = await world.http.get(
            f"{BASE}/{requisition['id']}/documents/download?name=scan.pdf",
            headers=requisition["nurse"].headers,
        )
        assert answer.content == PDF

    async def test_an_upload_swept_meanwhile_fails(
        self, world: World, requisition, monkeypatch
    ) -> None:
        portal = world.app.state.portal
        put = portal.files.put

        async def put_slowly(key: str, content: bytes) -> None:
            await put(key, content)
            await service.delete_abandoned_uploads(portal.database, portal.files, AT_ONCE)

        monkeypatch.setattr(portal.files, "put", put_slowly)
        assert (await upload_document(world, requisition)).status_code == 503
        assert (
            world.run_sql(
                "SELECT count(*) FROM requisition_documents WHERE requisition_id = %s",
                (requisition["id"],),
            )
            == 0
        )

    async def test_retries_after_a_failure_of_the_store(
        self, world: World, requisition, monkeypatch
    ) -> None:
        portal = world.app.state.portal
        world.run_sql(
            "INSERT INTO pending_uploads (key, user_id) VALUES ('zz/left', %s)",
            (requisition["nurse"].user_id,),
        )

        async def fail(key: str) -> None:
            raise Unavailable("no")

        monkeypatch.setattr(portal.files, "delete", fail)
        with pytest.raises(Unavailable):
            await service.delete_abandoned_uploads(portal.database, portal.files, AT_ONCE)
        assert world.run_sql("SELECT count(*) FROM pending_uploads WHERE key = 'zz/left'") == 1
        monkeypatch.undo()
        assert await service.delete_abandoned_uploads(portal.database, portal.files, AT_ONCE) >= 1

"""The routes of windows, documents, and preferences."""

import base64
import http.client
import json
from pathlib import Path

import httpx
import pytest

from app.contract import messages
from app.desktop.application import Workstation
from app.desktop.files import JsonFile
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import DesktopHost, run_sidecar
from tests.desktop.standins import PDF, StandInPortal


class RecordedWindows:
    """Opens no window and records the request."""

    can_open = True

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.chosen: Path | None = None

    def open(self, path: str) -> None:
        self.opened.append(path)

    async def copy(self, text: str) -> bool:
        return False

    def change(self, window: str, act: str | None, title: str | None) -> None:
        raise AssertionError("no test here changes a window")

    async def choose_file(self, name: str) -> Path | None:
        return self.chosen


@pytest.fixture
def windows() -> RecordedWindows:
    return RecordedWindows()


@pytest.fixture
def shown_files() -> list[tuple[str, bytes]]:
    """The files that the viewer received."""
    return []


@pytest.fixture
def host(portal_url, tmp_path, ui_dir, windows, shown_files):
    """A sidecar with recorded windows and a recording viewer."""
    station = Workstation(
        windows=windows,
        keyring=lambda: None,
        opener=lambda file: shown_files.append((str(file), file.read_bytes())),
        temporary=tmp_path,
    )
    with run_sidecar(portal_url, tmp_path / "config", ui_dir, station) as sidecar:
        yield sidecar


class TestWindows:
    @pytest.mark.parametrize(
        "path", ["/", "/secured/results/order;id=12", "/secured/patients?x=%20y"]
    )
    def test_opens_a_screen(self, page: httpx.Client, windows: RecordedWindows, path: str) -> None:
        assert page.post("/device/windows", json={"path": path}).status_code == 201
        assert windows.opened == [path]

    @pytest.mark.parametrize(
        "path",
        [
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "javascript:alert(1)",
            "",
            "secured",
            "/api/v2/orders",
            "/auth/logout",
            "/device/launch",
            "/a/../device/launch",
            "/%2e%2e/device",
            "/a b",
            "/a\nb",
            "/ä",
            "/" + "a" * 3000,
        ],
    )
    def test_rejects_other_paths(
        self, page: httpx.Client, windows: RecordedWindows, path: str
    ) -> None:
        assert page.post("/device/windows", json={"path": path}).status_code == 400
        assert windows.opened == []

    def test_reports_that_it_cannot_open_windows(self, tmp_path: Path, ui_dir: Path) -> None:
        nowhere = "http://127.0.0.1:9"
        with run_sidecar(nowhere, tmp_path / "c", ui_dir) as host, host.open_page() as page:
            answer = page.post("/device/windows", json={"path": "/"})
        assert answer.status_code == 424
        assert answer.json()["detail"] == messages.WINDOWS_UNAVAILABLE


class TestDocuments:
    def test_opens_a_report_after_renewing_the_access_token(
        self,
        signed_in_page: httpx.Client,
        shown_files: list[tuple[str, bytes]],
        portal: StandInPortal,
    ) -> None:
        portal.access_tokens.clear()
        body = {"path": "/api/report?ids=1", "name": "../../R260000123.exe"}
        assert signed_in_page.post("/device/documents", json=body).status_code == 201
        [(name, content)] = shown_files
        assert Path(name).name == "R260000123.pdf"
        assert content == PDF
        assert Path(name).stat().st_mode & 0o077 == 0
        assert Path(name).parent.stat().st_mode & 0o077 == 0

    def test_saves_a_download_where_the_person_chooses(
        self,
        tmp_path: Path,
        page: httpx.Client,
        windows: RecordedWindows,
        shown_files: list[tuple[str, bytes]],
    ) -> None:
        body = {
            "content": base64.b64encode(b"a;b").decode(),
            "mediaType": "text/csv",
            "name": "orders.csv",
            "isSaved": True,
        }
        assert page.post("/device/documents", json=body).status_code == 201  # canceled
        windows.chosen = tmp_path / "chosen.csv"
        assert page.post("/device/documents", json=body).status_code == 201
        assert windows.chosen.read_bytes() == b"a;b"
        windows.chosen = tmp_path / "gone" / "chosen.csv"
        answer = page.post("/device/documents", json=body)
        assert answer.status_code == 503
        assert answer.json()["detail"] == messages.DOCUMENT_NOT_SAVED.format(
            folder=tmp_path / "gone"
        )
        assert shown_files == []

    def test_offers_to_save_a_document_that_no_program_opens(
        self,
        tmp_path: Path,
        ui_dir: Path,
        portal_url: str,
        windows: RecordedWindows,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        programs = tmp_path / "programs"
        programs.mkdir()
        (programs / "xdg-open").write_text("#!/bin/sh\nexit 3\n")  # no program opens it
        (programs / "xdg-open").chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
        station = Workstation(windows=windows, keyring=lambda: None, temporary=tmp_path)
        with (
            run_sidecar(portal_url, tmp_path / "c", ui_dir, station) as host,
            host.open_page() as page,
        ):
            page.post("/auth/login", json=SIGN_IN)
            body = {"path": "/api/report", "name": "R260000123"}
            answer = page.post("/device/documents", json=body)
            assert answer.status_code == 503
            assert answer.json()["code"] == "no_viewer"
            assert answer.json()["detail"] == messages.NO_VIEWER.format(extension=".pdf")
            windows.chosen = tmp_path / "mine.pdf"
            answer = page.post("/device/documents", json=body)
            assert "mine.pdf" in answer.json()["detail"]
        assert (tmp_path / "mine.pdf").read_bytes() == PDF

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("/auth/jwt/validate", 400),
            ("https://evil.example/x", 400),
            ("/api/../metrics", 400),
            ("/api/program", 503),
            ("/api/broken", 503),
            ("/api/empty", 503),
        ],
    )
    def test_rejects_other_paths_and_unusable_answers(
        self,
        signed_in_page: httpx.Client,
        shown_files: list[tuple[str, bytes]],
        path: str,
        status: int,
    ) -> None:
        assert signed_in_page.post("/device/documents", json={"path": path}).status_code == status
        assert shown_files == []

    def test_opens_content_that_the_page_has_loaded(
        self, page: httpx.Client, shown_files: list[tuple[str, bytes]]
    ) -> None:
        body = {"content": base64.b64encode(PDF).decode(), "name": "../../log.exe"}
        assert page.post("/device/documents", json=body).status_code == 201
        [(name, content)] = shown_files
        assert (Path(name).name, content) == ("log.pdf", PDF)

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ({"content": "TVo=", "mediaType": "application/x-msdownload"}, 503),
            ({"content": ""}, 503),
            ({"content": "*"}, 400),
            ({"content": "TVo=", "path": "/api/report"}, 400),
            ({}, 400),
        ],
    )
    def test_rejects_content_that_is_not_a_document(
        self,
        page: httpx.Client,
        shown_files: list[tuple[str, bytes]],
        body: dict[str, str],
        status: int,
    ) -> None:
        assert page.post("/device/documents", json=body).status_code == status
        assert shown_files == []

    def test_requires_a_sign_in(self, page: httpx.Client) -> None:
        answer = page.post("/device/documents", json={"path": "/api/report"})
        assert answer.status_code == 401


class TestPreferences:
    def test_stores_preferences(self, page: httpx.Client, host: DesktopHost) -> None:
        value = {"widths": [1, 2.5, None], "name": "Ü"}
        assert page.put("/device/preferences/grid.requisitions", json={"value": value}).is_success
        assert page.get("/device/preferences").json() == {"grid.requisitions": value}
        stored_values = json.loads((host.config_dir / "preferences.json").read_text())
        assert stored_values == {"grid.requisitions": value}
        assert page.delete("/device/preferences/grid.requisitions").status_code == 204
        assert page.delete("/device/preferences/grid.requisitions").status_code == 204
        assert page.get("/device/preferences").json() == {}

    @pytest.mark.parametrize("key", ["a:b", "a_b", "a" * 65, "ä", "a%20b"])
    def test_rejects_an_invalid_key(self, page: httpx.Client, key: str) -> None:
        answer = page.put(f"/device/preferences/{key}", json={"value": 1})
        assert answer.status_code == 400
        assert answer.json()["detail"] == messages.PREFERENCE_KEY_INVALID

    def test_rejects_a_too_large_value(self, page: httpx.Client) -> None:
        answer = page.put("/device/preferences/a", json={"value": "x" * 20_000})
        assert answer.status_code == 413
        assert page.get("/device/preferences").json() == {}

    @pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b'{"value":1,"other":2}'])
    def test_rejects_an_invalid_body(self, page: httpx.Client, body: bytes) -> None:
        answer = page.put(
            "/device/preferences/a", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 400
        assert answer.headers["content-type"] == "application/problem+json"

    def test_rejects_a_huge_body_without_reading_it(self, host: DesktopHost) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=60)
        headers = {**host.headers, "Content-Length": "99999999"}
        connection.request("PUT", "/device/preferences/a", headers=headers)
        assert connection.getresponse().status == 413
        connection.close()


class TestUserInterface:
    def test_answers_index_html_for_every_screen(self, page: httpx.Client) -> None:
        for path in ("/", "/login", "/secured/results/order;id=12"):
            answer = page.get(path)
            assert "<title>Sign in</title>" in answer.text
            assert answer.headers["content-type"].startswith("text/html")

    def test_answers_404_for_a_missing_asset(self, page: httpx.Client) -> None:
        answer = page.get("/assets/gone.js")
        assert answer.status_code == 404
        assert answer.json()["code"] == "not_found"

    def test_answers_404_for_an_unknown_device_route(self, page: httpx.Client) -> None:
        assert page.get("/device/nothing").status_code == 404

    def test_serves_nothing_outside_its_folder(self, page: httpx.Client, tmp_path: Path) -> None:
        (tmp_path / "secret.txt").write_text("secret")
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
            assert "secret" not in page.get(path).text


class TestFiles:
    def test_partial_file_never_replaces_a_complete_one(self, tmp_path: Path) -> None:
        file = JsonFile(tmp_path / "a.json")
        file.write({"a": 1})
        (tmp_path / ".a.json.x.part").write_text('{"a"')
        with pytest.raises(TypeError):
            file.write({"a": object()})
        again = JsonFile(tmp_path / "a.json")
        assert again.read() == {"a": 1}
        assert [p.name for p in tmp_path.iterdir()] == ["a.json"]

    @pytest.mark.parametrize("text", ["[]", '{"a"', "[" * 100_000], ids=["list", "cut", "deep"])
    def test_keeps_an_unreadable_file_under_another_name(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "a.json").write_text(text)
        assert JsonFile(tmp_path / "a.json").read() == {}
        assert [p.name for p in tmp_path.iterdir()] == ["a.broken"]

    def test_many_successive_writes_all_arrive(self, page: httpx.Client) -> None:
        for number in range(20):
            page.put(f"/device/preferences/k{number}", json={"value": number})
        assert len(page.get("/device/preferences").json()) == 20

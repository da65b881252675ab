"""Print jobs: one for each click, with progress, Stop, and a history."""

import json
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path

import httpx
import pytest

from app.basics.errors import Conflict
from app.contract import messages
from app.desktop import files
from app.desktop.application import Workstation
from app.desktop.printers.jobs import PrintJobs
from app.desktop.printers.port import Printer
from app.desktop.printers.tcp import TcpPrinter
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import DesktopHost, run_sidecar
from tests.desktop.printing import add_printer, build_job, build_label, start_job, wait_for_job
from tests.desktop.standins import StandInPortal, StandInPrinter, wait_for
from tests.desktop.zebra import Zebra


@pytest.fixture
def zebra() -> Iterator[Zebra]:
    simulator = Zebra()
    yield simulator
    simulator.close()


def build_labels(count: int) -> list[dict[str, str]]:
    return [build_label(number) for number in range(count)]


def list_reports(portal: StandInPortal) -> list[dict[str, object]]:
    return [call for call in portal.calls if str(call["path"]).endswith("/outcome")]


class TestOneJob:
    def test_a_second_request_with_the_same_key_prints_nothing(
        self, page: httpx.Client, zebra: Zebra
    ) -> None:
        printer = add_printer(page, zebra.port)
        first = start_job(page, printer, "click-0001", *build_labels(2), copies=2)
        second = start_job(page, printer, "click-0001", *build_labels(2), copies=2)
        assert first["id"] == second["id"] == "click-0001"
        job = wait_for_job(page, "click-0001")
        assert (job["state"], job["labels"], job["printed"]) == ("confirmed", 4, 4)
        assert start_job(page, printer, "click-0001")["state"] == "confirmed"
        assert len(zebra.received) == 4

    def test_reports_sent_if_the_printer_has_no_status(self, page: httpx.Client) -> None:
        silent = StandInPrinter()
        printer = add_printer(page, silent.port, "Office")
        start_job(page, printer, "click-0002", *build_labels(2))
        job = wait_for_job(page, "click-0002")
        assert (job["state"], job["printed"], job["form"]) == ("sent", 2, "png")
        silent.close()

    def test_shows_why_the_printer_waits_and_stops_the_job(
        self, page: httpx.Client, zebra: Zebra
    ) -> None:
        zebra.paper = 2
        printer = add_printer(page, zebra.port)
        start_job(page, printer, "click-0003", *build_labels(11))
        waiting_job = wait_for_job(page, "click-0003", lambda job: bool(job["waitsFor"]))
        assert (waiting_job["state"], waiting_job["printed"]) == ("printing", 2)
        assert waiting_job["waitsFor"] == ["paper-out"]
        page.post("/device/print-jobs/click-0003/stop")
        job = wait_for_job(page, "click-0003")
        assert (job["state"], job["printed"], job["unknown"]) == ("failed", 2, 0)
        assert "out of labels" in str(job["error"])

    def test_prints_nothing_if_stopped_while_waiting(
        self, page: httpx.Client, zebra: Zebra
    ) -> None:
        zebra.paper = 1
        printer = add_printer(page, zebra.port)
        start_job(page, printer, "click-0004", *build_labels(5))
        start_job(page, printer, "click-0005", build_label(77))
        wait_for_job(page, "click-0004", lambda job: bool(job["waitsFor"]))
        stopped_job = page.post("/device/print-jobs/click-0005/stop").json()
        assert stopped_job["state"] == "waiting"
        zebra.resume()
        assert wait_for_job(page, "click-0004")["state"] == "confirmed"
        assert wait_for_job(page, "click-0005")["state"] == "stopped"
        assert len(zebra.received) == 5

    def test_reports_the_labels_that_were_printed(self, page: httpx.Client, zebra: Zebra) -> None:
        zebra.resets_after = 2
        printer = add_printer(page, zebra.port)
        start_job(page, printer, "click-0006", *build_labels(11))
        job = wait_for_job(page, "click-0006")
        assert (job["state"], job["printed"], job["unknown"]) == ("failed", 1, 1)
        assert job["code"] == "printer_timed_out"
        assert job["error"] == messages.PRINTER_TIMED_OUT.format(printer="Zebra bench")

    def test_a_frozen_printer_does_not_delay_other_jobs(
        self, page: httpx.Client, zebra: Zebra
    ) -> None:
        frozen_printer = Zebra(hangs_after=1)
        slow, quick = (
            add_printer(page, frozen_printer.port, "Zebra 1"),
            add_printer(page, zebra.port),
        )
        start_job(page, slow, "click-0007", *build_labels(3))
        wait_for(lambda: bool(frozen_printer.received))
        start_job(page, quick, "click-0008")
        assert wait_for_job(page, "click-0008")["state"] == "confirmed"
        assert page.get("/device/print-jobs/click-0007").json()["state"] in ("printing", "failed")
        frozen_printer.close()

    def test_prints_a_test_label_with_a_ruler(self, page: httpx.Client, zebra: Zebra) -> None:
        printer = add_printer(page, zebra.port, dpi=300, size="3x1", darkness=18)
        body = {"printerId": printer, "id": "click-0009"}
        assert page.post("/device/print-jobs/ruler", json=body).status_code == 202
        assert wait_for_job(page, "click-0009")["state"] == "confirmed"
        assert b"^PW900^LL300" in zebra.printed[0]
        assert b"ZPL 300 dpi 3x1 in" in zebra.printed[0]


class TestHistory:
    def test_stores_the_history_of_each_requisition(
        self, zebra: Zebra, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        folder, station = tmp_path / "config", Workstation(keyring=lambda: None)
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            printer = add_printer(page, zebra.port)
            start_job(page, printer, "click-0010", codes=["R260000001", "R260000002"])
            start_job(page, printer, "click-0011", codes=["R260000002"])
            wait_for_job(page, "click-0010")
            wait_for_job(page, "click-0011")
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            jobs = page.get("/device/print-jobs", params={"code": "R260000002"}).json()
            assert [job["id"] for job in jobs] == ["click-0011", "click-0010"]
            assert len(page.get("/device/print-jobs?code=R260000001").json()) == 1
            start_job(page, printer, "click-0011")
        assert len(zebra.received) == 2

    def test_one_unreadable_record_does_not_lose_the_others(
        self, portal: StandInPortal, zebra: Zebra, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        """A record may be from a later version of the app."""
        folder, station = tmp_path / "config", Workstation(keyring=lambda: None)
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            printer = add_printer(page, zebra.port)
            for key in ("click-0018", "click-0019"):
                start_job(page, printer, key, codes=["R260000001"])
                wait_for_job(page, key)
        for name in ("print-jobs", "print-reports"):
            file = folder / f"{name}.json"
            stored = json.loads(file.read_text())
            stored["click-0018"]["state"] = "resting"
            stored["click-0019"]["reel"] = 2
            file.write_text(json.dumps(stored))
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            [job] = page.get("/device/print-jobs").json()
            assert page.post("/auth/login", json=SIGN_IN).status_code == 200
            start_job(page, printer, "click-0020", codes=["R260000001"])
            wait_for(lambda: len(list_reports(portal)) == 2)
        assert job["id"] == "click-0019"
        assert "click-0018" in json.loads((folder / "print-reports.broken").read_text())

    def test_fails_and_reports_a_job_whose_app_was_closed(
        self, portal: StandInPortal, zebra: Zebra, portal_url: str, tmp_path: Path, ui_dir: Path
    ) -> None:
        zebra.paper = 1
        folder, station = tmp_path / "config", Workstation(keyring=lambda: None)
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            printer = add_printer(page, zebra.port)
            assert page.post("/auth/login", json=SIGN_IN).status_code == 200
            start_job(page, printer, "click-0012", *build_labels(3), codes=["R260000001"])
            wait_for_job(page, "click-0012", lambda job: bool(job["waitsFor"]))
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            job = page.get("/device/print-jobs/click-0012").json()
            assert page.post("/auth/login", json=SIGN_IN).status_code == 200
            assert (job["state"], job["code"]) == ("failed", "app_ended")
            assert (job["printed"], job["unknown"]) == (1, 0)
            zebra.resume()
            start_job(page, printer, "click-0016", codes=["R260000001"])
            wait_for(lambda: len(list_reports(portal)) == 2)
        [report] = [x for x in list_reports(portal) if "click-0012" in str(x["path"])]
        assert json.loads(str(report["body"]))["printed"] == 1

    async def test_a_full_disk_prints_nothing_and_ends_no_job_twice(
        self, zebra: Zebra, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jobs = PrintJobs(tmp_path / "jobs.json", {"tcp": TcpPrinter(allows_any_address=True)})
        job = build_job(Printer("z", "Zebra", "tcp", zebra.address, "zpl"))

        def fail(_path: Path, _content: bytes) -> None:
            raise OSError(ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(files, "write_atomically", fail)
            with pytest.raises(Conflict, match="No space left on device"):
                jobs.start("click-0017", job)
        jobs.start("click-0017", job)
        monkeypatch.setattr(files, "write_atomically", fail)
        record = await jobs.wait("click-0017")
        assert record.state == "confirmed"
        assert jobs.get("click-0017").state == "confirmed"
        assert len(zebra.printed) == 1

    def test_answers_404_for_an_unknown_job(self, page: httpx.Client) -> None:
        assert page.get("/device/print-jobs/nobody-knows").status_code == 404


class TestReports:
    """The portal learns the outcomes of labels."""

    def test_reports_reach_the_portal_before_the_job_ends(
        self, portal: StandInPortal, signed_in_page: httpx.Client, zebra: Zebra
    ) -> None:
        printer = add_printer(signed_in_page, zebra.port)
        start_job(signed_in_page, printer, "click-0013", codes=["R260000001"])
        wait_for_job(signed_in_page, "click-0013")
        (report,) = list_reports(portal)
        assert report["method"] == "PUT"
        assert report["path"] == "/api/v2/requisitions/label-prints/click-0013/outcome"
        assert '"state": "confirmed"' in str(report["body"])

    def test_reports_wait_until_somebody_is_signed_in(
        self, portal: StandInPortal, host: DesktopHost, page: httpx.Client, zebra: Zebra
    ) -> None:
        printer = add_printer(page, zebra.port)
        start_job(page, printer, "click-0014", codes=["R260000001"])
        wait_for_job(page, "click-0014")
        assert list_reports(portal) == []
        assert (host.config_dir / "print-reports.json").read_text() != "{}"
        assert page.post("/auth/login", json=SIGN_IN).status_code == 200
        start_job(page, printer, "click-0015", codes=["R260000001"])
        wait_for_job(page, "click-0015")
        wait_for(lambda: len(list_reports(portal)) == 2)
        wait_for(lambda: (host.config_dir / "print-reports.json").read_text() == "{}")

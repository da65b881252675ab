"""Label printing: real TCP connections, and stand-ins for CUPS and the Windows spooler."""

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from app.contract import messages
from app.desktop.application import Workstation
from app.desktop.errors import PrinterRefused, PrinterTimedOut, PrinterUnreachable
from app.desktop.printers.cups import CupsPrinters
from app.desktop.printers.language import guess_language
from app.desktop.printers.port import Printer, PrintJob
from app.desktop.printers.spooler import SpoolerPrinters
from app.desktop.printers.tcp import TcpPrinter
from tests.desktop.host import run_sidecar
from tests.desktop.printing import PICTURE, FakeCups, FakeSpooler, build_label
from tests.desktop.standins import StandInPrinter


@pytest.fixture
def printer() -> Iterator[StandInPrinter]:
    """A network printer that is switched on."""
    standing = StandInPrinter()
    yield standing
    standing.close()


def add_printer(page: httpx.Client, port: int, name: str = "Zebra bench", **more: object) -> str:
    """Add a network printer and return its id."""
    body = {"name": name, "host": "127.0.0.1", "port": port, **more}
    answer = page.post("/device/printers", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def print_to(
    page: httpx.Client, key: str, copies: int = 1, *labels: dict[str, str]
) -> httpx.Response:
    body = {"printerId": key, "copies": copies, "labels": list(labels) or [build_label()]}
    return page.post("/device/print", json=body)


class TestNetworkPrinter:
    def test_sends_complete_zpl_in_order(self, page: httpx.Client, printer: StandInPrinter) -> None:
        key = add_printer(page, printer.port)
        answer = print_to(page, key, 2, build_label(1), build_label(2))
        assert answer.json() == {"printed": 4}
        one_set = "".join(build_label(n)["zpl"] + "\n" for n in (1, 2)).encode()
        assert printer.wait_for_jobs() == [one_set * 2]

    def test_sends_epl_in_its_code_page(self, page: httpx.Client, printer: StandInPrinter) -> None:
        print_to(page, add_printer(page, printer.port, "Old EPL"))
        assert printer.wait_for_jobs() == [build_label()["epl"].encode("latin-1")]

    def test_prints_the_image_if_the_language_is_unknown(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        print_to(page, add_printer(page, printer.port, "Label printer"), 2)
        assert printer.wait_for_jobs() == [base64.b64decode(PICTURE) * 2]

    def test_prefers_the_language_setting_to_the_name(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        print_to(page, add_printer(page, printer.port, "Zebra in EPL mode", language="epl"))
        assert printer.wait_for_jobs()[0].startswith(b"\nN\n")

    def test_sends_a_long_job_completely(self, page: httpx.Client, printer: StandInPrinter) -> None:
        big = {**build_label(), "zpl": "^XA" + "^FDx^FS" * 50_000 + "^XZ"}
        assert print_to(page, add_printer(page, printer.port), 1, big, big, big).status_code == 200
        assert printer.wait_for_jobs() == [(big["zpl"] + "\n").encode() * 3]

    def test_does_not_mix_the_jobs_of_two_windows(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        key = add_printer(page, printer.port)
        with ThreadPoolExecutor(6) as pool:
            statuses = list(
                pool.map(lambda n: print_to(page, key, 3, build_label(n)).status_code, range(6))
            )
        assert statuses == [200] * 6
        expected = sorted((build_label(n)["zpl"] + "\n").encode() * 3 for n in range(6))
        assert sorted(printer.wait_for_jobs(6)) == expected

    def test_reports_a_printer_that_is_off(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        key = add_printer(page, printer.port)
        printer.close()
        answer = print_to(page, key)
        assert answer.status_code == 503
        assert answer.json()["code"] == "printer_unreachable"
        expected = messages.PRINTER_UNREACHABLE.format(printer="Zebra bench")
        assert answer.json()["detail"] == expected

    def test_does_not_queue_jobs_for_a_printer_that_is_off(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        key = add_printer(page, printer.port)
        printer.close()
        print_to(page, key)
        back = StandInPrinter()
        page.put(f"/device/printers/{key}", json={"port": back.port})
        print_to(page, key, 1, build_label(2))
        assert back.wait_for_jobs() == [(build_label(2)["zpl"] + "\n").encode()]
        back.close()

    @pytest.mark.parametrize("bytes_", [200_000, 20_000_000])
    async def test_reports_a_printer_that_stalls(self, bytes_: int) -> None:
        stalled = StandInPrinter(stalls=True)
        port = TcpPrinter(stall_seconds=0.4, allows_any_address=True)
        job = PrintJob(_build_network_printer(stalled.port), data=b"^" * bytes_)
        with pytest.raises(PrinterTimedOut) as raised:
            await port.send(job)
        assert raised.value.detail == messages.PRINTER_TIMED_OUT.format(printer="Bench")
        stalled.close()

    async def test_reports_a_printer_that_resets_the_connection(self) -> None:
        breaking = StandInPrinter(resets_after=1_000)
        with pytest.raises(PrinterTimedOut):
            await TcpPrinter(allows_any_address=True).send(
                PrintJob(_build_network_printer(breaking.port), data=b"^" * 5_000_000)
            )
        breaking.close()

    async def test_reports_an_address_that_does_not_answer(self) -> None:
        nowhere = Printer("x", "Bench", "tcp", "192.0.2.1:9100", "zpl")
        with pytest.raises(PrinterUnreachable):
            await TcpPrinter(connect_seconds=0.3).send(PrintJob(nowhere, data=b"^XA^XZ"))


def _build_network_printer(port: int) -> Printer:
    return Printer("x", "Bench", "tcp", f"127.0.0.1:{port}", "zpl")


class TestPrinterSettings:
    def test_guesses_the_language_from_the_name(self) -> None:
        guesses = {"Zebra 1": "zpl", "my zpl": "zpl", "EPL2": "epl", "HP": None, "ZEBRA EPL": "zpl"}
        assert {name: guess_language(name) for name in guesses} == guesses

    def test_adds_changes_and_removes_a_printer(self, page: httpx.Client) -> None:
        key = add_printer(page, 9100, "Bench", dpi=300)
        expected = {
            "id": key, "name": "Bench", "kind": "tcp", "address": "127.0.0.1:9100",
            "language": None, "dpi": 300, "isDefault": True,
        }  # fmt: skip
        assert page.get("/device/printers").json() == [expected]
        changed = page.put(f"/device/printers/{key}", json={"language": "zpl", "name": "B2"})
        assert changed.json()["language"] == "zpl" and changed.json()["name"] == "B2"
        assert changed.json()["dpi"] == 300
        assert page.delete(f"/device/printers/{key}").status_code == 204
        assert page.get("/device/printers").json() == []

    def test_makes_the_chosen_printer_the_default(self, page: httpx.Client) -> None:
        keys = [add_printer(page, 9100, name) for name in ("A", "B")]
        assert not any(p["isDefault"] for p in page.get("/device/printers").json())
        page.put("/device/preferences/printer", json={"value": keys[1]})
        assert [p["isDefault"] for p in page.get("/device/printers").json()] == [False, True]
        page.delete(f"/device/printers/{keys[1]}")
        assert "printer" not in page.get("/device/preferences").json()

    def test_answers_404_for_an_unknown_printer(self, page: httpx.Client) -> None:
        answer = print_to(page, "tcp:nobody")
        assert answer.status_code == 404
        assert answer.json()["detail"] == messages.PRINTER_UNKNOWN

    @pytest.mark.parametrize(
        "wrong",
        [
            {"host": "a b"},
            {"host": "http://x/"},
            {"host": ""},
            {"port": 0},
            {"port": 70_000},
            {"language": "pcl"},
            {"dpi": 5},
            {"name": ""},
            {"color": "red"},
        ],
    )
    def test_names_the_field_of_an_invalid_setting(
        self, page: httpx.Client, wrong: dict[str, object]
    ) -> None:
        body = {"name": "A", "host": "10.0.0.1", "port": 9100, **wrong}
        answer = page.post("/device/printers", json=body)
        assert answer.status_code == 400
        assert [e["field"] for e in answer.json()["errors"]] == list(wrong)

    @pytest.mark.parametrize(
        "wrong",
        [{"copies": 0}, {"copies": 99}, {"labels": []}, {"labels": [{"title": 1}]}],
    )
    def test_rejects_invalid_print_requests(
        self, page: httpx.Client, wrong: dict[str, object]
    ) -> None:
        body = {"printerId": "x", "copies": 1, "labels": [build_label()], **wrong}
        assert page.post("/device/print", json=body).status_code == 400

    def test_rejects_a_broken_image_before_printing(
        self, page: httpx.Client, printer: StandInPrinter
    ) -> None:
        key = add_printer(page, printer.port, "Label printer")
        answer = print_to(
            page, key, 1, build_label(), {**build_label(), "image": "bm90IGEgcGljdHVyZQ=="}
        )
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "labels.1.image"
        assert printer.jobs == []

    def test_keeps_settings_across_restarts_and_tolerates_a_broken_file(
        self, tmp_path: Path, ui_dir: Path, portal_url: str
    ) -> None:
        folder = tmp_path / "stored"
        station = Workstation(keyring=lambda: None)
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            key = add_printer(page, 9100)
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            assert [p["id"] for p in page.get("/device/printers").json()] == [key]
        (folder / "printers.json").write_text('{"half')
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            assert page.get("/device/printers").json() == []
        assert (folder / "printers.broken").read_text() == '{"half'


class TestCups:
    """Tests against programs that behave like CUPS's commands."""

    @pytest.fixture
    def cups(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeCups:
        fake = FakeCups(tmp_path / "cups")
        monkeypatch.setenv("PATH", f"{fake.bin}:/usr/bin:/bin")
        return fake

    @staticmethod
    def build_job(**more: object) -> PrintJob:
        printer = Printer("cups:ZEBRA_Bench", "ZEBRA_Bench", "cups", "ZEBRA_Bench", "zpl")
        return PrintJob(printer, **more)

    async def test_lists_its_queues(self, cups: FakeCups) -> None:
        printers = await CupsPrinters().list_printers()
        summary = [(p.id, p.language, p.is_default) for p in printers]
        assert summary == [("cups:ZEBRA_Bench", "zpl", False), ("cups:Office", None, True)]

    async def test_sends_commands_raw(self, cups: FakeCups) -> None:
        await CupsPrinters().send(self.build_job(data=b"^XA^XZ"))
        assert cups.jobs == {"ZEBRA_Bench-1": b"^XA^XZ"}
        assert any("-d ZEBRA_Bench -o raw -t Labels" in call for call in cups.calls)

    async def test_sends_images_through_the_filters(self, cups: FakeCups) -> None:
        await CupsPrinters().send(self.build_job(pictures=(b"1", b"2")))
        assert list(cups.jobs.values()) == [b"1", b"2"]
        assert not any("raw" in call for call in cups.calls)

    async def test_waits_for_a_slow_job(self, cups: FakeCups) -> None:
        cups.set_mode("slow")
        await CupsPrinters().send(self.build_job(data=b"^XA^XZ"))
        assert not any(call.startswith("cancel") for call in cups.calls)

    async def test_cancels_a_job_for_a_dead_printer(self, cups: FakeCups) -> None:
        cups.set_mode("dead")
        with pytest.raises(PrinterTimedOut):
            await CupsPrinters(job_seconds=0.6).send(self.build_job(data=b"^XA^XZ"))
        assert "cancel ZEBRA_Bench-1" in cups.calls

    async def test_reports_an_aborted_job(self, cups: FakeCups) -> None:
        cups.set_mode("aborts")
        with pytest.raises(PrinterRefused):
            await CupsPrinters().send(self.build_job(data=b"^XA^XZ"))

    async def test_reports_a_missing_queue(self, cups: FakeCups) -> None:
        cups.set_mode("refuses")
        with pytest.raises(PrinterUnreachable):
            await CupsPrinters().send(self.build_job(data=b"^XA^XZ"))

    async def test_lists_no_queues_without_cups(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        assert await CupsPrinters().list_printers() == []
        with pytest.raises(PrinterUnreachable):
            await CupsPrinters().send(self.build_job(data=b"^XA^XZ"))

    def test_prints_to_and_configures_a_queue_by_the_routes(
        self, cups: FakeCups, page: httpx.Client
    ) -> None:
        assert {p["name"] for p in page.get("/device/printers").json()} == {"ZEBRA_Bench", "Office"}
        changed = page.put("/device/printers/cups:Office", json={"language": "epl", "dpi": 300})
        assert changed.status_code == 200
        assert page.put("/device/printers/cups:Office", json={"name": "X"}).status_code == 409
        assert page.delete("/device/printers/cups:Office").status_code == 409
        assert print_to(page, "cups:Office").json() == {"printed": 1}
        assert list(cups.jobs.values()) == [build_label()["epl"].encode("latin-1")]


class TestWindowsSpooler:
    """Tests against an object with pywin32's calls."""

    @staticmethod
    def build_job(name: str = "ZDesigner ZPL") -> PrintJob:
        printer = Printer(f"windows:{name}", name, "windows", name, "zpl")
        return PrintJob(printer, data=b"^XA^XZ" * 500)

    async def test_lists_its_printers(self) -> None:
        printers = await SpoolerPrinters(FakeSpooler()).list_printers()
        summary = [(p.name, p.language, p.is_default) for p in printers]
        assert summary == [("ZDesigner ZPL", "zpl", True), ("Eltron EPL2", "epl", False),
                        ("Laser", None, False)]  # fmt: skip

    async def test_sends_complete_commands_raw(self) -> None:
        spool = FakeSpooler()
        await SpoolerPrinters(spool).send(self.build_job())
        assert spool.printed == b"^XA^XZ" * 500
        assert spool.documents == [("Labels", None, "RAW")]
        assert spool.open_handles == 0 and spool.deleted == []

    async def test_deletes_a_job_that_does_not_end(self) -> None:
        spool = FakeSpooler(leaves_after=99)
        with pytest.raises(PrinterTimedOut):
            await SpoolerPrinters(spool, job_seconds=0.4).send(self.build_job())
        assert spool.deleted == [41] and spool.open_handles == 0

    async def test_reports_an_offline_printer(self) -> None:
        spool = FakeSpooler(status=0x20, leaves_after=99)
        with pytest.raises(PrinterRefused):
            await SpoolerPrinters(spool).send(self.build_job())
        assert spool.deleted == [41]

    async def test_reports_a_missing_printer(self) -> None:
        with pytest.raises(PrinterUnreachable):
            await SpoolerPrinters(FakeSpooler()).send(self.build_job("gone"))


def test_stores_settings_as_plain_json(tmp_path: Path, page: httpx.Client) -> None:
    key = add_printer(page, 9100, "Zebra")
    stored = json.loads((tmp_path / "config" / "printers.json").read_text())
    assert stored[key]["language"] == "zpl"

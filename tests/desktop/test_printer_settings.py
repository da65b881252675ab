"""The printers of a workstation and their settings."""

import errno
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from app.contract import messages
from app.desktop.application import Workstation
from app.desktop.files import JsonFile
from app.desktop.printers.language import Label, build_print_job, guess_density, guess_language
from app.desktop.printers.port import Adjustments, Printer
from tests.desktop.host import run_sidecar
from tests.desktop.printing import add_printer, build_label, print_to
from tests.desktop.standins import StandInPrinter
from tests.desktop.zebra import Zebra


@pytest.fixture
def printer() -> Iterator[StandInPrinter]:
    """A network printer that is switched on and never answers."""
    printer = StandInPrinter()
    yield printer
    printer.close()


class TestPrinterSettings:
    def test_guesses_the_language_from_the_name(self) -> None:
        guesses = {"Zebra 1": "zpl", "my zpl": "zpl", "EPL2": "epl", "HP": None, "ZEBRA EPL": "zpl"}
        assert {name: guess_language(name) for name in guesses} == guesses

    def test_guesses_language_and_density_from_model_and_device(self) -> None:
        assert guess_language("front", "Zebra ZD420", "") == "zpl"
        assert guess_language("front", "", "MFG:Zebra;CMD:EPL;") == "epl"
        assert guess_language("front", "Zebra EPL2 Label Printer") == "epl"
        assert guess_language("front", "Local Raw Printer", "socket://10.0.0.9") is None
        assert guess_density("front", "ZTC ZD420-300dpi ZPL") == 300
        assert guess_density("front", "HP LaserJet 1200") is None

    def test_adds_changes_and_removes_a_printer(self, page: httpx.Client) -> None:
        key = add_printer(page, 9100, "Bench", dpi=300)
        expected = {
            "id": key, "name": "Bench", "kind": "tcp", "address": "127.0.0.1:9100",
            "language": None, "dpi": 300, "isDefault": True, "size": "2x1", "darkness": None,
            "speed": None, "offsetX": 0.0, "offsetY": 0.0, "changedBy": None,
        }  # fmt: skip
        [printer] = page.get("/device/printers").json()
        assert printer.pop("changedAt")
        assert printer.pop("changedSettings") == []
        assert printer == expected
        change_answer = page.put(f"/device/printers/{key}", json={"language": "zpl", "name": "B2"})
        assert change_answer.json()["language"] == "zpl" and change_answer.json()["name"] == "B2"
        assert change_answer.json()["dpi"] == 300
        assert change_answer.json()["changedSettings"] == ["name", "language"]
        assert page.delete(f"/device/printers/{key}").status_code == 204
        assert page.get("/device/printers").json() == []

    def test_images_that_somebody_has_chosen_count_more_than_the_name(
        self, page: httpx.Client
    ) -> None:
        add_printer(page, 9100, "Zebra by its driver", language=None)
        add_printer(page, 9100, "Zebra by its name")
        languages = [p["language"] for p in page.get("/device/printers").json()]
        assert languages == [None, "zpl"]

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
        "value",
        [
            {"host": "a b"},
            {"host": "http://x/"},
            {"host": ""},
            {"port": 0},
            {"port": 70_000},
            {"language": "pcl"},
            {"dpi": 5},
            {"size": "9x9"},
            {"darkness": 31},
            {"offsetX": 11},
            {"name": ""},
            {"color": "red"},
        ],
    )
    def test_names_the_field_of_an_invalid_setting(
        self, page: httpx.Client, value: dict[str, object]
    ) -> None:
        body = {"name": "A", "host": "10.0.0.1", "port": 9100, **value}
        answer = page.post("/device/printers", json=body)
        assert answer.status_code == 400
        assert [e["field"] for e in answer.json()["errors"]] == list(value)

    @pytest.mark.parametrize(
        "value",
        [{"copies": 0}, {"copies": 99}, {"labels": []}, {"labels": [{"title": 1}]}],
    )
    def test_rejects_invalid_print_requests(
        self, page: httpx.Client, value: dict[str, object]
    ) -> None:
        body = {"printerId": "x", "copies": 1, "labels": [build_label()], **value}
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

    def test_a_mistake_in_one_printer_does_not_lose_the_others(
        self, tmp_path: Path, ui_dir: Path, portal_url: str
    ) -> None:
        folder = tmp_path / "stored"
        station = Workstation(keyring=lambda: None)
        file = folder / "printers.json"
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            wrong, right = add_printer(page, 9100), add_printer(page, 9101)
        stored = json.loads(file.read_text())
        stored[wrong]["dpi"] = "203 dpi"
        file.write_text(json.dumps(stored))
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            assert [p["id"] for p in page.get("/device/printers").json()] == [right]
            new = add_printer(page, 9102)
        assert set(json.loads(file.read_text())) == {right, new}
        assert json.loads((folder / "printers.broken").read_text()) == stored

    def test_says_that_settings_cannot_be_written(
        self, page: httpx.Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        page.put("/device/preferences/printer", json={"value": "tcp:1"})
        monkeypatch.setattr(JsonFile, "write", fail)
        printer = {"name": "Bench", "host": "127.0.0.1"}
        for answer, file in (
            (page.post("/device/printers", json=printer), "printers.json"),
            (page.put("/device/preferences/printer", json={"value": "a"}), "preferences.json"),
            (page.delete("/device/preferences/printer"), "preferences.json"),
        ):
            assert answer.status_code == 409
            assert f"{file} cannot be changed: No space left" in answer.json()["detail"]
        assert page.get("/device/printers").json() == []
        assert page.get("/device/preferences").json() == {"printer": "tcp:1"}

    def test_adjusts_each_label(self) -> None:
        label = Label("A", "", "^XA^CI28^FDX^FS^XZ\n", '\nN\nA1,1,0,1,1,1,N,"X"\nP1\n')
        settings = Adjustments(darkness=18, speed=4, offset_x=1.0, offset_y=-0.5)
        printer = Printer("x", "X", "tcp", "h:1", "zpl", dpi=203, adjustments=settings)
        zpl = build_print_job(printer, [label], 1).labels[0]
        assert zpl == b"~SD18^XA^PR4^LS-8^LT-4^CI28^FDX^FS^XZ\n"
        epl = build_print_job(replace(printer, language="epl"), [label], 1).labels[0]
        assert epl.startswith(b"\nS4\nD9\nR8,0\nN\n")

    def test_asks_a_printer_for_language_and_density(self, page: httpx.Client) -> None:
        zebra = Zebra(model="ZD421-300dpi,V93.21.26Z,12,8176KB")
        address = {"host": "127.0.0.1", "port": zebra.port}
        answer = page.post("/device/printers/search", json=address)
        expected = {**address, "model": "ZD421-300dpi", "language": "zpl", "dpi": 300}
        assert answer.json() == [expected]
        zebra.close()
        answer = page.post("/device/printers/search", json=address)
        assert answer.json()["code"] == "printer_unreachable"
        assert f"127.0.0.1:{zebra.port} does not answer" in answer.json()["detail"]

    def test_returns_the_status_of_a_printer(self, page: httpx.Client) -> None:
        zebra = Zebra(paper=0)
        key = add_printer(page, zebra.port)
        status = page.get(f"/device/printers/{key}/status").json()
        assert status == {"isKnown": True, "problems": ["paper-out"], "waiting": 0}
        zebra.close()
        assert page.get(f"/device/printers/{key}/status").status_code == 503


def test_keeps_the_printers_of_a_later_version(
    tmp_path: Path, ui_dir: Path, portal_url: str
) -> None:
    folder, station = tmp_path / "stored", Workstation(keyring=lambda: None)
    with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
        key = add_printer(page, 9100)
    file = folder / "printers.json"
    stored_printers = json.loads(file.read_text())
    stored_printers[key]["cutter"] = True
    file.write_text(json.dumps(stored_printers))
    with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
        assert [p["id"] for p in page.get("/device/printers").json()] == [key]


def test_stores_settings_as_plain_json(tmp_path: Path, page: httpx.Client) -> None:
    key = add_printer(page, 9100, "Zebra")
    stored_printers = json.loads((tmp_path / "config" / "printers.json").read_text())
    assert stored_printers[key]["language"] == "zpl"

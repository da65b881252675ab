"""Labels and print jobs, and a stand-in for the Windows spooler."""

import base64
import io
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import httpx
import pytest
from PIL import Image

from app.desktop.printers.port import Printer, PrintJob


def build_picture() -> str:
    """Return a small picture in base64."""
    file = io.BytesIO()
    Image.new("1", (40, 20), 1).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


PICTURE = build_picture()


def build_label(number: int = 1) -> dict[str, str]:
    """Build a label as the portal returns it."""
    return {
        "title": f"SST SERUM {number}",
        "image": PICTURE,
        "zpl": f"^XA^CI28^FO20,20^FH_^FDÑANDÚ {number}^FS^XZ",
        "epl": f'\nN\nA20,20,0,2,1,1,N,"ÑANDÚ {number}"\nP1\n',
    }


def build_job(printer: Printer, count: int = 1) -> PrintJob:
    """Build a job of numbered ZPL labels."""
    labels = tuple(f"^XA^FD{number}^FS^XZ\n".encode() for number in range(1, count + 1))
    return PrintJob(printer, labels)


def add_printer(page: httpx.Client, port: int, name: str = "Zebra bench", **more: object) -> str:
    """Add a network printer and return its id."""
    body = {"name": name, "host": "127.0.0.1", "port": port, **more}
    answer = page.post("/device/printers", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def print_to(
    page: httpx.Client, key: str, copies: int = 1, *labels: dict[str, str]
) -> httpx.Response:
    """Print labels and return the answer, which arrives after the last label."""
    body = {"printerId": key, "copies": copies, "labels": list(labels) or [build_label()]}
    return page.post("/device/print", json=body)


def start_job(
    page: httpx.Client, printer: str, key: str, *labels: dict[str, str], **more: object
) -> dict[str, object]:
    """Start a print job and return the answer."""
    body = {"id": key, "printerId": printer, "labels": list(labels) or [build_label()], **more}
    answer = page.post("/device/print-jobs", json=body)
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def wait_for_job(
    page: httpx.Client, key: str, is_reached: Callable[[dict[str, object]], bool] | None = None
) -> dict[str, object]:
    """Return a job once a condition holds, by default once it has ended."""
    is_reached = is_reached or _has_ended
    end = time.monotonic() + 30
    while True:
        job = dict(page.get(f"/device/print-jobs/{key}").json())
        if is_reached(job):
            return job
        assert time.monotonic() < end, job
        time.sleep(0.02)


def _has_ended(job: dict[str, object]) -> bool:
    return job["state"] not in ("waiting", "printing")


class FakeSpooler:
    """A stand-in for the calls of pywin32's ``win32print`` that the app uses."""

    def __init__(self, status: int = 0, *, leaves_after: int = 1, printer_status: int = 0) -> None:
        self.printed = b""
        self.documents: list[tuple[str, None, str]] = []
        self.deleted: list[int] = []
        self.open_handles = 0
        self.steps: list[str] = []
        self._status = status
        self._printer_status = printer_status
        self._left = leaves_after

    def GetDefaultPrinter(self) -> str:  # noqa: N802
        return "ZDesigner ZPL"

    def EnumPrinters(self, flags: int) -> list[tuple[int, str, str, str]]:  # noqa: N802
        names = ("ZDesigner ZPL", "Eltron EPL2", "Laser", "Bench")
        return [(0, "", name, "") for name in names]

    def OpenPrinter(self, name: str) -> str:  # noqa: N802
        if name == "gone":
            raise RuntimeError("The printer name is invalid.")
        self.open_handles += 1
        return name

    def GetPrinter(self, handle: str, level: int) -> dict[str, object]:  # noqa: N802
        assert level == 2
        driver = "ZDesigner ZD420-300dpi ZPL" if handle == "Bench" else handle
        return {"pDriverName": driver, "Status": self._printer_status, "cJobs": 0}

    def ClosePrinter(self, handle: str) -> None:  # noqa: N802
        self.open_handles -= 1

    def StartDocPrinter(self, handle: str, level: int, info: tuple[str, None, str]) -> int:  # noqa: N802
        self.documents.append(info)
        return 41

    def StartDoc(self, context: int, info: tuple[str, None, None, int]) -> int:  # noqa: N802
        assert context == FakeContext.OUTPUT
        self.documents.append((info[0], info[1], "driver"))
        return 41

    def AbortDoc(self, context: int) -> None:  # noqa: N802
        self.steps.append("abort")

    def EndDocPrinter(self, handle: str) -> None:  # noqa: N802
        pass

    def StartPagePrinter(self, handle: str) -> None:  # noqa: N802
        pass

    def EndPagePrinter(self, handle: str) -> None:  # noqa: N802
        pass

    def WritePrinter(self, handle: str, data: bytes) -> int:  # noqa: N802
        accepted_data = data[:1000]
        self.printed += accepted_data
        return len(accepted_data)

    def EnumJobs(self, handle: str, first: int, count: int, level: int) -> list[dict[str, int]]:  # noqa: N802
        self._left -= 1
        if self._left < 0 or 41 in self.deleted:
            return []
        return [{"JobId": 40, "Status": 0}, {"JobId": 41, "Status": self._status}]

    def SetJob(self, handle: str, job: int, level: int, info: None, command: int) -> None:  # noqa: N802
        assert command == 5
        self.deleted.append(job)


class FakeContext:
    """A stand-in for a printer's device context of pywin32's ``win32ui``."""

    OUTPUT = 7

    def __init__(self, steps: list[str]) -> None:
        self._steps = steps

    def CreatePrinterDC(self, name: str) -> None:  # noqa: N802
        self._steps.append(f"open {name}")

    def GetHandleOutput(self) -> int:  # noqa: N802
        return self.OUTPUT

    def GetDeviceCaps(self, index: int) -> int:  # noqa: N802
        return {8: 400, 10: 300}[index]

    def StartPage(self) -> None:  # noqa: N802
        self._steps.append("page")

    def EndPage(self) -> None:  # noqa: N802
        self._steps.append("end of page")

    def EndDoc(self) -> None:  # noqa: N802
        self._steps.append("end")

    def DeleteDC(self) -> None:  # noqa: N802
        self._steps.append("close")


def install_fake_driver(
    monkeypatch: pytest.MonkeyPatch, steps: list[str], draw: Callable[[int, object], None]
) -> None:
    """Put stand-ins in place of the modules of Windows that draw a page through a driver."""
    dib = SimpleNamespace(draw=draw)
    context = SimpleNamespace(CreateDC=lambda: FakeContext(steps))
    monkeypatch.setitem(sys.modules, "win32ui", context)
    monkeypatch.setitem(sys.modules, "PIL.ImageWin", SimpleNamespace(Dib=lambda _: dib))

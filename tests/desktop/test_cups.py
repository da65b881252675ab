"""Printing through a real cupsd, whose backends succeed or fail in each way."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.contract import messages
from app.desktop.application import Workstation
from app.desktop.errors import (
    PrinterNotReady,
    PrinterRefused,
    PrinterStopped,
    PrinterUnreachable,
)
from app.desktop.printers.cups import CupsPrinters
from app.desktop.printers.ipp import IppAnswer, IppClient, IppUnavailable, Operation
from app.desktop.printers.port import Printer, PrintJob, Progress
from tests.desktop.cups import RealCups, run_cups
from tests.desktop.host import run_sidecar
from tests.desktop.printing import add_printer, build_job, build_label, print_to

pytestmark = pytest.mark.xdist_group("cups")


@pytest.fixture(scope="module")
def shared_cups() -> Iterator[RealCups]:
    with run_cups() as cups:
        yield cups


@pytest.fixture
def cups(shared_cups: RealCups) -> RealCups:
    """The print system, without the jobs of other tests."""
    shared_cups.forget_jobs()
    return shared_cups


def build_queue(name: str) -> Printer:
    return Printer(f"cups:{name}", name, "cups", name, "zpl")


class ForgetfulCups(IppClient):
    """A client of CUPS whose answers about jobs do not name their state."""

    async def call(self, operation: Operation, *arguments: Any, **options: Any) -> IppAnswer:
        answer = await super().call(operation, *arguments, **options)
        if operation is Operation.GET_JOB_ATTRIBUTES:
            return replace(answer, groups=())
        return answer


class LateReader(IppClient):
    """A client of CUPS that asks about a job only after CUPS has forgotten it."""

    async def call(self, operation: Operation, *arguments: Any, **options: Any) -> IppAnswer:
        answer = await super().call(operation, *arguments, **options)
        while operation is Operation.GET_JOB_ATTRIBUTES:
            answer = await super().call(operation, *arguments, **options)
        return answer


class UnsteadyCups(IppClient):
    """A client of CUPS whose first answers to one operation are lost."""

    def __init__(self, server: str, operation: Operation, lost_answers: int) -> None:
        super().__init__(server)
        self._operation, self._lost_answers = operation, lost_answers

    async def call(self, operation: Operation, *arguments: Any, **options: Any) -> IppAnswer:
        answer = await super().call(operation, *arguments, **options)
        if operation is self._operation and self._lost_answers:
            self._lost_answers -= 1
            raise IppUnavailable
        return answer


async def send_and_fail(
    cups: RealCups, queue: str, error: type[Exception], job_seconds: float = 20.0
) -> tuple[str, Progress]:
    """Return the text of the error, and the progress of the four labels of the job."""
    progress = Progress()
    with pytest.raises(error) as raised:
        await CupsPrinters(cups.client, job_seconds, job_seconds).send(
            build_job(build_queue(queue), 4), progress
        )
    assert cups.count_unfinished_jobs() == 0, "a queued job would print later"
    return str(getattr(raised.value, "detail", "")), progress


class TestQueues:
    async def test_know_language_and_density_from_model_and_device(self, cups: RealCups) -> None:
        printers = {p.name: p for p in await CupsPrinters(cups.client).list_printers()}
        zebra, eltron, laser = (printers[n] for n in ("front_desk", "old_desk", "driver"))
        assert (zebra.language, zebra.dpi, zebra.is_raw) == ("zpl", 300, True)
        assert (eltron.language, eltron.is_raw) == ("epl", False)
        assert (laser.language, laser.is_raw) == (None, False)

    async def test_report_their_state(self, cups: RealCups) -> None:
        port = CupsPrinters(cups.client)
        assert (await port.read_status(build_queue("works"))).problems == ()
        assert (await port.read_status(build_queue("off"))).problems == ("queue-stopped",)
        assert (await port.read_status(build_queue("closed"))).problems == ("queue-closed",)

    async def test_lists_no_queues_without_cups(self, tmp_path: Path) -> None:
        port = CupsPrinters(IppClient(str(tmp_path / "none.sock")))
        assert await port.list_printers() == []
        with pytest.raises(PrinterUnreachable):
            await port.send(build_job(build_queue("works")), Progress())


class TestPrinting:
    async def test_passes_commands_on_unchanged_and_in_order(self, cups: RealCups) -> None:
        progress, job = Progress(), build_job(build_queue("works"), 4)
        assert await CupsPrinters(cups.client).send(job, progress) is False
        assert cups.jobs == list(job.labels)
        assert (progress.delivered, progress.printed) == (4, 4)

    async def test_sends_pictures_through_the_driver(self, cups: RealCups) -> None:
        job = PrintJob(
            replace(build_queue("driver"), language=None), (b"\x89PNG\r\n\x1a\n",), "png"
        )
        await CupsPrinters(cups.client).send(job, Progress())
        assert cups.jobs == [b"\x89PNG\r\n\x1a\n"]

    async def test_reports_an_aborted_job_as_failed(self, cups: RealCups) -> None:
        text, progress = await send_and_fail(cups, "fails", PrinterRefused)
        assert "aborted" in text
        assert (progress.delivered, progress.printed) == (1, 0)

    async def test_reports_a_canceled_job_as_failed(self, cups: RealCups) -> None:
        text, _ = await send_and_fail(cups, "cancels", PrinterRefused)
        assert "canceled" in text

    async def test_a_job_of_unknown_state_is_not_printed(self, cups: RealCups) -> None:
        progress = Progress()
        port = CupsPrinters(ForgetfulCups(cups.socket))
        with pytest.raises(PrinterStopped):
            await port.send(build_job(build_queue("works"), 4), progress)
        assert (progress.delivered, progress.printed) == (1, 0)

    async def test_says_that_cups_forgets_its_jobs(self) -> None:
        progress = Progress()
        with run_cups("PreserveJobHistory No\n") as cups:
            with pytest.raises(PrinterStopped) as raised:
                port = CupsPrinters(LateReader(cups.socket))
                await port.send(build_job(build_queue("works"), 4), progress)
            assert len(cups.jobs) == 1
        assert raised.value.detail == messages.PRINT_JOB_FORGOTTEN.format(printer="works")
        assert (progress.delivered, progress.printed) == (1, 0)

    async def test_a_label_that_was_queued_without_an_answer_may_have_printed(
        self, cups: RealCups
    ) -> None:
        progress = Progress()
        port = CupsPrinters(UnsteadyCups(cups.socket, Operation.PRINT_JOB, 1))
        with pytest.raises(PrinterStopped):
            await port.send(build_job(build_queue("works"), 4), progress)
        assert (progress.delivered, progress.printed) == (1, 0)

    async def test_continues_after_lost_answers_about_a_job(self, cups: RealCups) -> None:
        progress = Progress()
        port = CupsPrinters(UnsteadyCups(cups.socket, Operation.GET_JOB_ATTRIBUTES, 3))
        await port.send(build_job(build_queue("works"), 2), progress)
        assert (progress.delivered, progress.printed) == (2, 2)

    async def test_cancels_a_job_about_which_nobody_answers(self, cups: RealCups) -> None:
        port = CupsPrinters(UnsteadyCups(cups.socket, Operation.GET_JOB_ATTRIBUTES, 1_000), 0.3)
        with pytest.raises(PrinterStopped):
            await port.send(build_job(build_queue("hangs"), 1), Progress())
        assert cups.count_unfinished_jobs() == 0

    async def test_a_held_job_is_canceled(self, cups: RealCups) -> None:
        text, _ = await send_and_fail(cups, "holds", PrinterStopped)
        assert "held" in text

    async def test_a_queue_that_stops_is_noticed_at_once(self, cups: RealCups) -> None:
        text, _ = await send_and_fail(cups, "stops", PrinterStopped)
        assert "its queue is stopped" in text

    async def test_nothing_is_queued_for_a_stopped_queue(self, cups: RealCups) -> None:
        text, progress = await send_and_fail(cups, "off", PrinterNotReady)
        assert "its queue is stopped" in text and progress.delivered == 0
        text, progress = await send_and_fail(cups, "closed", PrinterNotReady)
        assert "accepts no jobs" in text and progress.delivered == 0

    async def test_a_job_that_does_not_end_is_canceled_with_the_reason(
        self, cups: RealCups
    ) -> None:
        text, _ = await send_and_fail(cups, "empty", PrinterStopped, 0.6)
        assert "out of labels" in text
        text, _ = await send_and_fail(cups, "hangs", PrinterStopped, 0.6)
        assert "no progress" in text

    async def test_continues_after_somebody_has_loaded_a_roll(self, cups: RealCups) -> None:
        cups.take_paper()
        progress = Progress()
        port = CupsPrinters(cups.client)
        sending = asyncio.create_task(port.send(build_job(build_queue("roll"), 4), progress))
        while progress.waits_for != ("paper-out",):
            assert not sending.done()
            await asyncio.sleep(0.01)
        cups.load_paper()
        await sending
        assert (progress.delivered, progress.printed) == (4, 4)

    async def test_says_what_the_printer_waits_for_and_can_be_stopped(self, cups: RealCups) -> None:
        progress = Progress()
        port = CupsPrinters(cups.client)
        sending = asyncio.create_task(port.send(build_job(build_queue("empty"), 4), progress))
        while progress.waits_for != ("paper-out",):
            assert not sending.done()
            await asyncio.sleep(0.01)
        progress.stop.set()
        with pytest.raises(PrinterStopped):
            await sending
        assert cups.count_unfinished_jobs() == 0

    async def test_reports_which_labels_of_a_batch_were_passed_on(self, cups: RealCups) -> None:
        _, progress = await send_and_fail(cups, "third_fails", PrinterRefused)
        assert (progress.printed, progress.delivered) == (2, 3)

    async def test_a_missing_queue_is_unreachable(self, cups: RealCups) -> None:
        await send_and_fail(cups, "gone", PrinterUnreachable)


@pytest.fixture
def page_with_queues(
    cups: RealCups, portal_url: str, tmp_path: Path, ui_dir: Path
) -> Iterator[httpx.Client]:
    """A page of an app whose printers are the queues of the print system."""
    port = CupsPrinters(cups.client)
    station = Workstation(keyring=lambda: None, ports={"cups": port}, systems=(port,))
    with (
        run_sidecar(portal_url, tmp_path / "config", ui_dir, station) as host,
        host.open_page() as page,
    ):
        yield page


def test_a_queue_gets_the_language_of_its_model(
    cups: RealCups, page_with_queues: httpx.Client
) -> None:
    assert print_to(page_with_queues, "cups:front_desk").json() == {"printed": 1}
    assert cups.jobs == [(build_label()["zpl"] + "\n").encode()]
    check_settings_of_queues(page_with_queues)


def test_a_frozen_print_system_neither_hides_nor_delays_printers(
    cups: RealCups, page_with_queues: httpx.Client
) -> None:
    network_printer = add_printer(page_with_queues, 9100)
    all_printers = page_with_queues.get("/device/printers").json()
    assert {network_printer, "cups:works"} <= {printer["id"] for printer in all_printers}
    with cups.freeze():
        answer = page_with_queues.get("/device/printers", timeout=5)
    assert answer.json() == all_printers


def check_settings_of_queues(page: httpx.Client) -> None:
    change_answer = page.put(
        "/device/printers/cups:front_desk", json={"language": "epl", "size": "3x1"}
    )
    assert (change_answer.json()["language"], change_answer.json()["dpi"]) == ("epl", 300)
    assert page.put("/device/printers/cups:front_desk", json={"name": "X"}).status_code == 409
    assert page.delete("/device/printers/cups:front_desk").status_code == 409
    status = page.get("/device/printers/cups:off/status").json()
    assert status == {"isKnown": True, "problems": ["queue-stopped"], "waiting": 0}

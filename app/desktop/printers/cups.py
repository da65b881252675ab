"""Printing through CUPS, by IPP.

Each label is a separate job, because only then do we know which labels a queue has passed on. A job
for a dead printer would stay in its queue and print much later, so a job that does not end is
canceled.
"""

import asyncio
import urllib.parse

from app.contract import messages
from app.desktop.errors import (
    PrinterNotReady,
    PrinterRefused,
    PrinterStopped,
    PrinterUnreachable,
)
from app.desktop.printers.ipp import (
    Attributes,
    Field,
    IppClient,
    IppError,
    IppRefused,
    IppUnavailable,
    Operation,
    Tag,
)
from app.desktop.printers.language import guess_density, guess_language
from app.desktop.printers.patience import HELP_SECONDS, Patience
from app.desktop.printers.port import DEFAULT_DPI, Printer, PrintJob, Progress
from app.desktop.printers.status import PrinterStatus, Problem, describe_problems

JOB_SECONDS = 20.0
_FIRST_POLL_SECONDS = 0.02
_POLL_SECONDS = 0.25
_RAW = "application/vnd.cups-raw"
_PNG = "image/png"
_RAW_DRIVER = "Raw Printer"

# Values of 'printer-state' and 'job-state' (RFC 8011).
_STOPPED_PRINTER = 5
_NOT_FOUND = 0x0406  # 'client-error-not-found'
_CANCELED, _ABORTED, _COMPLETED = 7, 8, 9
_HELD, _STOPPED_JOB = 4, 6
_PRINTER_FIELDS = (
    "printer-name",
    "printer-make-and-model",
    "printer-device-id",
    "device-uri",
    "printer-state",
    "printer-state-reasons",
    "printer-is-accepting-jobs",
    "queued-job-count",
)
# Beginnings of 'printer-state-reasons'; severities ('-error', '-warning') follow.
_REASONS: tuple[tuple[str, Problem], ...] = (
    ("media-empty", "paper-out"),
    ("media-needed", "paper-out"),
    ("marker-supply-empty", "ribbon-out"),
    ("toner-empty", "ribbon-out"),
    ("cover-open", "head-open"),
    ("door-open", "head-open"),
    ("interlock-open", "head-open"),
    ("media-jam", "jam"),
    ("offline", "offline"),
    ("shutdown", "offline"),
    ("connecting-to-device", "offline"),
    ("timed-out", "offline"),
)
# Only these prevent a job. An empty printer does not: CUPS notices new paper by printing a job.
_CLOSED_QUEUE_PROBLEMS: tuple[Problem, ...] = ("queue-stopped", "queue-closed")


class CupsPrinters:
    """The queues of the local CUPS.

    The time limits are for one label: ``help_seconds`` while the printer waits for somebody,
    otherwise ``job_seconds``.
    """

    def __init__(
        self,
        client: IppClient | None = None,
        job_seconds: float = JOB_SECONDS,
        help_seconds: float = HELP_SECONDS,
    ) -> None:
        self._client = client or IppClient()
        self._job_seconds = job_seconds
        self._help_seconds = help_seconds

    async def list_printers(self) -> list[Printer]:
        """Return every queue of CUPS; empty if there is no CUPS."""
        try:
            queues = await self._client.call(Operation.GET_PRINTERS, "/", [_request_fields()])
        except (IppUnavailable, IppError):
            return []
        try:
            default = await self._client.call(
                Operation.GET_DEFAULT, "/", [(Tag.KEYWORD, "requested-attributes", "printer-name")]
            )
            default_name = _read_text(default.groups[0], "printer-name") if default.groups else ""
        except (IppUnavailable, IppError):
            default_name = ""
        return [_build_printer(queue, default_name) for queue in queues.groups]

    async def read_status(self, printer: Printer) -> PrinterStatus:
        """Return the state of a queue and its device, or raise ``PrinterUnreachable``."""
        try:
            answer = await self._client.call(
                Operation.GET_PRINTER_ATTRIBUTES, _get_path(printer), [_request_fields()]
            )
        except (IppUnavailable, IppError) as error:
            raise _build_unreachable(printer) from error
        return _read_status(answer.groups[0] if answer.groups else {})

    async def send(self, job: PrintJob, progress: Progress) -> bool:
        """Print label by label; CUPS passes them on, and never confirms that they were printed."""
        status = await self.read_status(job.printer)
        closed_problems = [
            problem for problem in status.problems if problem in _CLOSED_QUEUE_PROBLEMS
        ]
        if closed_problems:
            reasons = describe_problems(closed_problems)
            raise PrinterNotReady(
                messages.PRINTER_NOT_READY.format(printer=job.printer.name, reasons=reasons)
            )
        for label in job.labels:
            if progress.stop.is_set():
                break
            number = await self._print(job, label, progress)
            await self._wait_for_end(job.printer, number, progress)
            progress.printed += 1
        return False

    async def _print(self, job: PrintJob, label: bytes, progress: Progress) -> int:
        """Queue one label and return the number of its job."""
        progress.delivered += 1  # before the call, because it may be queued without an answer
        is_picture = job.form == "png"
        fields: list[Field] = [
            (Tag.NAME, "job-name", job.title),
            (Tag.MEDIA_TYPE, "document-format", _PNG if is_picture else _RAW),
        ]
        job_fields: list[Field] = [(Tag.KEYWORD, "print-scaling", "fit")] if is_picture else []
        try:
            answer = await self._client.call(
                Operation.PRINT_JOB,
                _get_path(job.printer),
                fields,
                job_fields=job_fields,
                document=label,
            )
            return int(answer.groups[0]["job-id"][0])
        except (IppRefused, IppError) as error:
            progress.delivered -= 1
            raise _build_unreachable(job.printer) from error
        except (IppUnavailable, KeyError, IndexError) as error:
            raise _build_silent(job.printer) from error

    async def _wait_for_end(self, printer: Printer, number: int, progress: Progress) -> None:
        patience = Patience(self._job_seconds, self._help_seconds)
        pause = _FIRST_POLL_SECONDS
        try:
            while not await self._has_ended(printer, number, progress, patience):
                await asyncio.sleep(pause)
                pause = min(_POLL_SECONDS, pause * 2)
        except IppError as error:
            if error.status == _NOT_FOUND:
                # Without a history, CUPS removes a job when it ends, whether or not it was printed.
                text = messages.PRINT_JOB_FORGOTTEN.format(printer=printer.name)
                raise PrinterStopped(text) from error
            raise _build_silent(printer) from error
        except asyncio.CancelledError:
            await asyncio.shield(self._cancel(printer, number))
            raise

    async def _has_ended(
        self, printer: Printer, number: int, progress: Progress, patience: Patience
    ) -> bool:
        """Whether a job was completed; raise if it failed or takes too long."""
        try:
            state = await self._read_job_state(printer, number)
            if state == _COMPLETED:
                return True
            if state in (_CANCELED, _ABORTED):
                is_canceled = state == _CANCELED
                text = messages.PRINT_JOB_CANCELED if is_canceled else messages.PRINT_JOB_ABORTED
                raise PrinterRefused(text.format(printer=printer.name))
            status = await self.read_status(printer)
        except (IppUnavailable, PrinterUnreachable) as error:
            # CUPS may be starting again, and the job may still print.
            if not patience.has_ended(()):
                return False
            await self._cancel(printer, number)
            raise _build_silent(printer) from error
        progress.waits_for = status.problems
        is_stuck = (
            state in (_HELD, _STOPPED_JOB)
            or "queue-stopped" in status.problems
            or (progress.stop.is_set() and bool(status.problems))
        )
        if is_stuck or patience.has_ended(status.problems):
            await self._give_up(printer, number, state, status)
        return False

    async def _give_up(
        self, printer: Printer, number: int, state: int, status: PrinterStatus
    ) -> None:
        """Cancel the job, so that it cannot print later, and raise the reason."""
        await self._cancel(printer, number)
        reasons = describe_problems(status.problems)
        if not reasons:
            is_held = state in (_HELD, _STOPPED_JOB)
            reasons = messages.PRINT_JOB_HELD if is_held else messages.PRINTER_STANDS_STILL
        raise PrinterStopped(messages.PRINTER_STOPPED.format(printer=printer.name, reasons=reasons))

    async def _read_job_state(self, printer: Printer, number: int) -> int:
        answer = await self._client.call(
            Operation.GET_JOB_ATTRIBUTES, _get_path(printer), [_name_job(number)]
        )
        try:
            return int(answer.groups[0]["job-state"][0])
        except (KeyError, IndexError) as error:
            # A job of unknown state must not count as printed.
            raise _build_silent(printer) from error

    async def _cancel(self, printer: Printer, number: int) -> None:
        try:
            await self._client.call(Operation.CANCEL_JOB, _get_path(printer), [_name_job(number)])
        except (IppUnavailable, IppError):
            return  # it has ended meanwhile


def _get_path(printer: Printer) -> str:
    return f"/printers/{urllib.parse.quote(printer.address)}"


def _request_fields() -> Field:
    return (Tag.KEYWORD, "requested-attributes", _PRINTER_FIELDS)


def _name_job(number: int) -> Field:
    return (Tag.INTEGER, "job-id", str(number))


def _read_text(attributes: Attributes, name: str) -> str:
    return str(attributes.get(name, [""])[0])


def _build_printer(queue: Attributes, default_name: str) -> Printer:
    name = _read_text(queue, "printer-name")
    model = _read_text(queue, "printer-make-and-model")
    device = urllib.parse.unquote(_read_text(queue, "device-uri"))
    facts = (name, model, _read_text(queue, "printer-device-id"), device)
    return Printer(
        id=f"cups:{name}",
        name=name,
        kind="cups",
        address=name,
        language=guess_language(*facts),
        dpi=guess_density(*facts) or DEFAULT_DPI,
        is_default=name == default_name,
        is_raw=not model or _RAW_DRIVER in model,
    )


def _read_status(queue: Attributes) -> PrinterStatus:
    problems: list[Problem] = []
    if queue.get("printer-is-accepting-jobs", [True])[0] is False:
        problems.append("queue-closed")
    if queue.get("printer-state", [0])[0] == _STOPPED_PRINTER:
        problems.append("queue-stopped")
    for reason in queue.get("printer-state-reasons", []):
        problems += [
            problem
            for beginning, problem in _REASONS
            if str(reason).startswith(beginning) and problem not in problems
        ]
    waiting_jobs = queue.get("queued-job-count", [0])[0]
    return PrinterStatus(problems=tuple(problems), waiting=int(waiting_jobs))


def _build_unreachable(printer: Printer) -> PrinterUnreachable:
    return PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=printer.name))


def _build_silent(printer: Printer) -> PrinterStopped:
    reasons = messages.PRINT_SYSTEM_SILENT
    return PrinterStopped(messages.PRINTER_STOPPED.format(printer=printer.name, reasons=reasons))

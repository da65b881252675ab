"""Print jobs, one for each click: progress, outcome, and the workstation's history.

Each printer prints one job at a time, and no printer waits for another.
"""

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, Protocol

import structlog
from pydantic import ConfigDict, TypeAdapter

from app.basics.errors import NotFound, PortalError
from app.contract import messages
from app.contract.limits import PRINT_HISTORY_DAYS, PRINT_HISTORY_MAX
from app.desktop.errors import PrinterUnreachable
from app.desktop.files import JsonFile, explain_failed_write
from app.desktop.printers.port import Kind, PrintForm, PrintJob, PrintPort, Progress
from app.desktop.printers.status import Problem
from app.desktop.shapes import Shape

JobState = Literal["waiting", "printing", "sent", "confirmed", "failed", "stopped"]
_RUNNING_STATES = ("waiting", "printing")
_REPORT_SECONDS = 3.0
_log = structlog.get_logger("portal.printers")


class JobRecord(Shape):
    """One print job.

    Each copy is a complete set of labels, and the sets follow each other. The first ``printed``
    labels were printed, the next ``unknown`` ones may have been, and the others were not.

    Attributes:
        form: what was sent.
        codes: the requisitions' codes.
        labels: the number of labels in all copies.
        printed: the number that were printed (``confirmed``) or passed on (``sent``).
        unknown: the number that may have been printed.
        waits_for: what the printer needs now.
    """

    id: str
    state: JobState
    printer_id: str
    printer: str
    form: PrintForm
    codes: tuple[str, ...]
    labels: int
    printed: int = 0
    unknown: int = 0
    waits_for: tuple[Problem, ...] = ()
    error: str | None = None
    code: str | None = None
    started: datetime
    ended: datetime | None = None


class StoredRecord(JobRecord):
    """A record in a file; fields of a later version of the app are ignored."""

    model_config = ConfigDict(extra="ignore")


class Reports(Protocol):
    """Reports ended jobs to the portal."""

    def store(self, record: JobRecord) -> None:
        """Store a report, to be delivered later."""
        ...

    async def report(self, record: JobRecord) -> None:
        """Store a report, and try to deliver it."""
        ...


@dataclass
class _Run:
    """A job that has not ended."""

    record: JobRecord
    job: PrintJob
    progress: Progress = field(default_factory=Progress)
    error: PortalError | None = None
    task: asyncio.Task[None] | None = None


_RECORDS = TypeAdapter(dict[str, JobRecord])


class PrintJobs:
    """Runs print jobs and remembers them.

    Each job is reported when it ends. The file has no patient data except the requisitions' codes.
    """

    def __init__(
        self, path: Path, ports: Mapping[Kind, PrintPort], reports: Reports | None = None
    ) -> None:
        self._file = JsonFile(path)
        self._ports = ports
        self._reports = reports
        self._runs: dict[str, _Run] = {}
        self._turns: dict[tuple[Kind, str], asyncio.Lock] = {}
        self._lock = threading.Lock()
        self._interrupted_records: list[JobRecord] = []
        self._report_task: asyncio.Task[None] | None = None
        self._records = self._read_history()

    def _read_history(self) -> dict[str, JobRecord]:
        """Read the history; jobs that ran when the sidecar ended have failed."""
        records: dict[str, JobRecord] = self._file.read_records(StoredRecord.model_validate)
        for key, record in records.items():
            if record.state in _RUNNING_STATES:
                records[key] = record.model_copy(
                    update={
                        "state": "failed",
                        "unknown": record.labels,
                        "error": messages.PRINT_APP_ENDED,
                        "code": "app_ended",
                        "ended": record.started,
                    }
                )
                self._interrupted_records.append(records[key])
        return records

    def report_interrupted(self) -> None:
        """Report the jobs that ran when the sidecar ended, in the background."""
        if self._interrupted_records:
            self._report_task = asyncio.create_task(self._report_all(self._interrupted_records))

    async def _report_all(self, records: list[JobRecord]) -> None:
        if self._reports is not None:
            await asyncio.gather(*(self._reports.report(record) for record in records))
        # Stored after the reports: if this sidecar ends in between, the next one reports the jobs.
        for record in records:
            self._remember_end(record)

    def start(self, key: str, job: PrintJob, codes: tuple[str, ...] = ()) -> JobRecord:
        """Start a job, or return the one that this key has started before.

        Raises:
            Conflict: the record of the job cannot be stored, so nothing is printed.
        """
        if key in self._records or key in self._runs:
            return self.get(key)
        record = JobRecord(
            id=key,
            state="waiting",
            printer_id=job.printer.id,
            printer=job.printer.name,
            form=job.form,
            codes=codes,
            labels=len(job.labels),
            started=datetime.now(UTC),
        )
        with explain_failed_write(self._file.path):
            self._remember(record)
        self._runs[key] = run = _Run(record, job)
        run.task = asyncio.create_task(self._run(run))
        return record

    def get(self, key: str) -> JobRecord:
        """Return a job as it is now, or raise NotFound."""
        run = self._runs.get(key)
        if run is not None:
            return _describe_run(run)
        record = self._records.get(key)
        if record is None:
            raise NotFound(messages.NOT_FOUND)
        return record

    def list_jobs(self, code: str | None = None) -> list[JobRecord]:
        """Return the jobs of a requisition, or all, the latest first."""
        records = [self.get(key) for key in {**self._records, **self._runs}]
        matches = [record for record in records if code is None or code in record.codes]
        return sorted(matches, key=lambda record: record.started, reverse=True)

    def stop(self, key: str) -> JobRecord:
        """Stop handing over labels; harmless for a job that has ended."""
        run = self._runs.get(key)
        if run is not None:
            run.progress.stop.set()
        return self.get(key)

    async def wait(self, key: str) -> JobRecord:
        """Wait for a job's end, or raise the printer's error."""
        run = self._runs.get(key)
        if run is not None and run.task is not None:
            await asyncio.shield(run.task)
            if run.error is not None:
                raise run.error
        return self.get(key)

    async def aclose(self) -> None:
        """Stop all jobs; the outcome of labels already handed over stays unknown."""
        tasks = [run.task for run in self._runs.values() if run.task is not None]
        if self._report_task is not None:
            tasks.append(self._report_task)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, run: _Run) -> None:
        printer = run.job.printer
        # A USB printer keeps its id when its node changes; queues and hosts may have two ids.
        place = printer.id if printer.kind == "usb" else printer.address
        turn = self._turns.setdefault((printer.kind, place), asyncio.Lock())
        try:
            async with turn:
                await self._print(run)
        except asyncio.CancelledError:
            self._end(run, "failed", messages.PRINT_APP_ENDED, "app_ended")
            if self._reports is not None:
                self._reports.store(run.record)
            raise
        except PortalError as error:
            _log.warning("print_failed", kind=printer.kind, code=error.code)
            run.error = error
            self._end(run, "failed", error.detail, error.code)
        except Exception as error:
            _log.error("print_failed", kind=printer.kind, reason=type(error).__name__)
            run.error = PrinterUnreachable(
                messages.PRINTER_UNREACHABLE.format(printer=printer.name)
            )
            self._end(run, "failed", run.error.detail, run.error.code)
        # The job is reported before others see its end, so that the next print of the same labels
        # knows about this one. A portal that does not answer must not delay anybody.
        try:
            if self._reports is not None:
                async with asyncio.timeout(_REPORT_SECONDS):
                    await self._reports.report(run.record)
        except TimeoutError:
            _log.warning("print_report_late")
        finally:
            self._runs.pop(run.record.id, None)

    async def _print(self, run: _Run) -> None:
        if run.progress.stop.is_set():
            self._end(run, "stopped")
            return
        run.record = run.record.model_copy(update={"state": "printing"})
        is_confirmed = await self._ports[run.job.printer.kind].send(run.job, run.progress)
        if not is_confirmed:
            run.progress.printed = run.progress.delivered
        if run.progress.delivered < len(run.job.labels):
            self._end(run, "stopped")
        else:
            self._end(run, "confirmed" if is_confirmed else "sent")

    def _end(
        self, run: _Run, state: JobState, error: str | None = None, code: str | None = None
    ) -> None:
        run.record = _describe_run(run).model_copy(
            update={
                "state": state,
                "error": error,
                "code": code,
                "waits_for": (),
                "ended": datetime.now(UTC),
            }
        )
        self._remember_end(run.record)

    def _remember_end(self, record: JobRecord) -> None:
        """Store the record of an ended job, or keep it until the app ends if the disk is full."""
        try:
            self._remember(record)
        except OSError as error:
            _log.error("print_history_not_written", reason=type(error).__name__)
            with self._lock:
                self._records = self._add(record)

    def _remember(self, record: JobRecord) -> None:
        """Store a record, and forget the oldest ones; raises ``OSError``, as on a full disk."""
        with self._lock:
            records = self._add(record)
            self._file.write(_RECORDS.dump_python(records, mode="json", by_alias=True))
            self._records = records

    def _add(self, record: JobRecord) -> dict[str, JobRecord]:
        """Return the records with this one as the last, without the oldest ones."""
        oldest = datetime.now(UTC) - timedelta(days=PRINT_HISTORY_DAYS)
        records = {k: r for k, r in self._records.items() if r.started > oldest}
        records.pop(record.id, None)
        records[record.id] = record
        return dict(list(records.items())[-PRINT_HISTORY_MAX:])


def _describe_run(run: _Run) -> JobRecord:
    """Return the record with the current progress."""
    progress = run.progress
    if run.record.ended is not None:
        # The job has ended, but its report is not delivered yet.
        return run.record.model_copy(update={"state": "printing", "ended": None, "error": None})
    return run.record.model_copy(
        update={
            "printed": progress.printed,
            "unknown": progress.delivered - progress.printed,
            "waits_for": progress.waits_for,
        }
    )

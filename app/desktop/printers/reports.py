"""Reports the outcomes of print jobs to the portal; reports wait here for their delivery."""

import asyncio
import contextlib
import json
import threading
from pathlib import Path

import httpx
import structlog
from pydantic import TypeAdapter

from app.contract.limits import PRINT_HISTORY_MAX
from app.desktop.errors import PortalUnreachable
from app.desktop.files import JsonFile
from app.desktop.printers.jobs import JobRecord, StoredRecord
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session

_RETRY_SECONDS = 60.0
_CALL_SECONDS = 10.0
_PATH = "/api/v2/requisitions/label-prints/{id}/outcome"
# A retry may succeed after these. After other rejections it would fail again.
_RETRIED_STATUSES = frozenset({401, 403, 404, 408, 429})
_FIRST_SERVER_ERROR = 500
_RECORDS = TypeAdapter(dict[str, JobRecord])
_log = structlog.get_logger("portal.printers")


class PrintReports:
    """Delivers reports, now or once somebody who may see the requisitions has signed in."""

    def __init__(self, path: Path, portal: Portal, session: Session) -> None:
        self._file = JsonFile(path)
        self._portal = portal
        self._session = session
        self._lock = threading.Lock()
        self._retry_task: asyncio.Task[None] | None = None
        self._portal_reached = asyncio.Event()
        self._waiting_reports: dict[str, JobRecord] = self._file.read_records(
            StoredRecord.model_validate
        )

    def start(self) -> None:
        """Deliver waiting reports, now and at intervals."""
        self._retry_task = asyncio.create_task(self._retry())

    async def aclose(self) -> None:
        """Stop trying; the reports stay in the file."""
        if self._retry_task is not None:
            self._retry_task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._retry_task

    async def report(self, record: JobRecord) -> None:
        """Store the report of a job that has requisitions, and try to deliver it."""
        self.store(record)
        if record.codes and await self._deliver(record):
            self._portal_reached.set()

    def store(self, record: JobRecord) -> None:
        """Store the report of a job that has requisitions, to be delivered later."""
        if record.codes:
            self._write({**self._waiting_reports, record.id: record})

    async def deliver_all(self) -> None:
        """Deliver the waiting reports, until an attempt shows that the others would fail, too."""
        for record in list(self._waiting_reports.values()):
            if not await self._deliver(record):
                return

    async def _retry(self) -> None:
        while True:
            self._portal_reached.clear()
            await self.deliver_all()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._portal_reached.wait(), _RETRY_SECONDS)

    async def _deliver(self, record: JobRecord) -> bool:
        """Deliver a report, and return whether it makes sense to deliver others now."""
        try:
            token = await self._session.get_token()
            if token is None:
                return False
            answer = await self._portal.fetch(
                "PUT",
                _PATH.format(id=record.id).encode(),
                [
                    (b"content-type", b"application/json"),
                    (b"authorization", b"JWT " + token.encode()),
                ],
                json.dumps(build_report(record)).encode(),
                seconds=_CALL_SECONDS,
            )
        except PortalUnreachable:
            return False
        status = answer.status_code
        if status in _RETRIED_STATUSES or status >= _FIRST_SERVER_ERROR:
            return status in (httpx.codes.FORBIDDEN, httpx.codes.NOT_FOUND)
        if status >= httpx.codes.BAD_REQUEST:
            _log.warning("print_report_rejected", status=status)
        self._write({key: r for key, r in self._waiting_reports.items() if key != record.id})
        return True

    def _write(self, records: dict[str, JobRecord]) -> None:
        with self._lock:
            self._waiting_reports = dict(list(records.items())[-PRINT_HISTORY_MAX:])
            content = _RECORDS.dump_python(self._waiting_reports, mode="json", by_alias=True)
            try:
                self._file.write(content)
            except OSError as error:  # a full disk; the reports wait in memory
                _log.error("print_reports_not_written", reason=type(error).__name__)


def build_report(record: JobRecord) -> dict[str, object]:
    """Build the portal's ``PrintOutcomeWrite``."""
    return {
        "state": record.state,
        "labels": record.labels,
        "printed": record.printed,
        "unknown": record.unknown,
        "code": record.code,
        "form": record.form,
        "ended": record.ended.isoformat() if record.ended else None,
    }

"""Printing through CUPS with its commands ``lp``, ``lpstat``, and ``cancel``.

Label commands need ``-o raw``; otherwise CUPS prints a page with their text. A job for a dead
printer stays in its queue and prints much later, so a job that does not end in time is canceled.
"""

import asyncio
import os
import re
import shutil
import subprocess

from app.contract import messages
from app.desktop.errors import PrinterRefused, PrinterTimedOut, PrinterUnreachable
from app.desktop.printers.language import guess_language
from app.desktop.printers.port import Printer, PrintJob

JOB_SECONDS = 20.0
_COMMAND_SECONDS = 10.0
_POLL_SECONDS = 0.25
_REQUEST_ID = re.compile(r"request id is (\S+-\d+)")
_DEVICE = re.compile(r"^device for ([^:]+):")
_DEFAULT = re.compile(r"system default destination: (\S+)")
# The output is parsed, so it must be in English.
_ENVIRONMENT = {"LC_ALL": "C", "LANG": "C"}


def _run_command(command: tuple[str, ...], data: bytes) -> tuple[int, str]:
    try:
        process = subprocess.run(
            command,
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_ENVIRONMENT},
            timeout=_COMMAND_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return -1, ""
    return process.returncode, process.stdout.decode("utf-8", "replace")


async def _run(*command: str, data: bytes = b"") -> tuple[int, str]:
    """Return the exit status and output of a command; -1 if it is missing or does not end."""
    # In a thread, because event loops differ in how they start processes.
    return await asyncio.to_thread(_run_command, command, data)


class CupsPrinters:
    """The queues of the local CUPS."""

    def __init__(self, job_seconds: float = JOB_SECONDS) -> None:
        self._job_seconds = job_seconds

    async def list_printers(self) -> list[Printer]:
        """Return every queue of CUPS."""
        if shutil.which("lpstat") is None:
            return []
        (_, devices), (_, default) = await asyncio.gather(
            _run("lpstat", "-v"), _run("lpstat", "-d")
        )
        default_queue = _DEFAULT.search(default)
        names = [match[1] for line in devices.splitlines() if (match := _DEVICE.match(line))]
        return [
            Printer(
                id=f"cups:{name}",
                name=name,
                kind="cups",
                address=name,
                language=guess_language(name),
                is_default=default_queue is not None and default_queue[1] == name,
            )
            for name in names
        ]

    async def send(self, job: PrintJob) -> None:
        """Queue the job and wait for its end. See ``PrintPort`` for the errors."""
        if job.data:
            await self._print(job, job.data, raw=True)
        for picture in job.pictures:
            await self._print(job, picture, raw=False)

    async def _print(self, job: PrintJob, data: bytes, *, raw: bool) -> None:
        queue = job.printer.address
        options = ("-o", "raw") if raw else ("-o", "fit-to-page")
        status, output = await _run(
            "lp", "-d", queue, *options, "-t", job.title, "--", "-", data=data
        )
        request = _REQUEST_ID.search(output)
        if status != 0 or request is None:
            raise PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=job.printer.name))
        await self._wait_for_end(job.printer, request[1])

    async def _wait_for_end(self, printer: Printer, request: str) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + self._job_seconds
        try:
            while await self._is_waiting(printer.address, request):
                if loop.time() >= end:
                    await _run("cancel", request)
                    raise PrinterTimedOut(messages.PRINTER_TIMED_OUT.format(printer=printer.name))
                await asyncio.sleep(_POLL_SECONDS)
        except asyncio.CancelledError:
            await asyncio.shield(_run("cancel", request))
            raise
        _, completed = await _run("lpstat", "-l", "-W", "completed", "-o", printer.address)
        if _has_failed(completed, request):
            raise PrinterRefused(messages.PRINTER_REFUSED.format(printer=printer.name))

    async def _is_waiting(self, queue: str, request: str) -> bool:
        """Whether the job is still queued; assumed if the command fails."""
        status, output = await _run("lpstat", "-W", "not-completed", "-o", queue)
        if status != 0:
            return True
        return any(line.split()[:1] == [request] for line in output.splitlines())


def _has_failed(listing: str, request: str) -> bool:
    """Whether ``lpstat -l`` reports the job as aborted or canceled."""
    is_ours = False
    for line in listing.splitlines():
        if not line[:1].isspace():
            is_ours = line.split()[:1] == [request]
        elif is_ours and "Alerts:" in line:
            return "aborted" in line or "canceled" in line
    return False

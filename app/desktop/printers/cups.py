"""Printing through CUPS, with its own commands (``lp``, ``lpstat``, ``cancel``).

Commands go with ``-o raw``, or CUPS turns label commands into a page that shows them as text.
A job to a dead printer stays in its queue for ever and prints when nobody wants it any more:
the job is watched, and cancelled when it does not end in time.
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
# Answers are read, so they must be in one language.
_ENVIRONMENT = {"LC_ALL": "C", "LANG": "C"}


def _call(command: tuple[str, ...], given: bytes) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_ENVIRONMENT},
            timeout=_COMMAND_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return -1, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


async def _run(*command: str, given: bytes = b"") -> tuple[int, str]:
    """Exit status and output of a command; -1 when it is not there or does not end."""
    # In a thread: event loops differ in how they start processes, and some refuse at times.
    return await asyncio.to_thread(_call, command, given)


class CupsPrinters:
    """Queues of the local CUPS: finds them and prints to them."""

    def __init__(self, job_seconds: float = JOB_SECONDS) -> None:
        self._job_seconds = job_seconds

    async def printers(self) -> list[Printer]:
        """Every queue that CUPS knows."""
        if shutil.which("lpstat") is None:
            return []
        (_, devices), (_, default) = await asyncio.gather(
            _run("lpstat", "-v"), _run("lpstat", "-d")
        )
        chosen = _DEFAULT.search(default)
        names = [found[1] for line in devices.splitlines() if (found := _DEVICE.match(line))]
        return [
            Printer(
                id=f"cups:{name}",
                name=name,
                kind="cups",
                address=name,
                language=guess_language(name),
                is_default=chosen is not None and chosen[1] == name,
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
            "lp", "-d", queue, *options, "-t", job.title, "--", "-", given=data
        )
        request = _REQUEST_ID.search(output)
        if status != 0 or request is None:
            raise PrinterUnreachable(messages.PRINTER_UNREACHABLE.format(printer=job.printer.name))
        await self._watch(job.printer, request[1])

    async def _watch(self, printer: Printer, request: str) -> None:
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
        _, finished = await _run("lpstat", "-l", "-W", "completed", "-o", printer.address)
        if _ended_badly(finished, request):
            raise PrinterRefused(messages.PRINTER_REFUSED.format(printer=printer.name))

    async def _is_waiting(self, queue: str, request: str) -> bool:
        """Whether the job is still queued; a command that fails says nothing, so: yes."""
        status, output = await _run("lpstat", "-W", "not-completed", "-o", queue)
        if status != 0:
            return True
        return any(line.split()[:1] == [request] for line in output.splitlines())


def _ended_badly(listing: str, request: str) -> bool:
    """Whether ``lpstat -l`` reports the job as aborted or cancelled."""
    mine = False
    for line in listing.splitlines():
        if not line[:1].isspace():
            mine = line.split()[:1] == [request]
        elif mine and "Alerts:" in line:
            return "aborted" in line or "canceled" in line
    return False

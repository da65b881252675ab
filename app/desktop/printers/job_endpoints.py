"""/device/print-jobs, and /device/print of earlier versions."""

import secrets
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from app.contract.limits import LABEL_COPIES_MAX, LABELS_MAX, TAKE_MAX
from app.desktop.printers.jobs import JobRecord, PrintJobs
from app.desktop.printers.language import Label, build_print_job
from app.desktop.printers.registry import PrinterRegistry
from app.desktop.printers.ruler import draw_ruler
from app.desktop.shapes import Shape

JobId = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{8,64}$")]


class LabelShape(Shape):
    """One label as ``GET /v2/requisitions/{id}/labels`` returns it (O 3)."""

    title: Annotated[str, Field(max_length=200)] = ""
    image: Annotated[str, Field(max_length=2_000_000)] = ""
    zpl: Annotated[str, Field(max_length=500_000)] = ""
    epl: Annotated[str, Field(max_length=500_000)] = ""

    def to_label(self) -> Label:
        """Return the label as the print jobs use it."""
        return Label(self.title, self.image, self.zpl, self.epl)


class PrintRequest(Shape):
    """POST /device/print."""

    printer_id: str
    copies: Annotated[int, Field(ge=1, le=LABEL_COPIES_MAX)] = 1
    labels: Annotated[list[LabelShape], Field(min_length=1, max_length=LABELS_MAX)]


class PrintJobRequest(PrintRequest):
    """POST /device/print-jobs.

    Attributes:
        id: a second request with the same id prints nothing.
        codes: the codes of the requisitions; a job with codes is reported to the portal.
    """

    id: JobId
    codes: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=TAKE_MAX)] = []


class RulerRequest(Shape):
    """POST /device/print-jobs/ruler: a label with a ruler, to check a printer's settings."""

    printer_id: str
    id: JobId


class Printed(Shape):
    """How many labels the printer accepted."""

    printed: int


def build_routes(registry: PrinterRegistry, jobs: PrintJobs) -> APIRouter:
    """Return routes of print jobs."""
    router = APIRouter(prefix="/device", tags=["print jobs"])

    @router.post("/print")
    async def print_labels(body: PrintRequest) -> Printed:
        """Print labels, and answer when the printer has accepted all of them."""
        printer = await registry.get(body.printer_id)
        job = build_print_job(printer, [x.to_label() for x in body.labels], body.copies)
        record = await jobs.wait(jobs.start(secrets.token_hex(16), job).id)
        return Printed(printed=record.printed)

    @router.post("/print-jobs", status_code=202)
    async def start_job(body: PrintJobRequest) -> JobRecord:
        """Start a print job, and answer immediately."""
        printer = await registry.get(body.printer_id)
        job = build_print_job(printer, [x.to_label() for x in body.labels], body.copies)
        return jobs.start(body.id, job, tuple(body.codes))

    @router.post("/print-jobs/ruler", status_code=202)
    async def print_ruler(body: RulerRequest) -> JobRecord:
        """Print a label with a ruler and the printer's settings."""
        printer = await registry.get(body.printer_id)
        return jobs.start(body.id, build_print_job(printer, [draw_ruler(printer)], 1))

    @router.get("/print-jobs")
    async def list_jobs(code: str | None = None) -> list[JobRecord]:
        """The print jobs of this workstation, or those of a requisition, the latest first."""
        return jobs.list_jobs(code)[:TAKE_MAX]

    @router.get("/print-jobs/{job_id}")
    async def read_job(job_id: str) -> JobRecord:
        """A print job and its progress."""
        return jobs.get(job_id)

    @router.post("/print-jobs/{job_id}/stop")
    async def stop_job(job_id: str) -> JobRecord:
        """Send no further label of a job."""
        return jobs.stop(job_id)

    return router

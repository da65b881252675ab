"""/device/printers and /device/print."""

from collections.abc import Mapping
from typing import Annotated, Self

import structlog
from fastapi import APIRouter, Response
from pydantic import Field

from app.basics.errors import PortalError
from app.contract.limits import LABEL_COPIES_MAX, LABELS_MAX
from app.desktop.printers.language import Label, decode_images, join_commands
from app.desktop.printers.port import Kind, Language, Printer, PrintJob, PrintPort
from app.desktop.printers.registry import NetworkPrinter, PrinterChange, PrinterRegistry
from app.desktop.shapes import Shape

_log = structlog.get_logger("portal.printers")


class PrinterAnswer(Shape):
    """One printer; ``dpi`` in dots per inch."""

    id: str
    name: str
    kind: Kind
    address: str
    language: Language | None
    dpi: int
    is_default: bool

    @classmethod
    def of(cls, printer: Printer) -> Self:
        """The wire form of a printer."""
        return cls(
            id=printer.id,
            name=printer.name,
            kind=printer.kind,
            address=printer.address,
            language=printer.language,
            dpi=printer.dpi,
            is_default=printer.is_default,
        )


class LabelShape(Shape):
    """One label as ``GET /v2/requisitions/{id}/labels`` answers it (O 3)."""

    title: Annotated[str, Field(max_length=200)] = ""
    image: Annotated[str, Field(max_length=2_000_000)] = ""
    zpl: Annotated[str, Field(max_length=500_000)] = ""
    epl: Annotated[str, Field(max_length=500_000)] = ""


class PrintRequest(Shape):
    """POST /device/print."""

    printer_id: str
    copies: Annotated[int, Field(ge=1, le=LABEL_COPIES_MAX)] = 1
    labels: Annotated[list[LabelShape], Field(min_length=1, max_length=LABELS_MAX)]


class Printed(Shape):
    """How many labels the printer accepted."""

    printed: int


def build_print_job(printer: Printer, labels: list[Label], copies: int) -> PrintJob:
    """Return the job in the printer's language, or as images if it is not available."""
    language = printer.language
    texts = [label.zpl if language == "zpl" else label.epl for label in labels]
    if language is None or not all(texts):
        return PrintJob(printer, pictures=decode_images(labels, copies))
    return PrintJob(printer, data=join_commands(labels, language, copies))


def build_routes(registry: PrinterRegistry, ports: Mapping[Kind, PrintPort]) -> APIRouter:
    """Routes of the printers; ``ports`` has a print port for each kind of printer."""
    router = APIRouter(prefix="/device", tags=["printers"])

    @router.get("/printers")
    async def list_printers() -> list[PrinterAnswer]:
        """Every printer of this workstation."""
        return [PrinterAnswer.of(printer) for printer in await registry.list_printers()]

    @router.post("/printers", status_code=201)
    async def add_printer(body: NetworkPrinter) -> PrinterAnswer:
        """Set up a network printer."""
        return PrinterAnswer.of(registry.add(body))

    @router.put("/printers/{printer_id}")
    async def change_printer(printer_id: str, body: PrinterChange) -> PrinterAnswer:
        """Change a printer's settings."""
        return PrinterAnswer.of(await registry.change(printer_id, body))

    @router.delete("/printers/{printer_id}", status_code=204)
    async def remove_printer(printer_id: str) -> Response:
        """Forget a network printer."""
        await registry.remove(printer_id)
        return Response(status_code=204)

    @router.post("/print")
    async def print_labels(body: PrintRequest) -> Printed:
        """Print labels, and answer when the printer has accepted all of them."""
        printer = await registry.get(body.printer_id)
        labels = [Label(x.title, x.image, x.zpl, x.epl) for x in body.labels]
        job = build_print_job(printer, labels, body.copies)
        try:
            await ports[printer.kind].send(job)
        except PortalError as error:
            _log.warning("print_failed", kind=printer.kind, code=error.code)
            raise
        return Printed(printed=len(labels) * body.copies)

    return router

"""/device/printers: the printers of this workstation, their settings, and their status."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Response
from pydantic import Field

from app.desktop.printers.port import Kind, Language, Printer, PrintPort
from app.desktop.printers.registry import (
    ChangedSetting,
    NetworkPrinter,
    PrinterChange,
    PrinterRegistry,
)
from app.desktop.printers.search import FoundPrinter, PrinterSearch
from app.desktop.printers.status import PrinterStatus, Problem
from app.desktop.relay.session import Session
from app.desktop.shapes import Shape


class PrinterAnswer(Shape):
    """One printer.

    Attributes:
        dpi: its resolution in dots per inch.
        size: the size of its labels in inches.
        offset_x, offset_y: in millimeters.
    """

    id: str
    name: str
    kind: Kind
    address: str
    language: Language | None
    dpi: int
    is_default: bool
    size: str
    darkness: int | None
    speed: int | None
    offset_x: float
    offset_y: float
    changed_by: str | None
    changed_at: datetime | None
    changed_settings: tuple[ChangedSetting, ...]

    @classmethod
    def of(cls, printer: Printer) -> Self:
        """Return the wire form of a printer."""
        return cls(
            id=printer.id,
            name=printer.name,
            kind=printer.kind,
            address=printer.address,
            language=printer.language,
            dpi=printer.dpi,
            is_default=printer.is_default,
            size=printer.size,
            darkness=printer.adjustments.darkness,
            speed=printer.adjustments.speed,
            offset_x=printer.adjustments.offset_x,
            offset_y=printer.adjustments.offset_y,
            changed_by=printer.changed_by,
            changed_at=printer.changed_at,
            changed_settings=printer.changed_settings,
        )


class PrinterStatusAnswer(Shape):
    """The state of a printer; unless ``isKnown``, the printer does not report one."""

    is_known: bool
    problems: tuple[Problem, ...]
    waiting: int

    @classmethod
    def of(cls, status: PrinterStatus) -> Self:
        """Return the wire form of a status."""
        return cls(is_known=status.is_known, problems=status.problems, waiting=status.waiting)


class SearchRequest(Shape):
    """POST /device/printers/search: asks the address ``host``, or without one the network."""

    host: Annotated[str, Field(max_length=253)] | None = None
    port: Annotated[int, Field(ge=1, le=65535)] = 9100


def build_routes(
    registry: PrinterRegistry,
    ports: Mapping[Kind, PrintPort],
    search: PrinterSearch,
    session: Session,
) -> APIRouter:
    """Return routes of the printers; ``ports`` has a print port for each kind of printer."""
    router = APIRouter(prefix="/device/printers", tags=["printers"])

    @router.get("")
    async def list_printers() -> list[PrinterAnswer]:
        """Every printer of this workstation."""
        return [PrinterAnswer.of(printer) for printer in await registry.list_printers()]

    @router.post("", status_code=201)
    async def add_printer(body: NetworkPrinter) -> PrinterAnswer:
        """Set up a network printer."""
        return PrinterAnswer.of(registry.add(body, session.user_name))

    @router.post("/search")
    async def search_printers(body: SearchRequest) -> list[FoundPrinter]:
        """Printers that answer on the network, with their own descriptions."""
        if body.host is not None:
            return await search.ask_address(body.host, body.port)
        return await search.ask_network()

    @router.put("/{printer_id}")
    async def change_printer(printer_id: str, body: PrinterChange) -> PrinterAnswer:
        """Change a printer's settings."""
        return PrinterAnswer.of(await registry.change(printer_id, body, session.user_name))

    @router.delete("/{printer_id}", status_code=204)
    async def remove_printer(printer_id: str) -> Response:
        """Forget a network printer."""
        await registry.remove(printer_id)
        return Response(status_code=204)

    @router.get("/{printer_id}/status")
    async def read_status(printer_id: str) -> PrinterStatusAnswer:
        """The state that a printer reports: paper, ribbon, head, pause."""
        printer = await registry.get(printer_id)
        return PrinterStatusAnswer.of(await ports[printer.kind].read_status(printer))

    return router

"""The printers of this workstation and their settings."""

import asyncio
import re
import threading
import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import structlog
from pydantic import ConfigDict, Field, TypeAdapter

from app.basics.errors import Conflict
from app.contract import messages
from app.desktop.errors import PrinterUnknown
from app.desktop.files import JsonFile, explain_failed_write
from app.desktop.preferences import Preferences
from app.desktop.printers.addresses import require_allowed_address
from app.desktop.printers.language import guess_language
from app.desktop.printers.port import (
    DEFAULT_DPI,
    Adjustments,
    Discovery,
    Language,
    Printer,
)
from app.desktop.shapes import Shape

_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:_-]{0,251}[A-Za-z0-9])?")
_log = structlog.get_logger("portal.printers")

_RAW_PORT = 9100
# A print system that takes longer may be frozen, and must not hide the other printers.
_LIST_SECONDS = 2.0
CHOSEN_KEY = "printer"


LabelSize = Literal["2x1", "2.25x1.25", "3x1", "3x2", "4x2"]
Density = Annotated[int, Field(ge=100, le=1200)]
Darkness = Annotated[int, Field(ge=0, le=30)]
Speed = Annotated[int, Field(ge=1, le=14)]
ChangedSetting = Literal[
    "name", "host", "port", "language", "dpi", "size", "darkness", "speed", "offsetX", "offsetY"
]
_SETTINGS: tuple[ChangedSetting, ...] = get_args(ChangedSetting)
Offset = Annotated[float, Field(ge=-10, le=10, allow_inf_nan=False)]


class PrinterSettings(Shape):
    """How a printer prints: ``size`` of its labels in inches; see ``Adjustments``."""

    size: LabelSize = "2x1"
    darkness: Darkness | None = None
    speed: Speed | None = None
    offset_x: Offset = 0.0
    offset_y: Offset = 0.0


class NetworkPrinter(PrinterSettings):
    """The settings of a network printer to add; ``dpi`` in dots per inch.

    If ``language`` is absent, the name decides (O 9); ``null`` prints images.
    """

    name: Annotated[str, Field(min_length=1, max_length=100)]
    host: Annotated[str, Field(pattern=f"^{_HOST.pattern}$")]
    port: Annotated[int, Field(ge=1, le=65535)] = _RAW_PORT
    language: Language | None = None
    dpi: Density = DEFAULT_DPI


class PrinterChange(Shape):
    """Settings to change; the name and address of the computer's own queues are fixed."""

    name: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    host: Annotated[str, Field(pattern=f"^{_HOST.pattern}$")] | None = None
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    language: Language | None = None
    dpi: Density | None = None
    size: LabelSize | None = None
    darkness: Darkness | None = None
    speed: Speed | None = None
    offset_x: Offset | None = None
    offset_y: Offset | None = None


class _StoredPrinter(PrinterSettings):
    """One item of ``printers.json``; only network printers have a host and a port.

    Fields of a later version of the app are ignored, so that its printers are not lost.
    """

    model_config = ConfigDict(extra="ignore")

    kind: Literal["tcp", "queue"]
    name: str
    host: str | None = None
    port: int | None = None
    language: Language | None
    dpi: int
    changed_by: str | None = None
    changed_at: datetime | None = None
    changed_settings: tuple[ChangedSetting, ...] = ()


_NULLABLE_SETTINGS = ("language", "darkness", "speed")
_STORED_PRINTERS = TypeAdapter(dict[str, _StoredPrinter])


def _format_address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class PrinterRegistry:
    """Network printers that were added here, and the queues of the operating system."""

    def __init__(
        self,
        path: Path,
        preferences: Preferences,
        systems: Iterable[Discovery] = (),
        *,
        allows_any_address: bool = False,
    ) -> None:
        self.allows_any_address = allows_any_address
        self._file = JsonFile(path)
        self._preferences = preferences
        self._systems = tuple(systems)
        self._lock = threading.Lock()
        self._listed_printers: dict[str, Printer] = {}
        self._queues: dict[Discovery, list[Printer]] = {}
        self._stored_printers = self._file.read_records(_StoredPrinter.model_validate)

    async def list_printers(self) -> list[Printer]:
        """Return every printer by name; at most one is the default.

        The default is the user's choice (preference ``printer``), otherwise the computer's,
        otherwise the only printer.
        """
        printers = [
            self._build_network_printer(key, printer)
            for key, printer in self._stored_printers.items()
            if printer.host
        ]
        for queues in await asyncio.gather(*map(self._list_queues, self._systems)):
            printers += [self._apply_settings(queue) for queue in queues]
        chosen_key = self._preferences.get(CHOSEN_KEY)
        default = next((p.id for p in printers if p.id == chosen_key), None)
        default = default or next((p.id for p in printers if p.is_default), None)
        if default is None and len(printers) == 1:
            default = printers[0].id
        printers = [replace(p, is_default=p.id == default) for p in printers]
        self._listed_printers = {p.id: p for p in printers}
        return sorted(printers, key=lambda p: (p.name.casefold(), p.id))

    async def _list_queues(self, system: Discovery) -> list[Printer]:
        """Return the queues of a print system; those of the last list if it fails or is frozen.

        A default printer that does not answer therefore stays the default.
        """
        try:
            async with asyncio.timeout(_LIST_SECONDS):
                self._queues[system] = await system.list_printers()
        except Exception as error:
            _log.warning("print_system_failed", reason=type(error).__name__)
        return self._queues.get(system, [])

    async def get(self, key: str) -> Printer:
        """Return one printer; lists the system's queues only if the key is unknown."""
        stored_printer = self._stored_printers.get(key)
        if stored_printer is not None and stored_printer.host:
            return self._build_network_printer(key, stored_printer)
        if key not in self._listed_printers:
            await self.list_printers()
        printer = self._listed_printers.get(key)
        if printer is None:
            raise PrinterUnknown(messages.PRINTER_UNKNOWN)
        return self._apply_settings(printer)

    def add(self, settings: NetworkPrinter, person: str | None = None) -> Printer:
        """Add a network printer on behalf of a person, or raise PrinterAddressRejected."""
        self._require_allowed_address(settings.host, settings.port)
        key = f"tcp:{uuid.uuid4()}"
        is_chosen = "language" in settings.model_fields_set
        language = settings.language if is_chosen else guess_language(settings.name)
        printer = _StoredPrinter(kind="tcp", **{**settings.model_dump(), "language": language})
        printer = self._store(key, printer, person)
        return self._build_network_printer(key, printer)

    async def change(self, key: str, change: PrinterChange, person: str | None = None) -> Printer:
        """Change settings on behalf of a person; an absent field stays unchanged.

        ``null`` means an unknown language, or the printer's own darkness or speed.
        """
        printer = await self.get(key)
        old = self._stored_printers.get(key) or _describe_queue(printer)
        if printer.kind == "tcp":
            if change.host or change.port:
                self._require_allowed_address(
                    change.host or old.host or "", change.port or old.port or _RAW_PORT
                )
        elif (change.name or printer.name) != printer.name or change.host or change.port:
            raise Conflict(messages.PRINTER_BUILT_IN.format(printer=printer.name))
        sent_values = change.model_dump(exclude_unset=True)
        changes = {
            name: value
            for name, value in sent_values.items()
            if value is not None or name in _NULLABLE_SETTINGS
        }
        new = old.model_copy(update=changes)
        new = new.model_copy(update={"changed_settings": _list_changes(old, new)})
        self._store(key, new, person)
        return await self.get(key)

    async def remove(self, key: str) -> None:
        """Remove a network printer, or raise Conflict for a queue of the operating system."""
        printer = await self.get(key)
        if printer.kind != "tcp":
            raise Conflict(messages.PRINTER_BUILT_IN.format(printer=printer.name))
        with self._lock:
            self._write({k: other for k, other in self._stored_printers.items() if k != key})
        if self._preferences.get(CHOSEN_KEY) == key:
            self._preferences.delete(CHOSEN_KEY)

    def _require_allowed_address(self, host: str, port: int) -> None:
        if not self.allows_any_address:
            require_allowed_address(host, port)

    def _store(self, key: str, printer: _StoredPrinter, person: str | None) -> _StoredPrinter:
        printer = printer.model_copy(
            update={"changed_by": person, "changed_at": datetime.now(UTC).replace(microsecond=0)}
        )
        with self._lock:
            self._write({**self._stored_printers, key: printer})
        return printer

    def _write(self, printers: dict[str, _StoredPrinter]) -> None:
        with explain_failed_write(self._file.path):
            self._file.write(_STORED_PRINTERS.dump_python(printers, mode="json", by_alias=True))
        self._stored_printers = printers

    def _apply_settings(self, queue: Printer) -> Printer:
        printer = self._stored_printers.get(queue.id)
        return replace(queue, **_read_settings(printer)) if printer else queue

    def _build_network_printer(self, key: str, printer: _StoredPrinter) -> Printer:
        return Printer(
            id=key,
            name=printer.name,
            kind="tcp",
            address=_format_address(printer.host or "", printer.port or _RAW_PORT),
            is_default=self._preferences.get(CHOSEN_KEY) == key,
            **_read_settings(printer),
        )


def _read_settings(printer: _StoredPrinter) -> dict[str, Any]:
    """Return the fields of ``Printer`` that the user sets."""
    adjustments = Adjustments(printer.darkness, printer.speed, printer.offset_x, printer.offset_y)
    return {
        "language": printer.language,
        "dpi": printer.dpi,
        "size": printer.size,
        "adjustments": adjustments,
        "changed_by": printer.changed_by,
        "changed_at": printer.changed_at,
        "changed_settings": printer.changed_settings,
    }


def _list_changes(old: _StoredPrinter, new: _StoredPrinter) -> tuple[ChangedSetting, ...]:
    """Return the settings that differ, by their names on the wire."""
    before, after = old.model_dump(by_alias=True), new.model_dump(by_alias=True)
    return tuple(name for name in _SETTINGS if before[name] != after[name])


def _describe_queue(queue: Printer) -> _StoredPrinter:
    return _StoredPrinter(kind="queue", name=queue.name, language=queue.language, dpi=queue.dpi)

"""The printers of this workstation and their settings."""

import re
import threading
import uuid
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import structlog
from pydantic import Field, TypeAdapter, ValidationError

from app.basics.errors import Conflict
from app.contract import messages
from app.desktop.errors import PrinterUnknown
from app.desktop.files import JsonFile
from app.desktop.preferences import Preferences
from app.desktop.printers.addresses import require_allowed_address
from app.desktop.printers.language import guess_language
from app.desktop.printers.port import DEFAULT_DPI, Discovery, Language, Printer
from app.desktop.shapes import Shape

_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:_-]{0,251}[A-Za-z0-9])?")
_log = structlog.get_logger("portal.printers")

CHOSEN_KEY = "printer"


class NetworkPrinter(Shape):
    """The settings of a network printer to add; ``dpi`` in dots per inch.

    Without a language, the name decides which one is tried first (O 9).
    """

    name: Annotated[str, Field(min_length=1, max_length=100)]
    host: Annotated[str, Field(pattern=f"^{_HOST.pattern}$")]
    port: Annotated[int, Field(ge=1, le=65535)] = 9100
    language: Language | None = None
    dpi: Annotated[int, Field(ge=100, le=1200)] = DEFAULT_DPI


class PrinterChange(Shape):
    """What may be changed later; of the computer's own queues only language and density."""

    name: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    host: Annotated[str, Field(pattern=f"^{_HOST.pattern}$")] | None = None
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    language: Language | None = None
    dpi: Annotated[int, Field(ge=100, le=1200)] | None = None


class _StoredPrinter(Shape):
    """One item of ``printers.json``; only network printers have a host and a port."""

    kind: Literal["tcp", "queue"]
    name: str
    host: str | None = None
    port: int | None = None
    language: Language | None
    dpi: int


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
        self._allows_any_address = allows_any_address
        self._file = JsonFile(path)
        self._preferences = preferences
        self._systems = tuple(systems)
        self._lock = threading.Lock()
        self._listed: dict[str, Printer] = {}
        try:
            self._stored = _STORED_PRINTERS.validate_python(self._file.read())
        except ValidationError:
            _log.warning("printer_settings_unreadable")
            self._stored = {}

    async def list_printers(self) -> list[Printer]:
        """Return every printer by name; at most one is the default.

        The default is the user's choice (preference ``printer``), otherwise the computer's,
        otherwise the only printer.
        """
        printers = [
            self._build_network_printer(key, stored)
            for key, stored in self._stored.items()
            if stored.host
        ]
        for system in self._systems:
            try:
                printers += [self._apply_settings(queue) for queue in await system.list_printers()]
            except Exception as error:  # a broken print system must not hide other printers
                _log.warning("print_system_failed", reason=type(error).__name__)
        chosen = self._preferences.get(CHOSEN_KEY)
        default = next((p.id for p in printers if p.id == chosen), None)
        default = default or next((p.id for p in printers if p.is_default), None)
        if default is None and len(printers) == 1:
            default = printers[0].id
        printers = [replace(p, is_default=p.id == default) for p in printers]
        self._listed = {p.id: p for p in printers}
        return sorted(printers, key=lambda p: (p.name.casefold(), p.id))

    async def get(self, key: str) -> Printer:
        """Return one printer; lists the system's queues only if it is unknown."""
        stored = self._stored.get(key)
        if stored is not None and stored.host:
            return self._build_network_printer(key, stored)
        if key not in self._listed:
            await self.list_printers()
        printer = self._listed.get(key)
        if printer is None:
            raise PrinterUnknown(messages.PRINTER_UNKNOWN)
        return self._apply_settings(printer)

    def add(self, settings: NetworkPrinter) -> Printer:
        """Add a network printer; raises PrinterAddressRejected."""
        self._require_allowed_address(settings.host, settings.port)
        key = f"tcp:{uuid.uuid4()}"
        stored = _StoredPrinter(
            kind="tcp",
            name=settings.name,
            host=settings.host,
            port=settings.port,
            language=settings.language or guess_language(settings.name),
            dpi=settings.dpi,
        )
        self._store(key, stored)
        return self._build_network_printer(key, stored)

    async def change(self, key: str, change: PrinterChange) -> Printer:
        """Change settings; ``language: null`` means unknown, an absent field stays unchanged."""
        printer = await self.get(key)
        present = change.model_fields_set
        language = change.language if "language" in present else printer.language
        dpi = change.dpi or printer.dpi
        old = self._stored.get(key)
        if printer.kind == "tcp" and old is not None:
            if change.host or change.port:
                self._require_allowed_address(
                    change.host or old.host or "", change.port or old.port or 9100
                )
            stored = old.model_copy(
                update={
                    "name": change.name or old.name,
                    "host": change.host or old.host,
                    "port": change.port or old.port,
                    "language": language,
                    "dpi": dpi,
                }
            )
            self._store(key, stored)
            return self._build_network_printer(key, stored)
        if (change.name or printer.name) != printer.name or change.host or change.port:
            raise Conflict(messages.PRINTER_BUILT_IN.format(printer=printer.name))
        self._store(
            key, _StoredPrinter(kind="queue", name=printer.name, language=language, dpi=dpi)
        )
        return self._apply_settings(printer)

    async def remove(self, key: str) -> None:
        """Remove a network printer; a queue of the operating system is a 409."""
        printer = await self.get(key)
        if printer.kind != "tcp":
            raise Conflict(messages.PRINTER_BUILT_IN.format(printer=printer.name))
        with self._lock:
            self._write({k: stored for k, stored in self._stored.items() if k != key})
        if self._preferences.get(CHOSEN_KEY) == key:
            self._preferences.delete(CHOSEN_KEY)

    def _require_allowed_address(self, host: str, port: int) -> None:
        if not self._allows_any_address:
            require_allowed_address(host, port)

    def _store(self, key: str, stored: _StoredPrinter) -> None:
        with self._lock:
            self._write({**self._stored, key: stored})

    def _write(self, printers: dict[str, _StoredPrinter]) -> None:
        self._file.write(_STORED_PRINTERS.dump_python(printers, mode="json", by_alias=True))
        self._stored = printers

    def _apply_settings(self, queue: Printer) -> Printer:
        stored = self._stored.get(queue.id)
        return replace(queue, language=stored.language, dpi=stored.dpi) if stored else queue

    def _build_network_printer(self, key: str, stored: _StoredPrinter) -> Printer:
        return Printer(
            id=key,
            name=stored.name,
            kind="tcp",
            address=_format_address(stored.host or "", stored.port or 9100),
            language=stored.language,
            dpi=stored.dpi,
            is_default=self._preferences.get(CHOSEN_KEY) == key,
        )

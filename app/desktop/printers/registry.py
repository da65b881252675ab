"""Which printers this workstation has, and what is set for each."""

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
from app.desktop.printers.language import guess_language
from app.desktop.printers.port import DEFAULT_DPI, Discovery, Language, Printer
from app.desktop.shapes import Shape

_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:_-]{0,251}[A-Za-z0-9])?")
_log = structlog.get_logger("portal.printers")

CHOSEN_KEY = "printer"


class NetworkPrinter(Shape):
    """What is asked when a network printer is set up; ``dpi`` in dots per inch.

    Without a language its first guess is made from the name (O 9).
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


class _Kept(Shape):
    """One entry of ``printers.json``; host and port only for network printers."""

    kind: Literal["tcp", "queue"]
    name: str
    host: str | None = None
    port: int | None = None
    language: Language | None
    dpi: int


_ENTRIES = TypeAdapter(dict[str, _Kept])


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class PrinterRegistry:
    """Network printers that were set up here, and the queues that the computer knows."""

    def __init__(
        self, path: Path, preferences: Preferences, systems: Iterable[Discovery] = ()
    ) -> None:
        self._file = JsonFile(path)
        self._preferences = preferences
        self._systems = tuple(systems)
        self._lock = threading.Lock()
        self._seen: dict[str, Printer] = {}
        try:
            self._entries = _ENTRIES.validate_python(self._file.read())
        except ValidationError:
            _log.warning("printer_settings_unreadable")
            self._entries = {}

    async def all(self) -> list[Printer]:
        """Every printer, by name; exactly one is the default when any can be told.

        The default is the user's choice (preference ``printer``), else the computer's, else the
        only one.
        """
        found = [self._network(key, kept) for key, kept in self._entries.items() if kept.host]
        for system in self._systems:
            try:
                found += [self._with_settings(queue) for queue in await system.printers()]
            except Exception as error:  # a broken print system must not hide the other printers
                _log.warning("print_system_failed", reason=type(error).__name__)
        chosen = self._preferences.get(CHOSEN_KEY)
        default = next((p.id for p in found if p.id == chosen), None)
        default = default or next((p.id for p in found if p.is_default), None)
        if default is None and len(found) == 1:
            default = found[0].id
        found = [replace(p, is_default=p.id == default) for p in found]
        self._seen = {p.id: p for p in found}
        return sorted(found, key=lambda p: (p.name.casefold(), p.id))

    async def get(self, key: str) -> Printer:
        """One printer. Network printers, and queues seen before, without asking the system."""
        kept = self._entries.get(key)
        if kept is not None and kept.host:
            return self._network(key, kept)
        if key not in self._seen:
            await self.all()
        printer = self._seen.get(key)
        if printer is None:
            raise PrinterUnknown(messages.PRINTER_UNKNOWN)
        return self._with_settings(printer)

    def add(self, given: NetworkPrinter) -> Printer:
        """Set up a network printer."""
        key = f"tcp:{uuid.uuid4()}"
        kept = _Kept(
            kind="tcp",
            name=given.name,
            host=given.host,
            port=given.port,
            language=given.language or guess_language(given.name),
            dpi=given.dpi,
        )
        self._keep(key, kept)
        return self._network(key, kept)

    async def change(self, key: str, change: PrinterChange) -> Printer:
        """Change what is given; ``language: null`` means "not known", absent means unchanged."""
        printer = await self.get(key)
        given = change.model_fields_set
        language = change.language if "language" in given else printer.language
        dpi = change.dpi or printer.dpi
        old = self._entries.get(key)
        if printer.kind == "tcp" and old is not None:
            kept = old.model_copy(
                update={
                    "name": change.name or old.name,
                    "host": change.host or old.host,
                    "port": change.port or old.port,
                    "language": language,
                    "dpi": dpi,
                }
            )
            self._keep(key, kept)
            return self._network(key, kept)
        if (change.name or printer.name) != printer.name or change.host or change.port:
            raise Conflict(messages.PRINTER_BUILT_IN.format(printer=printer.name))
        self._keep(key, _Kept(kind="queue", name=printer.name, language=language, dpi=dpi))
        return self._with_settings(printer)

    async def remove(self, key: str) -> None:
        """Forget a network printer; a queue of the computer is a 409."""
        printer = await self.get(key)
        if printer.kind != "tcp":
            raise Conflict(messages.PRINTER_BUILT_IN.format(printer=printer.name))
        with self._lock:
            self._write({k: kept for k, kept in self._entries.items() if k != key})
        if self._preferences.get(CHOSEN_KEY) == key:
            self._preferences.delete(CHOSEN_KEY)

    def _keep(self, key: str, kept: _Kept) -> None:
        with self._lock:
            self._write({**self._entries, key: kept})

    def _write(self, entries: dict[str, _Kept]) -> None:
        self._file.write(_ENTRIES.dump_python(entries, mode="json", by_alias=True))
        self._entries = entries

    def _with_settings(self, queue: Printer) -> Printer:
        kept = self._entries.get(queue.id)
        return replace(queue, language=kept.language, dpi=kept.dpi) if kept else queue

    def _network(self, key: str, kept: _Kept) -> Printer:
        return Printer(
            id=key,
            name=kept.name,
            kind="tcp",
            address=_address(kept.host or "", kept.port or 9100),
            language=kept.language,
            dpi=kept.dpi,
            is_default=self._preferences.get(CHOSEN_KEY) == key,
        )

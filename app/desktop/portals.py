"""/device/portals: the portal in use, other known portals, and who decides (ADR 73)."""

from collections.abc import Callable
from pathlib import Path

from fastapi import APIRouter, Response
from pydantic import JsonValue

from app.basics.errors import BadInput, Conflict, FieldError, Forbidden, NotFound
from app.basics.version import VERSION, is_newer
from app.contract import messages
from app.desktop.configuration import FILE_NAME, read_file
from app.desktop.errors import Cause, SettingsError
from app.desktop.files import JsonFile, explain_failed_write
from app.desktop.relay.causes import explain_cause
from app.desktop.relay.portal import Portal
from app.desktop.relay.reach import Reach, check_portal
from app.desktop.relay.session import Session
from app.desktop.settings import KnownPortal, Network, Settings, parse_portal_url
from app.desktop.shapes import Shape


class PortalConnection(Shape):
    """The portal's address, and if it cannot be reached, why and what to do about it.

    ``newer_version`` is the portal's version if this app is older, so that the lab has an update.
    """

    address: str | None
    cause: Cause | None = None
    problem: str | None = None
    advice: str | None = None
    newer_version: str | None = None


class PortalEntry(Shape):
    """A portal to choose from; ``can_remove`` if the person may remove it from the list."""

    url: str
    name: str
    can_remove: bool


class PortalChoiceRead(Shape):
    """The portal in use, and the others; ``fixed_by`` names the setting that leaves no choice."""

    current: str | None
    fixed_by: str | None
    portals: tuple[PortalEntry, ...]


class PortalChoiceWrite(Shape):
    """PUT /device/portals/current."""

    url: str


def describe_connection(portal: Portal, cause: Cause | None, version: str = "") -> PortalConnection:
    """Describe the connection to a portal of this version in words."""
    if cause is None:
        newer_version = version if is_newer(version, VERSION) else None
        return PortalConnection(address=portal.url, newer_version=newer_version)
    text = explain_cause(cause, portal.url or "", portal.host, portal.proxy)
    return PortalConnection(
        address=portal.url, cause=cause, problem=text.problem, advice=text.advice
    )


class PortalChoice:
    """The portal that the app uses; remembers a choice in the person's file.

    ``reload`` reads the settings again after somebody has corrected them.
    """

    def __init__(
        self,
        settings: Settings,
        portal: Portal,
        session: Session,
        reload: Callable[[], Settings] | None = None,
    ) -> None:
        self._portal = portal
        self._session = session
        self._reload = reload
        self._file: Path = settings.config_dir / FILE_NAME
        self._apply(settings)

    def _apply(self, settings: Settings) -> None:
        self._network = settings.network
        self._fixed_by = settings.fixed_by
        self._problem = settings.problem
        self.names_in_titles = settings.names_in_titles
        self._known_portals = {portal.url: portal for portal in settings.portals}

    @property
    def proxy(self) -> str | None:
        """The proxy to the portal, without its password."""
        return self._portal.proxy

    async def connect(self) -> tuple[dict[str, JsonValue] | None, PortalConnection]:
        """Return the lab whose portal answers, or why none does."""
        if self._problem is not None:
            await self._try_corrected_settings()
        if self._problem is not None:
            return None, PortalConnection(
                address=None,
                cause=Cause.SETTINGS,
                problem=self._problem,
                advice=messages.SETTINGS_ADVICE,
            )
        if self._portal.url is None:
            return None, describe_connection(self._portal, Cause.NOT_CHOSEN)
        reach = await check_portal(self._portal)
        return reach.lab, describe_connection(self._portal, reach.cause, reach.version)

    async def _try_corrected_settings(self) -> None:
        if self._reload is None:
            return
        try:
            settings = self._reload()
        except SettingsError as error:
            self._problem = str(error)
            return
        self._apply(settings)
        await self._switch(settings.portal_url, settings.network)

    def read(self) -> PortalChoiceRead:
        """Return the portals to choose from."""
        return PortalChoiceRead(
            current=self._portal.url,
            fixed_by=self._fixed_by,
            portals=tuple(
                PortalEntry(url=p.url, name=p.name, can_remove=self._is_removable(p))
                for p in self._known_portals.values()
            ),
        )

    async def choose(self, text: str) -> PortalConnection:
        """Use another portal if it answers, and remember it; otherwise say why it does not.

        Raises ``BadInput`` for texts that are not an address, ``Forbidden`` if there is no choice,
        and ``Conflict`` if it cannot be remembered.
        """
        if self._fixed_by is not None or self._problem is not None:
            raise Forbidden(messages.PORTAL_FIXED.format(source=self._fixed_by or self._file))
        try:
            url = parse_portal_url(_add_scheme(text))
            candidate = Portal(url, self._network)
        except SettingsError as error:
            raise BadInput.of(FieldError("url", str(error))) from error
        try:
            reach = await check_portal(candidate)
        finally:
            await candidate.aclose()
        if reach.cause is None:
            self._remember(url, reach)
            if url != self._portal.url:
                await self._switch(url, self._network)
        return describe_connection(candidate, reach.cause)

    async def _switch(self, url: str | None, network: Network) -> None:
        # Portal and session both switch before anything waits: no token reaches another portal.
        previous_connections = self._portal.switch(url, network)
        try:
            await self._session.switch(url or "")
        finally:
            await previous_connections.aclose()

    def remove(self, url: str) -> None:
        """Forget a portal, or raise ``NotFound``.

        Raises ``Forbidden`` for the portal in use and those that the computer's settings list, and
        ``Conflict`` if the file cannot be changed.
        """
        portal = self._known_portals.get(url)
        if portal is None:
            raise NotFound(messages.NOT_FOUND)
        if not self._is_removable(portal):
            raise Forbidden(messages.PORTAL_NOT_REMOVABLE)
        self._store({}, {key: other for key, other in self._known_portals.items() if key != url})

    def _is_removable(self, portal: KnownPortal) -> bool:
        return not portal.is_fixed and portal.url != self._portal.url

    def _store(self, changes: dict[str, object], portals: dict[str, KnownPortal]) -> None:
        """Write the person's file, with the portals that the computer's settings do not list.

        Raises ``Conflict`` for a file with a mistake, and one that cannot be written.
        """
        entries = [
            {"url": portal.url, "name": portal.name}
            for portal in portals.values()
            if not portal.is_fixed
        ]
        try:
            values = read_file(self._file).values
        except SettingsError as error:
            raise Conflict(str(error)) from error
        with explain_failed_write(self._file):
            JsonFile(self._file).write({**values, **changes, "portals": entries})
        self._known_portals = portals

    def _remember(self, url: str, reach: Reach) -> None:
        title = (reach.lab or {}).get("title")
        portal = self._known_portals.get(url)
        name = title if isinstance(title, str) else ""
        is_fixed = portal is not None and portal.is_fixed
        known_portal = KnownPortal(url, name, is_fixed=is_fixed)
        self._store({"portalUrl": url}, {**self._known_portals, url: known_portal})


def _add_scheme(text: str) -> str:
    """Return an address with a scheme, because people leave it out."""
    return text.strip() if "://" in text else f"https://{text.strip()}"


def build_routes(choice: PortalChoice) -> APIRouter:
    """Build the routes below /device/portals."""
    router = APIRouter(prefix="/device/portals", tags=["portals"])

    @router.get("")
    async def read() -> PortalChoiceRead:
        """The portal in use, and the others that this workstation knows."""
        return choice.read()

    @router.delete("", status_code=204)
    async def remove(url: str) -> Response:
        """Forget a portal that is neither in use nor listed by the computer's settings."""
        choice.remove(url)
        return Response(status_code=204)

    @router.put("/current")
    async def choose(body: PortalChoiceWrite) -> PortalConnection:
        """Use another portal, if it answers."""
        return await choice.choose(body.url)

    return router

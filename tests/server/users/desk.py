"""The administrators of the tests of users, and their requests."""

import re
from dataclasses import dataclass
from typing import Any, Self

import httpx

from app.server.main import build_portal
from app.server.password_recovery.service import send_links
from app.server.settings import Settings
from tests.server.accounts.builders import Person
from tests.server.world import World
from tests.standins.mail import MailStandIn, ReceivedMail

PATH = "/api/system/users"
_LINK = re.compile(r"/password-recovery#token=([\w-]+)")


@dataclass
class Desk:
    """A Superuser, and a Client Admin of one of two clients with a nurse."""

    world: World
    mail: MailStandIn
    worker_settings: Settings
    app_url: str
    boss: Person
    admin: Person
    nurse: Person
    client: int
    other_client: int

    @classmethod
    async def build(
        cls, world: World, mail: MailStandIn, worker_settings: Settings, app_url: str
    ) -> Self:
        """Build the people."""
        client = world.create_client()
        return cls(
            world,
            mail,
            worker_settings,
            app_url,
            await world.create_person("Superuser"),
            await world.create_person("Client Admin", client_ids=[client]),
            world.create_account("Client Basic", client_ids=[client]),
            client,
            world.create_client(),
        )

    async def call(
        self, person: Person, method: str, path: str = "", **options: Any
    ) -> httpx.Response:
        """Call a route of users as a person."""
        headers = {**person.headers, **options.pop("headers", {})}
        return await self.world.http.request(method, PATH + path, headers=headers, **options)

    def build_user(self, email: str, role: str = "Client Basic", **values: Any) -> dict[str, Any]:
        """Build the body of a new user of the client."""
        return {
            "email": email,
            "lastName": "Walker",
            "firstName": "wanda",
            "role": role,
            "data": {"clients": [self.client]},
            "registration": {"applicationId": "portal", "roles": [role]},
            **values,
        }

    async def create(self, person: Person, email: str, **values: Any) -> dict[str, Any]:
        """Create a user, and return the record."""
        answer = await self.call(person, "POST", json=self.build_user(email, **values))
        assert answer.status_code == 201, answer.text
        record: dict[str, Any] = answer.json()
        return record

    async def run_job(self) -> None:
        """Send the e-mails that are due, as a worker does."""
        portal = build_portal(self.worker_settings, self.app_url)
        await portal.database.open()
        try:
            await send_links(portal)
        finally:
            await portal.senders.close()
            await portal.database.close()

    def list_emails(self, email: str) -> list[ReceivedMail]:
        """Return the e-mails to an address."""
        return [mail for mail in self.mail.received if mail.to == [email]]

    async def receive_token(self, email: str) -> str:
        """Return the secret of the newest link to an address."""
        await self.run_job()
        match = _LINK.search(self.list_emails(email)[-1].mail.get_content())
        assert match is not None
        return match[1]

    async def choose_password(self, token: str, password: str) -> httpx.Response:
        """Choose a password with the secret of a link."""
        return await self.world.http.post(
            "/auth/user/reset-password", json={"changePasswordId": token, "password": password}
        )

    async def sign_in(self, email: str, password: str) -> httpx.Response:
        """Sign in."""
        return await self.world.http.post(
            "/auth/login", json={"loginId": email, "password": password}
        )

"""Builds the senders from the settings."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass

from app.contract.enumerations import CopyType
from app.server.access.parts import PortalParts
from app.server.settings import Settings
from app.server.transmissions.rules import format_e164
from app.server.transmissions.senders.gateway import FaxGateway
from app.server.transmissions.senders.port import Sender
from app.server.transmissions.senders.smtp import Mailer, MailServer
from app.server.transmissions.senders.telnyx import FaxAccount, HttpFax

_PORTS = {"starttls": 587, "implicit": 465}


@dataclass(frozen=True)
class Senders:
    """The senders of e-mails and faxes; None when not configured."""

    email: Sender | None
    fax: Sender | None

    def find(self, kind: str) -> Sender | None:
        """Return the sender for a ``CopyType``, or None."""
        return self.email if kind == CopyType.EMAIL else self.fax

    async def close(self) -> None:
        """Close all connections."""
        for sender in (self.email, self.fax):
            if sender is not None:
                await sender.close()


async def send_all_due(
    portal: PortalParts, send_next: Callable[[PortalParts], Awaitable[bool]]
) -> None:
    """Send the due e-mails one after another, each in its turn at the sender.

    ``send_next`` sends one, and returns whether one was due.
    """
    email = portal.get_part(Senders).email
    is_due = True
    while is_due:
        async with email.turn if email else nullcontext():
            is_due = await send_next(portal)


def build_senders(settings: Settings) -> Senders:
    """Build the configured senders; an HTTP fax provider precedes a gateway."""
    mailer = _build_mailer(settings)
    fax: Sender | None = None
    if settings.fax_api_key and settings.fax_connection_id and settings.fax_from:
        fax = HttpFax(
            FaxAccount(
                url=settings.fax_api_url,
                key=settings.fax_api_key.get_secret_value(),
                connection_id=settings.fax_connection_id,
                number=_format_own_number(settings.fax_from),
                seconds=settings.fax_seconds,
            )
        )
    elif settings.fax_gateway and mailer:
        fax = FaxGateway(mailer, settings.fax_gateway)
    return Senders(mailer, fax)


def _build_mailer(settings: Settings) -> Mailer | None:
    if not settings.has_mail_server:
        return None
    assert settings.smtp_host and settings.email_from
    password = settings.smtp_password
    return Mailer(
        MailServer(
            host=settings.smtp_host,
            port=settings.smtp_port or _PORTS[settings.smtp_security],
            uses_implicit_tls=settings.smtp_security == "implicit",
            user=settings.smtp_user,
            password=password.get_secret_value() if password else None,
            ca_file=settings.smtp_ca_file,
            sender=settings.email_from,
            seconds=settings.smtp_seconds,
        )
    )


def _format_own_number(text: str) -> str:
    return text if text.startswith("+") else format_e164(text)

"""The ways out that the settings name."""

from dataclasses import dataclass

from app.contract.enumerations import CopyType
from app.server.settings import Settings
from app.server.transmissions.rules import e164
from app.server.transmissions.senders.gateway import FaxGateway
from app.server.transmissions.senders.port import Sender
from app.server.transmissions.senders.smtp import Mailer, MailServer
from app.server.transmissions.senders.telnyx import FaxAccount, HttpFax

_PORTS = {"starttls": 587, "implicit": 465}


@dataclass(frozen=True)
class Senders:
    """The way out for e-mails and the one for faxes; None where the lab has configured none."""

    email: Sender | None
    fax: Sender | None

    def of(self, kind: str) -> Sender | None:
        """The way out for a ``CopyType``."""
        return self.email if kind == CopyType.EMAIL else self.fax

    async def close(self) -> None:
        """Let go of connections."""
        for sender in (self.email, self.fax):
            if sender is not None:
                await sender.close()


def senders(settings: Settings) -> Senders:
    """What the settings name; an HTTP provider goes before a gateway."""
    mailer = _mailer(settings)
    fax: Sender | None = None
    if settings.fax_api_key and settings.fax_connection_id and settings.fax_from:
        fax = HttpFax(
            FaxAccount(
                url=settings.fax_api_url,
                key=settings.fax_api_key.get_secret_value(),
                connection_id=settings.fax_connection_id,
                number=_own_number(settings.fax_from),
                seconds=settings.fax_seconds,
            )
        )
    elif settings.fax_gateway and mailer:
        fax = FaxGateway(mailer, settings.fax_gateway)
    return Senders(mailer, fax)


def _mailer(settings: Settings) -> Mailer | None:
    if not (settings.smtp_host and settings.email_from):
        return None
    password = settings.smtp_password
    return Mailer(
        MailServer(
            host=settings.smtp_host,
            port=settings.smtp_port or _PORTS[settings.smtp_security],
            implicit=settings.smtp_security == "implicit",
            user=settings.smtp_user,
            password=password.get_secret_value() if password else None,
            ca_file=settings.smtp_ca_file,
            sender=settings.email_from,
            seconds=settings.smtp_seconds,
        )
    )


def _own_number(text: str) -> str:
    return text if text.startswith("+") else e164(text)

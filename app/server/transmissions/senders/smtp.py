"""E-mail over SMTP, with TLS or not at all."""

import ssl
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import format_datetime, parseaddr
from pathlib import Path

import aiosmtplib
from aiosmtplib import SMTP

from app.basics.clock import utc_now
from app.server.transmissions.rules import Outcome, Trouble
from app.server.transmissions.senders.port import Answer, Parcel, Progress, Try

FILE_NAME = "requisitions.pdf"
_ADDRESS_CODES = frozenset({450, 452, 550, 551, 553, 556})


@dataclass(frozen=True)
class MailServer:
    """Where mails are handed over. ``implicit``: TLS from the first byte, else STARTTLS."""

    host: str
    port: int
    implicit: bool
    user: str | None
    password: str | None
    ca_file: Path | None
    sender: str
    seconds: float


class _Broken(Exception):
    """The way to the server ended before it had the message."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer)
        self.answer = answer


class Mailer:
    """Hands mails to one server.

    The Message-ID is made of the transmission's key: should a mail go twice after all (the worker
    died, or the connection broke, after the server had taken it), both carry the same one, and
    mailboxes that go by it show one. SMTP has no question 'do you have it?' (ADR 17).
    """

    name = "smtp"

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._sender = parseaddr(server.sender)[1]
        self._domain = self._sender.rpartition("@")[2]

    async def send(self, parcel: Parcel) -> Answer:
        """See ``Sender``."""
        return await self.send_to(parcel, parcel.destination)

    async def send_to(self, parcel: Parcel, address: str) -> Answer:
        """Send to another address than the parcel's own."""
        try:
            client = self._client()
        except _Broken as broken:
            return broken.answer
        try:
            await self._enter(client)
            await self._envelope(client, address)
            return await self._hand_over(client, self._mail(parcel, address))
        except _Broken as broken:
            return broken.answer
        finally:
            with suppress(aiosmtplib.SMTPException, OSError):
                await client.quit(timeout=2)
            client.close()

    async def find(self, tries: Sequence[Try]) -> str | None:
        """Nobody can be asked."""
        return None

    async def follow(self, reference: str) -> Progress | None:
        """A mail is at its end when the server has it."""
        return None

    async def close(self) -> None:
        """There is nothing to let go of: a connection lives as long as its mail."""

    def _client(self) -> SMTP:
        return SMTP(
            hostname=self._server.host,
            port=self._server.port,
            timeout=self._server.seconds,
            use_tls=self._server.implicit,
            start_tls=False,  # done below, where a refusal can be told from other trouble
            tls_context=self._tls() if self._server.implicit else None,
            local_hostname=self._domain,  # its own guess asks the network for this machine's name
        )

    async def _enter(self, client: SMTP) -> None:
        """Connect, encrypt, sign in; nothing is said in the clear but EHLO and STARTTLS."""
        try:
            await client.connect()
            if not self._server.implicit:
                await client.starttls(tls_context=self._tls())
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _later(Trouble.INSECURE if _is_about_tls(error) else Trouble.NO_ANSWER) from error
        if self._server.user is None:
            return
        try:
            await client.login(self._server.user, self._server.password or "")
        except (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPNotSupported) as error:
            raise _later(Trouble.LOGIN_REFUSED) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _later(Trouble.NO_ANSWER) from error

    async def _envelope(self, client: SMTP, address: str) -> None:
        try:
            if address.isascii():
                await client.mail(self._sender)
                await client.rcpt(address)
                return
            await client.ehlo()
            if not client.supports_extension("smtputf8"):
                raise _Broken(Answer(Outcome.REFUSED, Trouble.ADDRESS_REFUSED))
            await client.mail(self._sender, options=["SMTPUTF8", "BODY=8BITMIME"], encoding="utf-8")
            await client.rcpt(address, encoding="utf-8")
        except aiosmtplib.SMTPResponseException as error:
            raise _Broken(_refusal(error.code, Trouble.ADDRESS_REFUSED)) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _later(Trouble.NO_ANSWER) from error

    async def _hand_over(self, client: SMTP, content: bytes) -> Answer:
        try:
            await client.data(content)
        except aiosmtplib.SMTPResponseException as error:
            return _refusal(error.code, Trouble.CONTENT_REFUSED)
        except (aiosmtplib.SMTPException, OSError):
            # The server may have had the last byte, and its answer was lost.
            return Answer(Outcome.UNKNOWN, Trouble.NO_ANSWER)
        return Answer(Outcome.ACCEPTED)

    def _mail(self, parcel: Parcel, address: str) -> bytes:
        mail = EmailMessage(policy=SMTP_POLICY.clone(utf8=not address.isascii()))
        mail["From"] = self._server.sender
        mail["To"] = address
        mail["Subject"] = parcel.subject
        mail["Date"] = format_datetime(utc_now())
        mail["Message-ID"] = f"<{parcel.key}@{self._domain}>"
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(parcel.text)
        if parcel.document is not None:
            mail.add_attachment(
                parcel.document, maintype="application", subtype="pdf", filename=FILE_NAME
            )
        return mail.as_bytes()

    def _tls(self) -> ssl.SSLContext:
        """Checks the certificate and the name in it; made anew, so that a renewed file counts."""
        try:
            return ssl.create_default_context(cafile=self._server.ca_file)
        except OSError as error:
            raise _later(Trouble.INSECURE) from error


def _is_about_tls(error: BaseException | None) -> bool:
    """A certificate that does not hold, or a server without STARTTLS, and not mere silence."""
    while error is not None:
        # The library has no class of its own for a server that does not offer STARTTLS.
        if isinstance(error, ssl.SSLError) or type(error) is aiosmtplib.SMTPException:
            return True
        error = error.__cause__ or error.__context__
    return False


def _later(trouble: Trouble) -> _Broken:
    return _Broken(Answer(Outcome.LATER, trouble))


def _refusal(code: int, trouble: Trouble) -> Answer:
    """5xx is for good; 4xx is for now, and so is 421, with which a server says good-bye."""
    if 500 <= code < 600:
        too_large = code == 552
        return Answer(Outcome.REFUSED, Trouble.TOO_LARGE if too_large else trouble)
    return Answer(Outcome.LATER, trouble if code in _ADDRESS_CODES else Trouble.TOO_MUCH)

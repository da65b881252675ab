"""E-mail over SMTP, with TLS only."""

import asyncio
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

from app.basics.clock import get_utc_now
from app.server.transmissions.rules import Outcome, Trouble
from app.server.transmissions.senders.port import Delivery, Progress, SendResult, UndecidedAttempt

_ADDRESS_CODES = frozenset({450, 452, 550, 551, 553, 556})


@dataclass(frozen=True)
class MailServer:
    """The mail server. ``implicit``: TLS from the first byte, otherwise STARTTLS."""

    host: str
    port: int
    implicit: bool
    user: str | None
    password: str | None
    ca_file: Path | None
    sender: str
    seconds: float


class _NotSent(Exception):
    """The attempt ended before the server accepted the message."""

    def __init__(self, result: SendResult) -> None:
        super().__init__(result)
        self.result = result


class Mailer:
    """Sends e-mails through one server.

    The Message-ID contains the transmission's key. When an e-mail is sent twice (the worker died or
    the connection broke after the server accepted it), both have the same Message-ID, and many
    mailboxes show only one. With SMTP, nobody can ask whether a server has a message (ADR 17).
    """

    name = "smtp"
    can_be_asked = False

    def __init__(self, server: MailServer) -> None:
        self.turn = asyncio.Lock()
        self._server = server
        self._sender = parseaddr(server.sender)[1]
        self._domain = self._sender.rpartition("@")[2]

    async def send(self, delivery: Delivery) -> SendResult:
        """See ``Sender``."""
        return await self.send_to(delivery, delivery.destination)

    async def send_to(self, delivery: Delivery, address: str) -> SendResult:
        """Send a delivery to an address other than its destination."""
        try:
            smtp = self._build_smtp()
        except _NotSent as error:
            return error.result
        try:
            await self._connect(smtp)
            await self._send_envelope(smtp, address)
            return await self._send_content(smtp, self._build_mail(delivery, address))
        except _NotSent as error:
            return error.result
        finally:
            with suppress(aiosmtplib.SMTPException, OSError):
                await smtp.quit(timeout=2)
            smtp.close()

    async def find_accepted(self, attempts: Sequence[UndecidedAttempt]) -> str | None:
        """Return None, since a mail server cannot be queried."""
        return None

    async def get_progress(self, reference: str) -> Progress | None:
        """Return None, since an e-mail is complete when the server has accepted it."""
        return None

    async def close(self) -> None:
        """Do nothing: each e-mail closes its own connection."""

    def _build_smtp(self) -> SMTP:
        return SMTP(
            hostname=self._server.host,
            port=self._server.port,
            timeout=self._server.seconds,
            use_tls=self._server.implicit,
            start_tls=False,  # done in _connect, which distinguishes TLS errors from others
            tls_context=self._build_tls_context() if self._server.implicit else None,
            local_hostname=self._domain,  # the default would look up the host name in the network
        )

    async def _connect(self, smtp: SMTP) -> None:
        """Connect, encrypt and sign in; only EHLO and STARTTLS are sent unencrypted."""
        try:
            await smtp.connect()
            if not self._server.implicit:
                await smtp.starttls(tls_context=self._build_tls_context())
        except (aiosmtplib.SMTPException, OSError) as error:
            trouble = Trouble.INSECURE if _is_tls_error(error) else Trouble.NO_ANSWER
            raise _build_retry_error(trouble) from error
        if self._server.user is None:
            return
        try:
            await smtp.login(self._server.user, self._server.password or "")
        except (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPNotSupported) as error:
            raise _build_retry_error(Trouble.LOGIN_REFUSED) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _build_retry_error(Trouble.NO_ANSWER) from error

    async def _send_envelope(self, smtp: SMTP, address: str) -> None:
        try:
            if address.isascii():
                await smtp.mail(self._sender)
                await smtp.rcpt(address)
                return
            await smtp.ehlo()
            if not smtp.supports_extension("smtputf8"):
                raise _NotSent(SendResult(Outcome.REFUSED, Trouble.ADDRESS_REFUSED))
            await smtp.mail(self._sender, options=["SMTPUTF8", "BODY=8BITMIME"], encoding="utf-8")
            await smtp.rcpt(address, encoding="utf-8")
        except aiosmtplib.SMTPResponseException as error:
            raise _NotSent(_build_refusal(error.code, Trouble.ADDRESS_REFUSED)) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _build_retry_error(Trouble.NO_ANSWER) from error

    async def _send_content(self, smtp: SMTP, content: bytes) -> SendResult:
        try:
            await smtp.data(content)
        except aiosmtplib.SMTPResponseException as error:
            return _build_refusal(error.code, Trouble.CONTENT_REFUSED)
        except (aiosmtplib.SMTPException, OSError):
            # The server may have received the last byte, and its answer was lost.
            return SendResult(Outcome.UNKNOWN, Trouble.NO_ANSWER)
        return SendResult(Outcome.ACCEPTED)

    def _build_mail(self, delivery: Delivery, address: str) -> bytes:
        mail = EmailMessage(policy=SMTP_POLICY.clone(utf8=not address.isascii()))
        mail["From"] = self._server.sender
        mail["To"] = address
        # A line break, for example in the lab's name, would make every e-mail fail.
        mail["Subject"] = " ".join(delivery.subject.split())
        mail["Date"] = format_datetime(get_utc_now())
        mail["Message-ID"] = f"<{delivery.key}@{self._domain}>"
        if delivery.request_id:
            mail["X-Request-ID"] = delivery.request_id
        mail["Auto-Submitted"] = "auto-generated"
        if delivery.reply_to is not None:
            mail["Reply-To"] = delivery.reply_to
        mail.set_content(delivery.text)
        if delivery.html is not None:
            mail.add_alternative(delivery.html, subtype="html")
        if delivery.document is not None:
            mail.add_attachment(
                delivery.document,
                maintype="application",
                subtype="pdf",
                filename=delivery.file_name,
            )
        return mail.as_bytes()

    def _build_tls_context(self) -> ssl.SSLContext:
        """Build a context that verifies the certificate and host name; renewed files are read."""
        try:
            return ssl.create_default_context(cafile=self._server.ca_file)
        except OSError as error:
            raise _build_retry_error(Trouble.INSECURE) from error


def _is_tls_error(error: BaseException | None) -> bool:
    """Whether a certificate is invalid or STARTTLS is missing, unlike a lost connection."""
    while error is not None:
        # The library raises its base class for a server without STARTTLS.
        if isinstance(error, ssl.SSLError) or type(error) is aiosmtplib.SMTPException:
            return True
        error = error.__cause__ or error.__context__
    return False


def _build_retry_error(trouble: Trouble) -> _NotSent:
    return _NotSent(SendResult(Outcome.LATER, trouble))


def _build_refusal(code: int, trouble: Trouble) -> SendResult:
    """Build the result of an error: 5xx is permanent, 4xx (even 421, closing) temporary."""
    if 500 <= code < 600:
        is_too_large = code == 552
        return SendResult(Outcome.REFUSED, Trouble.TOO_LARGE if is_too_large else trouble)
    return SendResult(Outcome.LATER, trouble if code in _ADDRESS_CODES else Trouble.TOO_MUCH)

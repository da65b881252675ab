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
from typing import cast

import aiosmtplib
import structlog
from aiosmtplib import SMTP

from app.basics.clock import get_utc_now
from app.server.logs import describe_error
from app.server.transmissions.rules import Outcome, Trouble
from app.server.transmissions.senders.port import Delivery, Progress, SendResult, UndecidedAttempt
from app.server.transmissions.senders.smtp_content import send_content

_log = structlog.get_logger("portal.sending")
_ADDRESS_CODES = frozenset({450, 452, 550, 551, 553, 556})


@dataclass(frozen=True)
class MailServer:
    """The mail server; without implicit TLS (from the first byte), the mailer uses STARTTLS."""

    host: str
    port: int
    uses_implicit_tls: bool
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

    def __init__(self, server: MailServer) -> None:
        self.turn = asyncio.Lock()
        self._server = server
        self._sender = parseaddr(server.sender)[1]
        self._domain = self._sender.rpartition("@")[2]

    async def send(self, delivery: Delivery) -> SendResult:
        """See ``Sender``."""
        return await self.send_to(delivery, delivery.destination)

    async def send_to(self, delivery: Delivery, address: str) -> SendResult:
        """Send a delivery to an address; for a fax, this is the address of a gateway."""
        try:
            smtp, content = self._build_smtp(), self._build_mail(delivery, address)
        except _NotSent as error:
            return error.result
        except Exception as error:
            # A fault of the portal; nothing has been sent, so nothing is uncertain.
            _log.warning("no e-mail was built", **describe_error(error))
            return SendResult(Outcome.LATER, Trouble.TROUBLE)
        try:
            await self._connect(smtp)
            await self._send_envelope(smtp, address)
            return await self._send_content(smtp, content)
        except _NotSent as error:
            return error.result
        finally:
            with suppress(aiosmtplib.SMTPException, OSError):
                await smtp.quit(timeout=2)
            smtp.close()

    async def find_accepted_attempt(self, attempts: Sequence[UndecidedAttempt]) -> str | None:
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
            use_tls=self._server.uses_implicit_tls,
            start_tls=False,  # done in _connect, which distinguishes TLS errors from others
            tls_context=self._build_tls_context() if self._server.uses_implicit_tls else None,
            local_hostname=self._domain,  # the default would look up the host name in the network
        )

    async def _connect(self, smtp: SMTP) -> None:
        """Connect, encrypt and sign in; only EHLO and STARTTLS are sent unencrypted."""
        try:
            await smtp.connect()
            if not self._server.uses_implicit_tls:
                await smtp.starttls(tls_context=self._build_tls_context())
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _build_retry_error(_choose_connection_trouble(error)) from error
        if self._server.user is None:
            return
        try:
            await smtp.login(self._server.user, self._server.password or "")
        except aiosmtplib.SMTPNotSupported as error:
            raise _build_retry_error(Trouble.LOGIN_REFUSED) from error
        except aiosmtplib.SMTPResponseException as error:
            is_refused = _is_error_code(error.code)
            trouble = Trouble.LOGIN_REFUSED if is_refused else Trouble.UNCLEAR_ANSWER
            raise _build_retry_error(trouble) from error
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
        transport = await self._announce_content(smtp)
        try:
            code = await send_content(transport, content, self._server.seconds)
        except OSError:  # or TimeoutError, a subclass
            # The server may have received the last byte, and its answer was lost.
            return SendResult(Outcome.UNKNOWN, Trouble.NO_ANSWER)
        if code is None and transport.is_closing():
            return SendResult(Outcome.UNKNOWN, Trouble.NO_ANSWER)
        if code is not None and 200 <= code < 300:
            return SendResult(Outcome.ACCEPTED)
        if code is not None and _is_error_code(code):
            return _build_refusal(code, Trouble.CONTENT_REFUSED)
        return SendResult(Outcome.UNKNOWN, Trouble.UNCLEAR_ANSWER)

    async def _announce_content(self, smtp: SMTP) -> asyncio.Transport:
        """Send DATA, and return the connection for the content; an error means it is not sent."""
        try:
            answer = await smtp.execute_command(b"DATA")
        except aiosmtplib.SMTPResponseException as error:
            raise _NotSent(_build_refusal(error.code, Trouble.CONTENT_REFUSED)) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _build_retry_error(Trouble.NO_ANSWER) from error
        if answer.code != aiosmtplib.SMTPStatus.start_input:
            raise _NotSent(_build_refusal(answer.code, Trouble.CONTENT_REFUSED))
        if smtp.transport is None:
            raise _build_retry_error(Trouble.NO_ANSWER)
        return cast(asyncio.Transport, smtp.transport)

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
        """Build a context that verifies certificate and host name, from the current files."""
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


def _choose_connection_trouble(error: Exception) -> Trouble:
    if _is_tls_error(error):
        return Trouble.INSECURE
    if isinstance(error, aiosmtplib.SMTPResponseException) and not _is_error_code(error.code):
        return Trouble.UNCLEAR_ANSWER
    return Trouble.NO_ANSWER


def _is_error_code(code: int) -> bool:
    """Whether a code means an error in SMTP: 4xx or 5xx."""
    return 400 <= code < 600


def _build_refusal(code: int, trouble: Trouble) -> SendResult:
    """Build the result of an e-mail that was not accepted.

    5xx is permanent, 4xx (even 421, closing) temporary. Any other code comes from a server that
    does not follow SMTP, and that has not received the content.
    """
    if not _is_error_code(code):
        return SendResult(Outcome.LATER, Trouble.UNCLEAR_ANSWER)
    if code >= 500:
        is_too_large = code == 552
        return SendResult(Outcome.REFUSED, Trouble.TOO_LARGE if is_too_large else trouble)
    return SendResult(Outcome.LATER, trouble if code in _ADDRESS_CODES else Trouble.TOO_MUCH)

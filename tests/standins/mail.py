"""A mail server (aiosmtpd) with TLS and accounts that stores what it receives."""

import asyncio
import ssl
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, TypeVar

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.standins.ports import bind_port

T = TypeVar("T")
USER, PASSWORD = "lab", "safe-and-sound"


@dataclass
class ReceivedMail:
    """A received mail, and whether the connection was encrypted."""

    sender: str
    to: list[str]
    mail: EmailMessage
    is_encrypted: bool


@dataclass
class MailStandIn:
    """A server that listens inside its context; before that, its port refuses connections.

    Attributes:
        rcpt_answers, data_answers: the next answers to these commands; then the server accepts.
        gate: if given, a mail is answered only after it is set.
        breaks: how many of the next mails get no answer, because their connections end.
        false_replies: raw replies to send in place of the next replies that begin with the key.
        accepted_address: if given, other addresses are rejected temporarily, because a worker
            also sends e-mails of earlier tests.
    """

    tls: ssl.SSLContext | None
    implicit: bool = False
    utf8: bool = False
    rcpt_answers: list[str] = field(default_factory=list)
    data_answers: list[str] = field(default_factory=list)
    received: list[ReceivedMail] = field(default_factory=list)
    connections: int = 0
    arrived: threading.Event = field(default_factory=threading.Event)
    gate: threading.Event | None = None
    breaks: int = 0
    false_replies: dict[str, list[bytes]] = field(default_factory=dict)
    accepted_address: str | None = None
    port: int = field(init=False)

    def __post_init__(self) -> None:
        self._socket = bind_port()
        self.port = int(self._socket.getsockname()[1])

    def __enter__(self) -> "MailStandIn":
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._run(
            self._loop.create_server(
                self._build_protocol, sock=self._socket, ssl=self.tls if self.implicit else None
            )
        )
        return self

    def __exit__(self, *_: object) -> None:
        if self.gate is not None:
            self.gate.set()
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(20)

    async def _close(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _build_protocol(self) -> SMTP:
        starttls = self.tls is not None and not self.implicit
        return _Smtp(
            self,
            hostname="mail.example",
            enable_SMTPUTF8=self.utf8,
            tls_context=self.tls if starttls else None,
            require_starttls=starttls,
            authenticator=_check_login if self.tls else None,
            auth_required=self.tls is not None,
            auth_require_tls=starttls,
            loop=self._loop,
        )

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, answer: list[str]
    ) -> list[str]:
        """Count the connection."""
        self.connections += 1
        session.host_name = hostname
        return answer

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept the address, or give the prepared answer."""
        if self.accepted_address not in (None, address):
            return "450 4.2.1 Later"
        if self.rcpt_answers:
            return self.rcpt_answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Accept the mail, or give the prepared answer."""
        if self.data_answers:
            return self.data_answers.pop(0)
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        is_encrypted = session.ssl is not None or self.implicit
        self.received.append(
            ReceivedMail(envelope.mail_from or "", list(envelope.rcpt_tos), mail, is_encrypted)
        )
        self.arrived.set()
        if self.gate is not None:
            await asyncio.to_thread(self.gate.wait, 60)
        if self.breaks:
            self.breaks -= 1
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return "250 Accepted"

    def wait_for(self, count: int, seconds: float = 60) -> list[ReceivedMail]:
        """Wait until ``count`` mails have arrived."""
        deadline = time.monotonic() + seconds
        while len(self.received) < count:
            assert time.monotonic() < deadline, f"{len(self.received)} of {count} mails came"
            time.sleep(0.02)
        return self.received

    def wait_for_recipient(self, address: str, after: int = 0, seconds: float = 60) -> ReceivedMail:
        """Wait for a mail to an address, ignoring the first ``after`` mails, and return it."""
        deadline = time.monotonic() + seconds
        while True:
            mails = [mail for mail in self.received[after:] if mail.to == [address]]
            if mails:
                return mails[0]
            assert time.monotonic() < deadline, f"no mail to {address} came"
            time.sleep(0.02)


class _Smtp(SMTP):
    """A session that may send false replies in place of its own."""

    async def push(self, status: Any) -> None:
        """Send the reply, or the false reply that is prepared for it."""
        text = status if isinstance(status, str) else status.decode()
        for start, false_replies in self.event_handler.false_replies.items():
            if false_replies and text.startswith(start):
                status = false_replies.pop(0)
                break
        await super().push(status)


def _check_login(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, credentials: Any
) -> AuthResult:
    expected = LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=credentials == expected, handled=False)

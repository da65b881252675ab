"""Fax by an e-mail gateway: the document goes to an address that contains the number."""

from collections.abc import Sequence

from app.basics.text import keep_digits
from app.server.transmissions.senders.port import Delivery, Progress, SendResult, UndecidedAttempt
from app.server.transmissions.senders.smtp import Mailer


class FaxGateway:
    """Sends faxes by e-mail to ``address``, in which '{number}' is replaced by the ten digits.

    A gateway reports back only by e-mail, if at all, so the last known status is SENT.
    """

    name = "gateway"

    def __init__(self, mailer: Mailer, address: str) -> None:
        self.turn = mailer.turn
        self._mailer = mailer
        self._address = address

    async def send(self, delivery: Delivery) -> SendResult:
        """See ``Sender``."""
        number = keep_digits(delivery.destination) or ""
        return await self._mailer.send_to(delivery, self._address.replace("{number}", number))

    async def find_accepted_attempt(self, attempts: Sequence[UndecidedAttempt]) -> str | None:
        """Return None, since a gateway cannot be queried."""
        return None

    async def get_progress(self, reference: str) -> Progress | None:
        """Return None, since nothing is known after the mail server has accepted the fax."""
        return None

    async def close(self) -> None:
        """Do nothing: the mailer owns the connections."""

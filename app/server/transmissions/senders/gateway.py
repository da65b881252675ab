"""Fax by an e-mail gateway: the document goes to an address that holds the number."""

from collections.abc import Sequence

from app.basics.text import digits
from app.server.transmissions.senders.port import Answer, Parcel, Progress, Try
from app.server.transmissions.senders.smtp import Mailer


class FaxGateway:
    """Mails faxes to ``address``, '{number}' standing for the ten digits.

    What the gateway does afterwards it tells by mail, if at all: SENT is the most that is known.
    """

    name = "gateway"

    def __init__(self, mailer: Mailer, address: str) -> None:
        self._mailer = mailer
        self._address = address

    async def send(self, parcel: Parcel) -> Answer:
        """See ``Sender``."""
        number = digits(parcel.destination) or ""
        return await self._mailer.send_to(parcel, self._address.replace("{number}", number))

    async def find(self, tries: Sequence[Try]) -> str | None:
        """Nobody can be asked."""
        return None

    async def follow(self, reference: str) -> Progress | None:
        """A fax is at its end, as far as is told, when the mail server has it."""
        return None

    async def close(self) -> None:
        """There is nothing to let go of."""

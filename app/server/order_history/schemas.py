"""HTTP shapes of the history of orders."""

from datetime import datetime

from app.contract.enumerations import CopyType, SendStatus, Withholding
from app.server.access.schemas import Shape
from app.server.orders.schemas import OptionalTime


class EarlierRecipient(Shape):
    """Somebody who received the results before their last correction or withdrawal.

    Attributes:
        act: 'read', 'print', 'export', 'send', or 'may-receive' for a failed transmission that may
            have arrived.
        at: the last time before the correction.
        type, destination: those of an e-mail or fax.
        has_current: whether the same person or address also received the results after the
            correction. An e-mail counts once a mail server has accepted it, a fax once it is
            delivered.
        current_status: 'queued' or 'sending' while the current results wait or are sent to the
            address; null otherwise.
    """

    name: str
    role: str | None
    act: str
    at: datetime
    type: CopyType | None
    destination: str | None
    has_current: bool
    current_status: SendStatus | None


class EarlierRecipients(Shape):
    """Who received the results before their last correction or withdrawal.

    Attributes:
        corrected_at: the time of that change; null if there was none.
        withheld: why the results of ``tests`` are withheld since then; null if they were corrected.
    """

    corrected_at: OptionalTime
    withheld: Withholding | None
    tests: list[str]
    recipients: list[EarlierRecipient]

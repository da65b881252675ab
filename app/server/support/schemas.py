"""HTTP shapes of messages and supply requests (P 3)."""

from datetime import datetime

from pydantic import AliasChoices, Field

from app.contract.limits import SUPPLIES_MAX
from app.server.access.schemas import RecordId, Shape, Text
from app.server.support.rules import RequestKind, RequestStatus


class ContactWrite(Shape):
    """POST contacts/email; the same fields may be in the query instead."""

    name: Text = None
    email: Text = None
    phone: Text = None
    message: str | None = Field(default=None, max_length=100_000)


class SupplyWish(Shape):
    """A supply in a request; without a quantity and a unit it is left out.

    ``config`` is the unit; ``configSelected`` is accepted too.
    """

    id: RecordId
    quantity: int | None = None
    config: str | None = Field(
        default=None,
        max_length=20,
        validation_alias=AliasChoices("config", "configSelected"),
    )
    comment: Text = None


class CategoryWish(Shape):
    """The supplies of a category in a request."""

    id: RecordId | None = None
    supplies: list[SupplyWish] = Field(default_factory=list, max_length=SUPPLIES_MAX)


class SupplyRequestWrite(ContactWrite):
    """POST supplies/email; ``client`` is a client's name, ``message`` HTML."""

    client: Text = None
    supplies: list[CategoryWish] = Field(default_factory=list, max_length=SUPPLIES_MAX)


class SupplyShape(Shape):
    """A supply to ask for."""

    id: int
    code: str
    name: str


class SupplyCategoryShape(Shape):
    """A category with its supplies."""

    id: int
    name: str
    supplies: list[SupplyShape]


class SupportRequestRead(Shape):
    """A request of the caller, with the state of its e-mail.

    Attributes:
        reason: why it waits or has failed.
        supplies: the number of supplies that it asks for.
    """

    id: int
    kind: RequestKind
    created_at: datetime
    status: RequestStatus
    sent_at: datetime | None
    reason: str | None
    supplies: int


class SendingRead(Shape):
    """How the lab sends, without any secret."""

    email_from: str | None
    mail_server: str | None
    fax: str | None


class TestSending(Shape):
    """POST test-sending: an e-mail address or a fax number."""

    __test__ = False

    type: str = Field(max_length=10)
    value: str = Field(max_length=320)


class TestSent(Shape):
    """Whether the other side accepted the test; if not, why."""

    __test__ = False

    is_sent: bool
    trouble: str | None

"""How codes of the catalogue are read, and who may order a test; no session, clock or request."""

import re
from dataclasses import dataclass

from app.contract import messages
from app.server.access.policy import LAB_STAFF
from app.server.actor import Actor

_UNDOTTED = re.compile(r"^[A-Z][0-9][0-9AB][0-9A-Z]{1,4}$")


def icd10_code(text: str) -> str:
    """The code as ICD-10-CM writes it: upper-case, with a dot behind the third character,
    however it was typed (``e119``, ``E11.9``, ``e11 9``)."""
    plain = "".join(c for c in text.upper() if c.isascii() and c.isalnum())
    return plain if len(plain) <= 3 else f"{plain[:3]}.{plain[3:]}"


def with_dot(word: str) -> str:
    """A word of a search: a code typed without its dot gets it, anything else stays."""
    return icd10_code(word) if _UNDOTTED.match(word) else word


@dataclass(frozen=True)
class TestOffer:
    """What decides whether a test may be ordered for a client.

    ``owner_id`` is the client whose private test it is; ``is_outside`` says that the client has a
    list of tests, and this one is not on it.
    """

    __test__ = False

    code: str
    is_orderable: bool
    owner_id: int | None
    is_outside: bool


def is_bound_to_list(actor: Actor) -> bool:
    """Whether a client's list limits what the actor orders; the lab may go beyond it."""
    return actor.role not in LAB_STAFF


def judge_ordering(
    actor: Actor, client_id: int | None, test: TestOffer, *, is_kept: bool = False
) -> str | None:
    """Why the test may not be ordered for this client; None: it may.

    Another client's private test is refused like an unknown one. ``is_kept``: the record has the
    test already, and what became of it since takes nothing away.
    """
    if test.owner_id not in (None, client_id) or not (is_kept or test.is_orderable):
        return messages.TEST_UNKNOWN
    if test.is_outside and not is_kept and is_bound_to_list(actor):
        return messages.TEST_NOT_OF_CLIENT.format(code=test.code)
    return None

"""Rules for ICD-10 codes and for ordering tests."""

import re
from dataclasses import dataclass

from app.contract import messages
from app.contract.enumerations import ResultKind
from app.server.access.policy import LAB_STAFF
from app.server.actor import Actor

VALUE_KINDS = (ResultKind.CLINICAL, ResultKind.TOXICOLOGY)
"""The kinds of tests whose result is one value; cultures and pathology reports are texts."""
_UNDOTTED_CODE = re.compile(r"^[A-Z][0-9][0-9AB][0-9A-Z]{1,4}$")


def normalize_icd10_code(text: str) -> str:
    """Normalize a typed code (``e119``, ``E11.9``, ``e11 9``) to the form of ICD-10-CM.

    The code is upper case and has a dot after the third character.
    """
    letters = "".join(c for c in text.upper() if c.isascii() and c.isalnum())
    return letters if len(letters) <= 3 else f"{letters[:3]}.{letters[3:]}"


def add_dot(word: str) -> str:
    """Add the dot to a search word that is an ICD-10 code without its dot."""
    return normalize_icd10_code(word) if _UNDOTTED_CODE.match(word) else word


def has_single_value(kind: str, *, is_panel: bool) -> bool:
    """Whether the result of a test is one value; the results of a panel are its members'."""
    return not is_panel and kind in VALUE_KINDS


@dataclass(frozen=True)
class TestOffer:
    """The facts that decide whether a test may be ordered for a client.

    Attributes:
        owner_id: the client that owns a private test.
        is_outside: whether the client has a list of tests and this one is not on it.
    """

    __test__ = False

    code: str
    is_orderable: bool
    owner_id: int | None
    is_outside: bool


def is_bound_to_list(actor: Actor) -> bool:
    """Whether the actor may only order from a client's list; lab staff may go beyond it."""
    return actor.role not in LAB_STAFF


def judge_ordering(
    actor: Actor, client_id: int | None, test: TestOffer, *, is_on_record: bool = False
) -> str | None:
    """Judge whether the test may be ordered for the client: None, or the reason against it.

    Another client's private test is rejected like an unknown one. ``is_on_record``: the record
    already has the test, which may stay although it can no longer be ordered.
    """
    if test.owner_id not in (None, client_id) or not (is_on_record or test.is_orderable):
        return messages.TEST_UNKNOWN
    if test.is_outside and not is_on_record and is_bound_to_list(actor):
        return messages.TEST_NOT_OF_CLIENT.format(code=test.code)
    return None

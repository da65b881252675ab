"""The legal documents in force, and those that a person still has to accept."""

from collections.abc import Collection, Sequence
from enum import StrEnum

from app.basics.errors import Forbidden
from app.contract.limits import PRIVACY_NOTICE_VERSION, TERMS_VERSION
from app.server.access.policy import ALL_ROLES, judge_role
from app.server.actor import Actor


class LegalDocument(StrEnum):
    """A document that everybody accepts."""

    PRIVACY = "privacy"
    TERMS = "terms"


VERSIONS = {LegalDocument.PRIVACY: PRIVACY_NOTICE_VERSION, LegalDocument.TERMS: TERMS_VERSION}
ACCEPTERS = ALL_ROLES


def judge_accepting(actor: Actor) -> Forbidden | None:
    """Judge whether the actor may accept the notice and the terms."""
    return judge_role(actor, ACCEPTERS)


def list_due_documents(accepted_versions: Collection[tuple[str, str]]) -> list[LegalDocument]:
    """Return the documents whose version in force was not accepted yet."""
    return [
        document for document in VERSIONS if (document, VERSIONS[document]) not in accepted_versions
    ]


def are_versions_in_force(shown_versions: Sequence[tuple[LegalDocument, str]]) -> bool:
    """Whether all of these versions are in force, and none is of an earlier release."""
    return all(VERSIONS[document] == version for document, version in shown_versions)

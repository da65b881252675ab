"""Reads and records acceptances."""

from app.basics.errors import require_allowed
from app.contract import messages
from app.server.access.work import Work
from app.server.legal import rules
from app.server.legal.errors import DocumentChanged
from app.server.legal.repository import LegalRepository
from app.server.legal.schemas import AcceptanceWrite, DocumentRead, LegalRead


async def read_documents(work: Work) -> LegalRead:
    """Return the documents in force, and whether the actor has to accept one."""
    accepted_times = await work.build_repository(LegalRepository).load_accepted_times()
    return LegalRead(
        documents=[
            DocumentRead(
                document=document,
                version=version,
                accepted_at=accepted_times.get((document, version)),
            )
            for document, version in rules.VERSIONS.items()
        ],
        is_due=bool(rules.list_due_documents(accepted_times)),
    )


async def accept_documents(work: Work, body: AcceptanceWrite) -> LegalRead:
    """Record that the actor accepts what was shown.

    Raises:
        DocumentChanged: a newer version is in force.
    """
    require_allowed(rules.judge_accepting(work.actor))
    shown_versions = [(document.document, document.version) for document in body.documents]
    if not rules.are_versions_in_force(shown_versions):
        raise DocumentChanged(messages.LEGAL_CHANGED)
    repository = work.build_repository(LegalRepository)
    added_versions = {}
    for document, version in shown_versions:
        if await repository.add(document, version):
            added_versions[str(document)] = version
    if added_versions:
        await work.audit("accept", "legal-document", [], added_versions)
    return await read_documents(work)

"""Signing and unsigning (O 4; DECISIONS 'The signature signs content')."""

from app.basics.clock import lab_now, utc_now
from app.basics.errors import BadInput, FieldError, NotFound
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.contract.limits import BULK_IDS_MAX
from app.server.access.work import Work
from app.server.images import png_of
from app.server.requisitions import rules
from app.server.requisitions.errors import (
    RequisitionNotSigned,
    RequisitionReadOnly,
    RequisitionSigned,
    SignedByAnother,
    SignedContentChanged,
)
from app.server.requisitions.models import Requisition, RequisitionSignature
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import RequisitionRead, Signed, SignedList, SignRequest
from app.server.requisitions.service.read import found, shape

_SIGNED_AT_ONCE = 50
"""Rows of one INSERT: each holds the picture, and a thousand of them would all be in memory."""


async def sign(work: Work, body: SignRequest) -> SignedList:
    """Sign some requisitions, all or none; the message names the one that stopped it.

    Raises:
        NotFound: one is not the actor's, and nothing is signed.
        BadInput, TooLarge, WrongKind: no ids, or the image is none.
        RequisitionReadOnly, RequisitionSigned: canceled, or signed already.
        SignedContentChanged: a version given is not the present one.
    """
    ids = rules.unique(body.requisitions_ids)
    if not ids:
        raise BadInput.of(FieldError("requisitionsIds", messages.VALUE_REQUIRED))
    if len(ids) > BULK_IDS_MAX:
        raise BadInput(messages.TOO_MANY_IDS.format(max=BULK_IDS_MAX))
    image = await png_of(body.image)
    repository = work.repository(RequisitionRepository)
    # Locked first, so that nobody edits between the look at the content and the signature.
    records = await repository.many(Requisition, ids, lock=True)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    signed_at = lab_now(work.portal.settings.time_zone)
    assert work.actor.user_id is not None
    contents = await repository.contents(list(records.values()))
    for count, requisition_id in enumerate(ids, start=1):
        requisition = records[requisition_id]
        _refuse_sign(requisition, body.versions.get(requisition_id))
        work.session.add(
            RequisitionSignature(
                requisition_id=requisition.id,
                user_id=work.actor.user_id,
                user_name=work.actor.name,
                image=image,
                content_hash=contents[requisition_id].digest(),
                signed_at=signed_at,
            )
        )
        requisition.has_signature = True
        requisition.version += 1
        if count % _SIGNED_AT_ONCE == 0:
            await work.session.flush()
    await work.session.flush()
    await work.audit("sign", "requisition", ids)
    return SignedList(data=[Signed(id=i, version=records[i].version) for i in ids])


async def unsign(work: Work, requisition_id: int) -> RequisitionRead:
    """Remove one's own signature; the history keeps it.

    Raises:
        NotFound, StaleVersion, RequisitionNotSigned, SignedByAnother, RequisitionReadOnly.
    """
    requisition = await found(work, requisition_id, lock=True)
    work.require_version(requisition)
    if requisition.status == RequisitionStatus.CANCELED:
        raise _canceled(requisition)
    repository = work.repository(RequisitionRepository)
    signature = await repository.signature(requisition.id)
    if signature is None:
        raise RequisitionNotSigned(messages.REQUISITION_NOT_SIGNED.format(code=requisition.code))
    if signature.user_id != work.actor.user_id:
        raise SignedByAnother(messages.REQUISITION_SIGNED_BY_OTHER.format(code=requisition.code))
    await repository.remove_signature(requisition.id, utc_now())
    requisition.has_signature = False
    requisition.version += 1
    await work.session.flush()
    await work.audit("unsign", "requisition", [requisition.id])
    return await shape(work, requisition)


def _refuse_sign(requisition: Requisition, seen_version: int | None) -> None:
    if RequisitionStatus(requisition.status) not in rules.SIGNABLE:
        raise _canceled(requisition)
    if requisition.has_signature:
        raise RequisitionSigned(messages.REQUISITION_ALREADY_SIGNED.format(code=requisition.code))
    if seen_version is not None and seen_version != requisition.version:
        raise SignedContentChanged(
            messages.REQUISITION_CHANGED_MEANWHILE.format(code=requisition.code)
        )


def _canceled(requisition: Requisition) -> RequisitionReadOnly:
    status = RequisitionStatus(requisition.status)
    return RequisitionReadOnly(
        messages.REQUISITION_READ_ONLY.format(code=requisition.code, status=status.name)
    )

"""Signs and unsigns requisitions (O 4; DECISIONS 'The signature signs content')."""

from collections.abc import Mapping, Sequence

from app.basics.clock import get_lab_now, get_utc_now
from app.basics.errors import BadInput, FieldError, NotFound, require_allowed
from app.contract import messages
from app.contract.limits import BULK_IDS_MAX
from app.server.access.work import Work
from app.server.images import normalize_signature_image
from app.server.requisitions import rules
from app.server.requisitions.errors import SignedContentChanged
from app.server.requisitions.loading import (
    LockedRequisition,
    RequisitionRecord,
    lock_requisitions,
)
from app.server.requisitions.rules import SignedContent
from app.server.requisitions.schemas import RequisitionRead, Signed, SignedList, SignRequest
from app.server.requisitions.service.read import build_requisition_read, get_record
from app.server.requisitions.service.versions import require_version, require_versions
from app.server.requisitions.states import build_state
from app.server.requisitions.storing import (
    end_signature,
    insert_signatures,
    update_requisition,
    update_requisitions,
)


async def sign_requisitions(work: Work, body: SignRequest) -> SignedList:
    """Sign these requisitions, all or none; the message of an error names the requisition.

    Raises:
        NotFound: a requisition does not exist or is out of scope.
        BadInput, TooLarge, WrongKind: the body has no ids, or no valid image.
        RequisitionReadOnly: a requisition is canceled, or its order is final or canceled.
        RequisitionSigned: a requisition is already signed.
        SignedContentChanged: the version of a requisition differs from the body's; the message
            names all such requisitions.
    """
    ids = rules.deduplicate_ids(body.requisitions_ids)
    if not ids:
        raise BadInput.of(FieldError("requisitionsIds", messages.VALUE_REQUIRED))
    if len(ids) > BULK_IDS_MAX:
        raise BadInput(messages.TOO_MANY_IDS.format(max=BULK_IDS_MAX))
    image = await normalize_signature_image(body.image, work.actor.user_text)
    records = await lock_to_sign(work, ids)
    return await sign_locked(work, records, image, body.versions)


async def lock_to_sign(work: Work, ids: Sequence[int]) -> list[LockedRequisition]:
    """Lock these requisitions and load the content to sign, or raise NotFound."""
    records = await lock_requisitions(work, ids, with_contents=True)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    return [records[i] for i in ids]


async def sign_locked(
    work: Work,
    records: Sequence[LockedRequisition],
    image: bytes,
    versions: Mapping[int, int],
    *,
    is_shown_as_order: bool = False,
) -> SignedList:
    """Sign locked requisitions with a normalized image.

    ``versions`` has the required versions by id. With ``is_shown_as_order``, error messages name
    the orders instead of the requisitions.

    Raises:
        RequisitionReadOnly, RequisitionSigned, SignedContentChanged.
    """
    for record in records:
        state = build_state(
            record.requisition,
            order_status=record.order_status,
            is_shown_as_order=is_shown_as_order,
        )
        require_allowed(rules.judge_signing(work.actor, state))
    signed_requisitions = [record.requisition for record in records]
    await require_versions(
        work,
        signed_requisitions,
        versions,
        messages.REQUISITION_CHANGED_MEANWHILE,
        messages.REQUISITIONS_CHANGED_MEANWHILE,
        SignedContentChanged,
    )
    contents: dict[int, SignedContent] = {}
    for record in records:
        requisition = record.requisition
        assert record.content is not None
        contents[requisition.id] = record.content
        requisition.has_signature = True
        requisition.version += 1
    insert_signatures(
        work.statements,
        contents,
        user_name=work.actor.name,
        image=image,
        signed_at=get_lab_now(work.portal.settings.time_zone),
    )
    update_requisitions(work.statements, signed_requisitions, ("has_signature", "version"))
    await work.audit("sign", "requisition", [row.id for row in signed_requisitions])
    return SignedList(data=[Signed(id=row.id, version=row.version) for row in signed_requisitions])


async def unsign_requisition(work: Work, requisition_id: int) -> RequisitionRead:
    """Remove the actor's own signature; its row stays in the history.

    Raises:
        NotFound, StaleVersion, RequisitionNotSigned, SignedByAnother, RequisitionReadOnly.
    """
    record = await get_record(work, requisition_id, lock=True)
    await require_version(work, record.requisition)
    remove_signature(work, record)
    await work.audit("unsign", "requisition", [requisition_id])
    return build_requisition_read(work, record)


def remove_signature(
    work: Work, record: RequisitionRecord, *, is_shown_as_order: bool = False
) -> None:
    """End the signature of a locked requisition, at the commit.

    With ``is_shown_as_order``, error messages name the order instead of the requisition.

    Raises:
        RequisitionNotSigned, SignedByAnother.
        RequisitionReadOnly: the requisition is canceled, or its order is final or canceled.
    """
    requisition, signature = record.requisition, record.signature
    order_status = record.order.status if record.order else None
    state = build_state(requisition, signature, order_status, is_shown_as_order=is_shown_as_order)
    require_allowed(rules.judge_unsigning(work.actor, state))
    requisition.has_signature = False
    requisition.version += 1
    record.signature = None
    end_signature(work.statements, requisition.id, get_utc_now())
    update_requisition(work.statements, requisition, ["has_signature"])

"""Prints of labels: recorded before the printer gets them, ended by its report (ADR 70)."""

from collections.abc import Sequence
from itertools import groupby

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound
from app.contract import messages
from app.drawing.labels import draw_labels
from app.server.access.work import Work
from app.server.paperwork import rules
from app.server.paperwork.errors import LabelsChanged, PrintOutcomeMismatch
from app.server.paperwork.models import LabelPrint
from app.server.paperwork.repository import LabelPrintRepository
from app.server.paperwork.schemas import (
    LabelPrintRead,
    LabelPrintRequest,
    LabelPrintStarted,
    PrintOutcomeWrite,
)
from app.server.paperwork.service.labels import (
    PlannedLabel,
    build_label_reads,
    build_stock,
    list_contents,
    open_drawing,
    plan_labels,
)
from app.server.paperwork.service.report import ReportContext
from app.server.paperwork.service.requisition_form import get_requisitions
from app.server.requisitions.rules import deduplicate_ids

_STARTED = "started"


async def start_print(context: ReportContext, body: LabelPrintRequest) -> LabelPrintStarted:
    """Record that these labels are printed now, and draw them; copies are marked.

    A repeated request with the same job draws the same labels again.

    Raises:
        NotFound: a requisition does not exist or is out of scope.
        RequisitionWithoutLabels: a requisition is canceled.
        LabelsChanged: a chosen label is no longer one of its requisition.
        TooManyTries: the person already has several documents in progress; nothing is recorded.
    """
    unique_ids = deduplicate_ids(body.ids)
    async with open_drawing(context, unique_ids, draw_labels) as draw:
        async with context.open_work() as work:
            records = await get_requisitions(work, unique_ids)
            await work.build_repository(LabelPrintRepository).lock_copies(unique_ids)
            plan = _choose_labels(await plan_labels(work, unique_ids, body.job), body)
            await _record_print(work, plan, body)
        labels = await draw(list_contents(plan), build_stock(body.dpi, body.size))
    return LabelPrintStarted(
        job=body.job,
        codes=[records[i].code for i in unique_ids],
        labels=build_label_reads(plan, labels),
    )


async def _record_print(work: Work, plan: Sequence[PlannedLabel], body: LabelPrintRequest) -> None:
    """Record the print of these labels, unless a request with the same job has done so.

    Raises LabelsChanged if that request printed other labels.
    """
    repository = work.build_repository(LabelPrintRepository)
    new_prints = _build_prints(work, plan, body)
    if recorded_prints := await repository.list_by_job(body.job):
        if _list_labels(recorded_prints) != _list_labels(new_prints):
            raise LabelsChanged(messages.LABELS_CHANGED)
        return
    await repository.insert(*new_prints)
    copies = {"copies": body.copies, "copy": max(x.content.copy for x in plan)}
    await work.audit(
        "print-labels",
        "requisition",
        deduplicate_ids(body.ids),
        {"labels": len(plan), "printer": body.printer, "job": body.job, **copies},
    )


def _list_labels(prints: Sequence[LabelPrint]) -> set[tuple[int, tuple[str, ...], int]]:
    return {(row.requisition_id, tuple(row.labels), row.copies) for row in prints}


def _choose_labels(plan: list[PlannedLabel], body: LabelPrintRequest) -> list[PlannedLabel]:
    if body.only is None:
        return plan
    chosen_keys = {(choice.requisition_id, choice.key) for choice in body.only}
    labels = [label for label in plan if (label.requisition_id, label.key) in chosen_keys]
    if not labels or len(labels) != len(chosen_keys):
        raise LabelsChanged(messages.LABELS_CHANGED)
    return labels


def _build_prints(
    work: Work, plan: Sequence[PlannedLabel], body: LabelPrintRequest
) -> list[LabelPrint]:
    """Build a row for each requisition; its labels follow each other in the plan."""
    prints: list[LabelPrint] = []
    position = 0
    for requisition_id, group in groupby(plan, lambda label: label.requisition_id):
        labels = list(group)
        prints.append(
            LabelPrint(
                job=body.job,
                requisition_id=requisition_id,
                labels=[label.key for label in labels],
                place=position,
                job_labels=len(plan),
                copies=body.copies,
                copy_number=max(label.content.copy for label in labels),
                printer=body.printer,
                workstation=body.workstation,
                printed_by=work.actor.user_id,
                printed_by_name=work.actor.name,
            )
        )
        position += len(labels)
    return prints


async def end_print(work: Work, job: str, body: PrintOutcomeWrite) -> None:
    """Record the outcome of a print job; a second report changes nothing.

    Raises:
        NotFound: there is no such job, or it has no requisition in the actor's scope.
        PrintOutcomeMismatch: the job has another number of labels.
    """
    prints = await work.build_repository(LabelPrintRepository).list_by_job(job)
    if not prints:
        raise NotFound(messages.NOT_FOUND)
    started_prints = [row for row in prints if row.state == _STARTED]
    for row in started_prints:
        if body.labels != row.job_labels * row.copies or body.printed + body.unknown > body.labels:
            raise PrintOutcomeMismatch(messages.PRINT_OUTCOME_MISMATCH)
        outcome = rules.compute_outcome(
            row.labels, row.place, row.job_labels, row.copies, body.printed, body.unknown
        )
        row.state, row.reason, row.ended_at = body.state, body.code, get_utc_now()
        row.printed, row.unknown, row.missing = outcome.printed, outcome.unknown, outcome.missing
    if started_prints:
        await work.audit(
            "end-label-print",
            "requisition",
            [row.requisition_id for row in started_prints],
            {"job": job, **body.model_dump(exclude_none=True)},
        )


async def list_prints(work: Work, requisition_id: int) -> list[LabelPrintRead]:
    """Return the prints of a requisition's labels, newest first, or raise NotFound."""
    await get_requisitions(work, [requisition_id])
    prints = await work.build_repository(LabelPrintRepository).list_by_requisitions(
        [requisition_id]
    )
    await work.audit("read-label-prints", "requisition", [requisition_id])
    return [
        LabelPrintRead(
            printed_by_name=row.printed_by_name,
            printer=row.printer,
            workstation=row.workstation,
            created_at=row.created_at,
            ended_at=row.ended_at,
            state=row.state,
            labels=len(row.labels),
            copies=row.copies,
            copy_number=row.copy_number,
            printed=row.printed,
            unknown=row.unknown,
        )
        for row in prints
    ]

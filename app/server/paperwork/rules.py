"""Rules about labels and reports: who may have them, and which labels are copies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.basics.errors import Forbidden, PortalError
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.server.access.policy import ALL_ROLES, LAB_STAFF, judge_role
from app.server.actor import Actor
from app.server.paperwork.errors import RequisitionWithoutLabels
from app.server.requisitions.rules import RequisitionState

PREVIEWERS = LAB_STAFF


def judge_previewing(actor: Actor) -> Forbidden | None:
    """Return why the actor may not see reports of results that are not released, or None."""
    return judge_role(actor, PREVIEWERS)


def judge_labeling(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not have this requisition's labels, or None."""
    if error := judge_role(actor, ALL_ROLES):
        return error
    if state.status != RequisitionStatus.CANCELED:
        return None
    text = messages.REQUISITION_WITHOUT_LABELS.format(code=state.code, status=state.status.name)
    return RequisitionWithoutLabels(text)


class PrintedLabels(Protocol):
    """A print of a requisition's labels (``LabelPrint``)."""

    @property
    def labels(self) -> list[str]:
        """The keys of its labels."""
        ...

    @property
    def missing(self) -> list[str]:
        """The keys of the labels that were certainly not printed."""
        ...


def compute_copy(key: str, earlier_prints: Iterable[PrintedLabels]) -> int:
    """Return 1 for a label that was not printed before, 2 after one print of it, and so on.

    A label with an unknown outcome counts as printed.
    """
    return 1 + sum(key in row.labels and key not in row.missing for row in earlier_prints)


def number_keys(titles: Iterable[str]) -> list[str]:
    """Return the key of each label of a requisition: title, and number among equal titles."""
    counts: dict[str, int] = {}
    keys = []
    for title in titles:
        counts[title] = counts.get(title, 0) + 1
        keys.append(f"{title} {counts[title]}")
    return keys


@dataclass(frozen=True)
class LabelOutcome:
    """The outcomes of a requisition's labels.

    Attributes:
        printed, unknown: counts of labels, copies included.
        missing: the keys of the labels of which no copy was printed.
    """

    printed: int
    unknown: int
    missing: list[str]


def compute_outcome(
    keys: Sequence[str],
    first: int,
    job_labels: int,
    copies: int,
    printed_labels: int,
    unknown_labels: int,
) -> LabelOutcome:
    """Return the outcome of one requisition's labels in a job that printed those of several.

    The job consists of ``copies`` equal sets of ``job_labels`` labels. In each set, the labels of
    the requisition begin at index ``first``. In the job's order, the first ``printed_labels`` were
    printed, and the next ``unknown_labels`` may have been.
    """
    printed_copies = unknown_copies = 0
    missing_keys = []
    for index, key in enumerate(keys):
        positions = [number * job_labels + first + index for number in range(copies)]
        printed_copies += sum(p < printed_labels for p in positions)
        unknown_copies += sum(
            printed_labels <= p < printed_labels + unknown_labels for p in positions
        )
        if all(p >= printed_labels + unknown_labels for p in positions):
            missing_keys.append(key)
    return LabelOutcome(printed_copies, unknown_copies, missing_keys)

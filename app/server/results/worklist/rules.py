"""Rules for releasing results of several orders together (ADR 48)."""

from dataclasses import dataclass

from app.contract import messages


@dataclass(frozen=True)
class ReadyResult:
    """An entered, unreleased result of a test.

    Attributes:
        is_implausible: whether the value is implausible, although somebody has confirmed it.
        is_delta_exceeded: whether it differs more than usual from the patient's last result.
        is_correction: whether it follows a released result.
        is_specimen_rejected: whether its specimen must be collected again.
        predates_specimen: whether it was entered before its specimen was received.
        has_remark: whether the order's specimens have a remark, such as hemolysis.
        needs_unit_check: whether the result, or its limits, are in another unit than the test now.
    """

    test: str
    is_critical: bool = False
    is_implausible: bool = False
    is_delta_exceeded: bool = False
    is_correction: bool = False
    is_specimen_rejected: bool = False
    predates_specimen: bool = False
    has_remark: bool = False
    needs_unit_check: bool = False


def find_concern(result: ReadyResult) -> str | None:
    """Return why a person should look at the result before its release, or None."""
    concerns = (
        (result.is_critical, messages.RELEASE_CRITICAL),
        (result.is_correction, messages.RELEASE_CORRECTION),
        (result.is_implausible, messages.RELEASE_IMPLAUSIBLE),
        (result.is_delta_exceeded, messages.RELEASE_DELTA),
        (result.needs_unit_check, messages.RELEASE_UNIT),
        (result.is_specimen_rejected, messages.RELEASE_SPECIMEN),
        (result.predates_specimen, messages.RELEASE_BEFORE_SPECIMEN),
        (result.has_remark, messages.RELEASE_REMARK),
    )
    message = next((message for is_met, message in concerns if is_met), None)
    return message.format(test=result.test) if message else None


def find_toxicology_concern(specimen_fault: str | None, unexpected_drug: str | None) -> str | None:
    """Return why a person should look at toxicology results before their release, or None.

    ``unexpected_drug`` is a drug that was found and is not among the reported medications.
    """
    if specimen_fault is not None:
        return messages.RELEASE_SPECIMEN_INVALID
    return messages.RELEASE_UNEXPECTED.format(drug=unexpected_drug) if unexpected_drug else None

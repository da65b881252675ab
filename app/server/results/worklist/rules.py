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
    """

    test: str
    is_critical: bool = False
    is_implausible: bool = False
    is_delta_exceeded: bool = False
    is_correction: bool = False
    is_specimen_rejected: bool = False


def find_concern(result: ReadyResult) -> str | None:
    """Return why a person should look at the result before its release, or None."""
    if result.is_critical:
        return messages.RELEASE_CRITICAL.format(test=result.test)
    if result.is_correction:
        return messages.RELEASE_CORRECTION.format(test=result.test)
    if result.is_implausible:
        return messages.RELEASE_IMPLAUSIBLE.format(test=result.test)
    if result.is_delta_exceeded:
        return messages.RELEASE_DELTA.format(test=result.test)
    if result.is_specimen_rejected:
        return messages.RELEASE_SPECIMEN.format(test=result.test)
    return None


def find_toxicology_concern(specimen_fault: str | None, unexpected_drug: str | None) -> str | None:
    """Return why a person should look at toxicology results before their release, or None.

    ``unexpected_drug`` is a drug that was found and is not among the reported medications.
    """
    if specimen_fault is not None:
        return messages.RELEASE_SPECIMEN_INVALID
    return messages.RELEASE_UNEXPECTED.format(drug=unexpected_drug) if unexpected_drug else None

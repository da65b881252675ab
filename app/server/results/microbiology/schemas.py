"""HTTP shapes of microbiology results (R 3)."""

from typing import Annotated

from pydantic import Field

from app.contract.enumerations import (
    CultureStage,
    Reporting,
    ResultFlag,
    SusceptibilityMethod,
    Withholding,
)
from app.contract.limits import MIC_MAX_LENGTH
from app.server.access.schemas import RecordId, Shape
from app.server.orders.schemas import OptionalTime
from app.server.requisitions.schemas import ClinicalTimeWrite
from app.server.results.entry.schemas import (
    EntryHeader,
    EntryHold,
    EntryWithholding,
    ResultComment,
)

Code = Annotated[str, Field(max_length=50)]


class SensitivityShape(Shape):
    """An antibiotic that clients see, with its MIC or zone as entered."""

    antibiotic_name: str
    mic: str | None
    method: SusceptibilityMethod
    microbiology_interpretation_type: ResultFlag | None
    comment: str | None


class OrganismShape(Shape):
    """An organism with its susceptibilities; ``organism_comment`` explains its mark."""

    name: str
    culture_quantity_name: str | None
    mark: str | None
    comment: str | None
    organism_comment: str | None
    is_flora: bool
    sensitivity: list[SensitivityShape]


class FindingShape(Shape):
    """A direct finding with its quantity."""

    name: str
    culture_quantity_name: str | None


class CultureContent(Shape):
    """The content of a version of a culture (R 3)."""

    revision: int
    sources: list[str]
    collection_site: str | None
    collected: OptionalTime
    result: str | None
    findings: list[FindingShape]
    organisms: list[OrganismShape]
    preliminary_released: bool
    preliminary_result_comment: str | None
    result_report_comments: list[str]
    is_critical: bool
    is_abnormal: bool
    released_at: OptionalTime
    released_by: str | None


class ChangeShape(Shape):
    """A change by a correction.

    Attributes:
        was, now: null if there is no value.
    """

    subject: str
    was: str | None
    now: str | None


class CorrectionShape(Shape):
    """A correction of a released culture: what changed, who released it, when, and why."""

    revision: int
    reason: str | None
    explanation: str | None
    released_by: str | None
    released_at: OptionalTime
    changes: list[ChangeShape]


class MicrobiologyResult(CultureContent):
    """A culture of an order, as in its newest version.

    Attributes:
        withheld: set while the released culture is under review or withdrawn; then only the lab
            sees its content.
        label: as in R 4.
        earlier: the released versions before this one, newest first.
    """

    key: int
    name: str
    status: int
    withheld: Withholding | None
    withheld_at: OptionalTime
    awaits_collection: bool
    label: str
    result_type: int
    tests: list[str]
    corrections: list[CorrectionShape]
    earlier: list[CultureContent]


class SensitivityEntry(Shape):
    """An antibiotic on the entry screen; ``limits`` come from the lab's breakpoints."""

    antibiotic: str
    antibiotic_name: str
    method: SusceptibilityMethod
    mic: str | None
    interpretation: ResultFlag | None
    is_manual: bool
    reporting: Reporting
    is_suppressed: bool
    limits: str | None
    comment: str | None


class OrganismEntry(Shape):
    """An organism on the entry screen."""

    code: str
    name: str
    quantity: str | None
    mark: str | None
    comment: str | None
    sensitivity: list[SensitivityEntry]


class FindingEntry(Shape):
    """A finding on the entry screen."""

    code: str
    name: str
    quantity: str | None


class FieldMessage(Shape):
    """A message about a field of the culture, by its name on the wire."""

    field: str
    message: str


class CultureEntry(Shape):
    """A culture as entered, with the lab's interpretations, suppressions, and open questions.

    Attributes:
        preliminary_gaps, final_gaps: why it cannot be released at that stage.
    """

    source: str | None
    site: str | None
    collected: OptionalTime
    result: str | None
    findings: list[FindingEntry]
    organisms: list[OrganismEntry]
    comment: str | None
    preliminary_comment: str | None
    reason_code: str | None
    reason: str | None
    explanation: str | None
    is_correction: bool
    is_critical: bool
    preliminary_gaps: list[FieldMessage]
    final_gaps: list[FieldMessage]


class CultureEntryTest(Shape):
    """A test on the microbiology entry screen.

    Attributes:
        predates_specimen: whether what is entered is older than the reception of its specimen.
        is_released: whether its current version is released.
        has_release: whether any version was released, even if it is withheld now.
        left_because: why the reader may not release it now.
    """

    order_test_id: int
    code: str
    name: str
    specimen: str | None
    choices: list[str]
    status: int
    awaits_collection: bool
    predates_specimen: bool
    stage: CultureStage | None
    withheld: EntryWithholding | None
    holds: list[EntryHold]
    is_entered: bool
    is_released: bool
    has_release: bool
    left_because: str | None
    entered_by: str | None
    entered_at: OptionalTime
    culture: CultureEntry


class MicrobiologyEntry(EntryHeader):
    """The microbiology entry screen of one order."""

    tests: list[CultureEntryTest]


class SensitivityWrite(Shape):
    """An antibiotic to enter; without an interpretation, the lab's breakpoints decide."""

    antibiotic: Code
    method: SusceptibilityMethod = SusceptibilityMethod.MIC
    mic: str | None = Field(default=None, max_length=MIC_MAX_LENGTH)
    interpretation: ResultFlag | None = None
    reporting: Reporting = Reporting.CASCADE
    comment: ResultComment = None


class OrganismWrite(Shape):
    """An organism to enter."""

    code: Code | None = None
    quantity: Code | None = None
    mark: Code | None = None
    comment: ResultComment = None
    sensitivity: list[SensitivityWrite] = Field(default=[], max_length=100)


class FindingWrite(Shape):
    """A finding to enter."""

    code: Code
    quantity: Code | None = None


class CultureWrite(Shape):
    """PUT microbiology-entry: the whole culture; without content it is withdrawn."""

    source: Code | None = None
    site: Code | None = None
    collected: ClinicalTimeWrite = None
    result: str | None = Field(default=None, max_length=500)
    findings: list[FindingWrite] = Field(default=[], max_length=50)
    organisms: list[OrganismWrite] = Field(default=[], max_length=30)
    comment: ResultComment = None
    preliminary_comment: ResultComment = None
    reason_code: Code | None = None
    explanation: str | None = Field(default=None, max_length=2_000)


class CultureCheck(CultureEntry):
    """POST check: the culture as it would be saved, and what would be rejected."""

    errors: list[FieldMessage]


class MicrobiologyRelease(Shape):
    """POST microbiology-release: these tests, or all with something new when null."""

    kind: CultureStage
    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)


class TermShape(Shape):
    """A term to choose: a source, site, quantity, finding, or mark."""

    code: str
    name: str
    words: str | None


class OrganismChoice(Shape):
    """An organism to choose; ``panel`` are the antibiotics that the lab has breakpoints for."""

    code: str
    name: str
    panel: list[str]


class AntibioticChoice(Shape):
    """An antibiotic to choose."""

    code: str
    name: str
    class_name: str


class MicrobiologyLists(Shape):
    """The lab's lists for the entry of cultures, in its order."""

    breakpoint_edition: str | None
    sources: list[TermShape]
    sites: list[TermShape]
    quantities: list[TermShape]
    findings: list[TermShape]
    marks: list[TermShape]
    organisms: list[OrganismChoice]
    antibiotics: list[AntibioticChoice]

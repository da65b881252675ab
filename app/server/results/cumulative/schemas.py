"""HTTP shapes of cumulative results (R 3)."""

from datetime import date
from typing import Generic, TypeVar

from app.contract.enumerations import ResultFlag, ToxicologyVerdict
from app.server.access.schemas import Named, Shape
from app.server.requisitions.schemas import ClinicalTime


class CumulativeInfo(Shape):
    """The patient of an order, and the patient's kinds of result in the actor's scope.

    Name, birth date, and sex are as stored with the order. Address and phone are the patient's
    current ones; they are None if the patient is no longer in the actor's scope.
    """

    order_id: int
    code_value: str
    collection_date: ClinicalTime
    patient_id: int
    patient_code: str | None
    patient_first_name: str
    patient_middle_name: str | None
    patient_last_name: str
    patient_birth_date: date | None
    patient_gender: str
    patient_address: str | None
    patient_city: str | None
    patient_state: str | None
    patient_zip_code: str | None
    patient_phone: str | None
    has_clinical_result: bool
    has_microbiology_result: bool
    has_toxicology_result: bool


class CumulativeOrganism(Shape):
    """An organism of a culture; ``mark`` is a kind of resistance, such as MRSA."""

    name: str
    culture_quantity_name: str | None
    mark: str | None


class CumulativeResult(Shape):
    """The fields that results of every kind have.

    Attributes:
        id: the id of the order's test, by which results are selected for a report.
        series: identifies results that can be compared, because they have the same test, unit,
            and method; such results have the same text in every answer.
    """

    id: int
    test_id: int
    series: str
    name: str
    result: str | None
    unit: str | None
    result_type: int
    is_abnormal: bool
    is_critical: bool
    is_corrected: bool
    comment: str | None
    organisms: list[CumulativeOrganism]


class CumulativeClinicalResult(CumulativeResult):
    """A clinical result with the range by which it was judged.

    Attributes:
        number: None for text.
        sign: the comparison sign of a value such as '<5'.
        is_unit_changed, is_method_changed: whether the unit or method differs from that of the
            previous result of the test.
        is_range_changed: whether the range differs from that of the previous result of the series.
    """

    number: float | None
    sign: str | None
    flag: ResultFlag | None
    method: str | None
    reference_range: str | None
    low: float | None
    high: float | None
    is_unit_changed: bool
    is_method_changed: bool
    is_range_changed: bool


class CumulativeToxicologyResult(CumulativeResult):
    """A toxicology result.

    Attributes:
        verdict: the verdict that was stored when it was released.
        specimen_fault: why the order's specimen is invalid.
        is_cut_off_changed: whether the cut-off differs from that of the previous result.
    """

    is_detected: bool | None
    cut_off: float | None
    detection_window: str | None
    verdict: ToxicologyVerdict | None
    specimen_fault: str | None
    is_cut_off_changed: bool


class CumulativeMicrobiologyResult(CumulativeResult):
    """A culture; ``findings`` are statements such as 'No growth' or of the Gram stain."""

    source: str | None
    collection_site: str | None
    findings: list[str]
    is_preliminary: bool


Result = TypeVar("Result", bound=CumulativeResult)


class CumulativeOrder(Shape, Generic[Result]):
    """An order with its released results.

    Attributes:
        date: the collection time.
        client: None if the client is not in the actor's scope.
    """

    id: int
    code: str
    date: ClinicalTime
    client: str | None
    results: list[Result]


class CumulativeDay(Shape, Generic[Result]):
    """The orders of one day of collection, newest first."""

    collection_date: date
    orders: list[CumulativeOrder[Result]]


CumulativeClinicalDay = CumulativeDay[CumulativeClinicalResult]
CumulativeToxicologyDay = CumulativeDay[CumulativeToxicologyResult]
CumulativeMicrobiologyDay = CumulativeDay[CumulativeMicrobiologyResult]


class CumulativeClient(Named):
    """A client through which the patient has results in a period."""

    code: str

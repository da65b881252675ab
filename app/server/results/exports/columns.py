"""The columns of exported results; those that identify a result and its value come first."""

from app.server.exports.source import CellType, ExportColumn

ORDER_COLUMNS = (
    ExportColumn("order", "Order", width=12),
    ExportColumn("requisition", "Requisition", width=12),
    ExportColumn("orderStatus", "Order Status"),
    ExportColumn("clientCode", "Client Code"),
    ExportColumn("client", "Client", width=26),
    ExportColumn("patientId", "Patient ID", width=11),
    ExportColumn("lastName", "Last Name", width=18),
    ExportColumn("firstName", "First Name", width=16),
    ExportColumn("middleName", "Middle Name"),
    ExportColumn("birthDate", "Birth Date", CellType.DATE, 11),
    ExportColumn("gender", "Gender", width=10),
    ExportColumn("physician", "Ordering Physician", width=22),
    ExportColumn("npi", "NPI", width=12),
    ExportColumn("collected", "Collected", CellType.MOMENT, 16),
    ExportColumn("received", "Received", CellType.MOMENT, 16),
    ExportColumn("reported", "Reported", CellType.MOMENT, 16),
)
RESULT_COLUMNS = (
    ExportColumn("section", "Section"),
    ExportColumn("panel", "Panel", width=24),
    ExportColumn("testCode", "Test Code", width=11),
    ExportColumn("test", "Test", width=28),
    ExportColumn("loinc", "LOINC", width=10),
    ExportColumn("result", "Result", width=18),
    ExportColumn("number", "Number", CellType.NUMBER, 10),
    ExportColumn("sign", "Sign", width=6),
    ExportColumn("flag", "Flag", width=6),
    ExportColumn("unit", "Unit", width=10),
    ExportColumn("ucum", "UCUM", width=10),
    ExportColumn("referenceRange", "Reference Range", width=16),
    ExportColumn("status", "Result Status"),
    ExportColumn("released", "Released", CellType.MOMENT, 16),
    ExportColumn("corrected", "Corrected", width=10),
    ExportColumn("earlierResult", "Earlier Result", width=18),
    ExportColumn("comment", "Comment", width=30),
    ExportColumn("method", "Method"),
    ExportColumn("performingLab", "Performing Lab", width=20),
    ExportColumn("source", "Source"),
    ExportColumn("site", "Collection Site"),
    ExportColumn("finding", "Finding", width=22),
    ExportColumn("organism", "Organism", width=24),
    ExportColumn("organismCode", "SNOMED CT", width=12),
    ExportColumn("quantity", "Quantity"),
    ExportColumn("resistance", "Resistance"),
    ExportColumn("antibiotic", "Antibiotic", width=20),
    ExportColumn("susceptibility", "MIC or Zone", width=12),
    ExportColumn("interpretation", "Interpretation"),
    ExportColumn("cutOff", "Cut-off", width=10),
    ExportColumn("detectionWindow", "Detection Window", width=16),
    ExportColumn("verdict", "Medication Verdict", width=20),
    ExportColumn("report", "Report"),
    ExportColumn("signedOutBy", "Signed Out By", width=20),
)
_PARTS = ORDER_COLUMNS + RESULT_COLUMNS
_FIRST = (
    *("order", "patientId", "lastName", "firstName"),
    *("test", "result", "flag", "unit", "referenceRange", "status"),
    *("testCode", "birthDate", "collected"),
)
COLUMNS = tuple(
    sorted(_PARTS, key=lambda part: _FIRST.index(part.name) if part.name in _FIRST else len(_FIRST))
)
"""The columns in the order of the file.

A result has one line; a culture has one per finding, and per organism and antibiotic.
"""
POSITIONS = tuple(_PARTS.index(column) for column in COLUMNS)
"""The index of each column in ``ORDER_COLUMNS + RESULT_COLUMNS``."""

"""The requisition form (42 CFR 493.1241(c)), on one page if it fits."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image
from reportlab.lib.utils import ImageReader

from app.basics.dates import format_date_time, format_timestamp
from app.drawing.pages.common import build_heading, build_party_block, build_patient_block
from app.drawing.pages.document import Document
from app.drawing.pages.facts import (
    Cancellation,
    DiagnosisLine,
    OrderedTest,
    RequisitionPage,
    Signature,
)
from app.drawing.pages.lettering import INK, MUTED, RULE
from app.drawing.pages.paper import CONTENT_WIDTH, LEFT, RIGHT
from app.drawing.pages.sheet import Cell, Column, Sheet

_TESTS = (Column("Code", 66), Column("Test", 216), Column("Components", CONTENT_WIDTH - 282))
_DIAGNOSES = (
    Column("ICD-10-CM", 62),
    Column("Description", CONTENT_WIDTH - 232),
    Column("Supports", 170),
)
_INSURANCE = (
    Column("#", 18),
    Column("Payer", 192),
    Column("Insurance ID", 96),
    Column("Group", 66),
    Column("Relationship", 62),
    Column("Insured", CONTENT_WIDTH - 434),
)
_SIGNATURE_WIDTH, _SIGNATURE_HEIGHT = 180.0, 36.0


class RequisitionsPdf(Document[RequisitionPage]):
    """Forms as one PDF, each starting on a new page."""

    def _draw(self, page: RequisitionPage) -> None:
        # A loose second page must still identify the patient.
        heading = build_heading(page.code, page.patient)
        watermark = page.status if page.cancellation else ""
        sheet = Sheet(self._canvas, page.lab, heading, page.printed, watermark=watermark)
        _draw_page(sheet, page)
        sheet.close()


def draw_requisitions(pages: Sequence[RequisitionPage]) -> bytes:
    """Draw the forms as one PDF."""
    document = RequisitionsPdf("Requisition" if len(pages) == 1 else "Requisitions")
    document.add(pages)
    return document.finish()


def _draw_page(sheet: Sheet, page: RequisitionPage) -> None:
    # Nobody may scan a canceled form as if it were an order.
    sheet.draw_letterhead(
        "Laboratory requisition", page.code, page.status, has_barcode=page.cancellation is None
    )
    if page.cancellation:
        sheet.draw_alert(page.status, _describe_cancellation(page.cancellation))
    sheet.draw_facts(
        [
            ("Collected", format_date_time(page.collection) or "Not stated"),
            ("Priority", page.priority),
            ("Fasting", page.fasting),
            ("Bill to", page.bill_to),
        ]
    )
    sheet.draw_columns(
        [
            build_patient_block(page.patient),
            build_party_block("Ordering physician", page.physician),
            build_party_block("Client", page.client),
        ],
        label=54,
    )
    _draw_tests(sheet, page.tests)
    _draw_diagnoses(sheet, "Diagnoses", page.diagnoses)
    _draw_diagnoses(sheet, "Diagnoses of additional tests", page.additional_diagnoses)
    if page.medications:
        sheet.draw_heading("Medications", keep=12)
        sheet.draw_paragraph(", ".join(page.medications))
    _draw_insurance(sheet, page)
    if page.copies:
        sheet.draw_heading("Additional copies", keep=12)
        sheet.draw_paragraph("     ".join(page.copies))
    if page.comments:
        sheet.draw_heading("Comments", keep=12)
        sheet.draw_paragraph(page.comments)
    # Nobody should sign a canceled form.
    if page.signature or not page.cancellation:
        _draw_signature(sheet, page.signature)


def _describe_cancellation(cancellation: Cancellation) -> str:
    """Return '11/21/2026 08:30 AM by Ann Baker: Wrong patient', with the known parts only."""
    at, by = cancellation.canceled_at, cancellation.canceled_by
    when = format_timestamp(at) if at else ""
    who = f"by {by}" if by else ""
    act = " ".join(part for part in (when, who) if part)
    return ": ".join(part for part in (act, cancellation.comment) if part)


def _draw_tests(sheet: Sheet, tests: Sequence[OrderedTest]) -> None:
    """Draw the tests grouped by container, in the order of each container's first test."""
    groups: dict[tuple[str, str], list[OrderedTest]] = {}
    for test in tests:
        groups.setdefault((test.container or "", test.specimen or ""), []).append(test)
    sheet.draw_heading("Tests", keep=60)
    sheet.begin_table(_TESTS)
    for (container, specimen), members in groups.items():
        label = "  -  ".join(part for part in (container, specimen) if part)
        sheet.reserve(34)
        sheet.y -= 3
        sheet.draw_background(LEFT, sheet.y, CONTENT_WIDTH, 14)
        sheet.pen.draw_text(LEFT + 3, sheet.y - 10, label or "No container", size=8, bold=True)
        count = "1 test" if len(members) == 1 else f"{len(members)} tests"
        sheet.pen.draw_text(RIGHT - 3, sheet.y - 10, count, size=7.5, color=MUTED, right=True)
        sheet.y -= 14
        for test in members:
            name = f"{test.name} (confidential)" if test.is_confidential else test.name
            cells = (
                Cell(test.code),
                Cell(name, bold=True),
                Cell(", ".join(test.components), color=MUTED),
            )
            sheet.draw_row(_TESTS, cells)
    sheet.end_table()


def _draw_diagnoses(sheet: Sheet, title: str, diagnoses: Sequence[DiagnosisLine]) -> None:
    if not diagnoses:
        return
    sheet.draw_heading(title)
    sheet.begin_table(_DIAGNOSES)
    for diagnosis in diagnoses:
        cells = (
            Cell(diagnosis.code, bold=True),
            Cell(diagnosis.description),
            Cell(", ".join(diagnosis.supports) or "All tests", color=MUTED),
        )
        sheet.draw_row(_DIAGNOSES, cells)
    sheet.end_table()


def _draw_insurance(sheet: Sheet, page: RequisitionPage) -> None:
    if not page.insurance:
        return
    sheet.draw_heading("Insurance")
    sheet.begin_table(_INSURANCE)
    for number, coverage in enumerate(page.insurance, start=1):
        cells = (
            Cell(str(number), color=MUTED),
            Cell(coverage.payer, bold=True),
            Cell(coverage.insurance_id or ""),
            Cell(coverage.group_number or ""),
            Cell(coverage.relationship or ""),
            Cell(coverage.holder or ""),
        )
        sheet.draw_row(_INSURANCE, cells)
    sheet.end_table()


@lru_cache(maxsize=128)
def _convert_to_jpeg(image: bytes) -> bytes:
    """Return the image as a JPEG on white, no larger than print needs.

    reportlab copies a JPEG into the file unchanged. It decodes and compresses other formats for
    every document, which takes longer than the rest of the page.
    """
    with Image.open(BytesIO(image)) as picture:
        rgba_picture = picture.convert("RGBA")  # first, because colors of a palette cannot be mixed
    rgba_picture.thumbnail((_SIGNATURE_WIDTH * 3, _SIGNATURE_HEIGHT * 3))
    background = Image.new("RGB", rgba_picture.size, "white")
    background.paste(rgba_picture, mask=rgba_picture)
    file = BytesIO()
    background.save(file, "JPEG", quality=90, subsampling=0)
    return file.getvalue()


def _draw_signature(sheet: Sheet, signature: Signature | None) -> None:
    sheet.draw_heading("Signature", keep=_SIGNATURE_HEIGHT + 26)
    if signature is not None and signature.image:
        image = ImageReader(BytesIO(_convert_to_jpeg(signature.image)))
        width, height = image.getSize()
        scale = min(_SIGNATURE_WIDTH / width, _SIGNATURE_HEIGHT / height)
        y = sheet.y - 4 - height * scale
        sheet.canvas.drawImage(image, LEFT, y, width * scale, height * scale)
    sheet.y -= _SIGNATURE_HEIGHT + 6
    sheet.canvas.setStrokeColor(INK if signature is None else RULE)
    sheet.canvas.setLineWidth(0.5)
    sheet.canvas.line(LEFT, sheet.y, LEFT + 250, sheet.y)
    if signature is None:
        sheet.canvas.line(LEFT + 280, sheet.y, LEFT + 400, sheet.y)
        sheet.pen.draw_text(
            LEFT, sheet.y - 10, "Signature of the ordering person", size=8, color=MUTED
        )
        sheet.pen.draw_text(LEFT + 280, sheet.y - 10, "Date", size=8, color=MUTED)
    else:
        sheet.pen.draw_text(
            LEFT, sheet.y - 11, f"Electronically signed by: {signature.name}", size=9
        )
        signing_time = format_timestamp(signature.signed_at)
        sheet.pen.draw_text(LEFT, sheet.y - 22, signing_time, size=8.5, color=MUTED)
    sheet.y -= 26

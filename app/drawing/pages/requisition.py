"""The requisition form (42 CFR 493.1241(c)): one page where it fits."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from app.drawing.pages.common import party_block, patient_block
from app.drawing.pages.facts import DiagnosisLine, OrderedTest, RequisitionPage, Signature
from app.drawing.pages.lettering import INK, MUTED, RULE
from app.drawing.pages.sheet import LEFT, RIGHT, Cell, Column, Sheet, new_canvas, when

_ACROSS = RIGHT - LEFT
_TESTS = (Column("Code", 66), Column("Test", 216), Column("Components", _ACROSS - 282))
_DIAGNOSES = (
    Column("ICD-10-CM", 62),
    Column("Description", _ACROSS - 232),
    Column("Supports", 170),
)
_INSURANCE = (
    Column("#", 18),
    Column("Payer", 192),
    Column("Insurance ID", 96),
    Column("Group", 66),
    Column("Relationship", 62),
    Column("Insured", _ACROSS - 434),
)
_SIGNATURE_WIDTH, _SIGNATURE_HEIGHT = 180.0, 36.0


class RequisitionsPdf:
    """Forms as one PDF, each beginning on a page of its own; drawn as their facts arrive."""

    def __init__(self, title: str, kind: type[Canvas] = Canvas) -> None:
        self._out = BytesIO()
        self._canvas = new_canvas(self._out, title, kind)

    def add(self, pages: Sequence[RequisitionPage]) -> None:
        """Draw the next forms."""
        for page in pages:
            # A loose second page must still say whose it is.
            heading = f"{page.code}   {page.patient.name}   {page.patient.birth_date:%m/%d/%Y}"
            sheet = Sheet(self._canvas, page.lab, heading, page.printed)
            _draw(sheet, page)
            sheet.close()

    def finish(self) -> bytes:
        """The file; nothing can be added after it."""
        self._canvas.save()
        return self._out.getvalue()


def requisition_pdf(pages: Sequence[RequisitionPage]) -> bytes:
    """The forms of ``pages`` as one PDF."""
    document = RequisitionsPdf("Requisition" if len(pages) == 1 else "Requisitions")
    document.add(pages)
    return document.finish()


def _draw(sheet: Sheet, page: RequisitionPage) -> None:
    sheet.letterhead("Laboratory requisition", page.code, page.status)
    sheet.facts(
        [
            ("Collected", when(page.collection) or "Not stated"),
            ("Priority", page.priority),
            ("Fasting", page.fasting),
            ("Bill to", page.bill_to),
        ]
    )
    sheet.columns(
        [
            patient_block(page.patient),
            party_block("Ordering physician", page.physician),
            party_block("Client", page.client),
        ],
        label=54,
    )
    _tests(sheet, page.tests)
    _diagnoses(sheet, "Diagnoses", page.diagnoses)
    _diagnoses(sheet, "Diagnoses of additional tests", page.additional_diagnoses)
    if page.medications:
        sheet.section("Medications", keep=12)
        sheet.paragraph(", ".join(page.medications))
    _insurance(sheet, page)
    if page.comments:
        sheet.section("Comments", keep=12)
        sheet.paragraph(page.comments)
    _signature(sheet, page.signature)


def _tests(sheet: Sheet, tests: Sequence[OrderedTest]) -> None:
    """The tests by the container that they are drawn into, in the order of the first of each."""
    groups: dict[tuple[str, str], list[OrderedTest]] = {}
    for test in tests:
        groups.setdefault((test.container or "", test.specimen or ""), []).append(test)
    sheet.section("Tests", keep=60)
    sheet.begin_table(_TESTS)
    for (container, specimen), members in groups.items():
        named = "  -  ".join(each for each in (container, specimen) if each)
        sheet.need(34)
        sheet.y -= 3
        sheet.wash(LEFT, sheet.y, _ACROSS, 14)
        sheet.pen.text(LEFT + 3, sheet.y - 10, named or "No container", size=8, bold=True)
        count = "1 test" if len(members) == 1 else f"{len(members)} tests"
        sheet.pen.text(RIGHT - 3, sheet.y - 10, count, size=7.5, colour=MUTED, right=True)
        sheet.y -= 14
        for test in members:
            name = f"{test.name} (confidential)" if test.is_confidential else test.name
            cells = (
                Cell(test.code),
                Cell(name, bold=True),
                Cell(", ".join(test.components), colour=MUTED),
            )
            sheet.row(_TESTS, cells)
    sheet.end_table()


def _diagnoses(sheet: Sheet, title: str, diagnoses: Sequence[DiagnosisLine]) -> None:
    if not diagnoses:
        return
    sheet.section(title)
    sheet.begin_table(_DIAGNOSES)
    for diagnosis in diagnoses:
        cells = (
            Cell(diagnosis.code, bold=True),
            Cell(diagnosis.description),
            Cell(", ".join(diagnosis.supports) or "All tests", colour=MUTED),
        )
        sheet.row(_DIAGNOSES, cells)
    sheet.end_table()


def _insurance(sheet: Sheet, page: RequisitionPage) -> None:
    if not page.insurance:
        return
    sheet.section("Insurance")
    sheet.begin_table(_INSURANCE)
    for place, coverage in enumerate(page.insurance, start=1):
        cells = (
            Cell(str(place), colour=MUTED),
            Cell(coverage.payer, bold=True),
            Cell(coverage.insurance_id or ""),
            Cell(coverage.group_number or ""),
            Cell(coverage.relationship or ""),
            Cell(coverage.holder or ""),
        )
        sheet.row(_INSURANCE, cells)
    sheet.end_table()


@lru_cache(maxsize=128)
def _flattened(image: bytes) -> bytes:
    """The picture on white, no larger than print needs, as JPEG.

    reportlab copies a JPEG into the file as it is; anything else it decodes and compresses anew
    for every document, which takes longer than all the rest of the page.
    """
    with Image.open(BytesIO(image)) as picture:
        drawn = picture.convert("RGBA")  # first: the colours of a palette can not be mixed
    drawn.thumbnail((_SIGNATURE_WIDTH * 3, _SIGNATURE_HEIGHT * 3))
    ground = Image.new("RGB", drawn.size, "white")
    ground.paste(drawn, mask=drawn)
    out = BytesIO()
    ground.save(out, "JPEG", quality=90, subsampling=0)
    return out.getvalue()


def _signature(sheet: Sheet, signature: Signature | None) -> None:
    sheet.section("Signature", keep=_SIGNATURE_HEIGHT + 26)
    if signature is not None and signature.image:
        image = ImageReader(BytesIO(_flattened(signature.image)))
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
        sheet.pen.text(LEFT, sheet.y - 10, "Signature of the ordering person", size=8, colour=MUTED)
        sheet.pen.text(LEFT + 280, sheet.y - 10, "Date", size=8, colour=MUTED)
    else:
        sheet.pen.text(LEFT, sheet.y - 11, f"Electronically signed by: {signature.name}", size=9)
        signed = f"{signature.signed_at:%m/%d/%Y %H:%M}"
        sheet.pen.text(LEFT, sheet.y - 22, signed, size=8.5, colour=MUTED)
    sheet.y -= 26

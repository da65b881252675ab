"""The head of pages after the first identifies the patient, however long the names are."""

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from app.drawing.pages import draw_order_results
from app.drawing.pages.lettering import Pen, measure_width
from app.drawing.pages.paper import LEFT, RIGHT, create_canvas
from app.drawing.pages.running_head import draw_running_head
from tests.drawing.samples import LAB, PATIENT, REPORT, RESULTS

TOP = 758.0
BIRTH_DATE = "11/21/1950"
LONG_NAME = f"{'W' * 100}, {'ANNAMARIA ' * 10}"
LONG_LAB = "LABORATORY OF " * 14


class RecordingPen(Pen):
    """A pen that stores the left, right, and baseline of each text."""

    def __init__(self) -> None:
        super().__init__(create_canvas(BytesIO(), "test"))
        self.boxes: list[tuple[float, float, float]] = []
        self.texts: list[str] = []

    def draw_text(self, x: float, y: float, text: str, **style: object) -> None:
        """Store the text with its place."""
        width = measure_width(text, bool(style.get("bold")), float(str(style["size"])))
        start = x - width if style.get("right") else x
        self.boxes.append((start, start + width, y))
        self.texts.append(text)


@pytest.mark.parametrize("name", ["SAMPLE, ANNA", LONG_NAME])
@pytest.mark.parametrize("lab", ["DEMO LAB", LONG_LAB])
def test_long_names_stay_apart_and_within_the_margins(name: str, lab: str) -> None:
    pen = RecordingPen()
    bottom = draw_running_head(pen, f"R260000012   {name}   {BIRTH_DATE}", lab, LEFT, RIGHT, TOP)
    for start, end, y in pen.boxes:
        assert LEFT <= start < end <= RIGHT + 0.01
        assert bottom < y < TOP
    for index, (start, end, y) in enumerate(pen.boxes):
        for other_start, other_end, other_y in pen.boxes[index + 1 :]:
            assert abs(y - other_y) > 8 or end < other_start or other_end < start
    words = "".join(pen.texts).replace(" ", "")
    for part in ("R260000012", name, BIRTH_DATE, lab):
        assert part.replace(" ", "") in words


def test_every_page_of_a_report_has_the_whole_name_and_birth_date() -> None:
    page = replace(
        REPORT,
        lab=replace(LAB, name=LONG_LAB),
        patient=replace(PATIENT, name=f"{'WILHELMINA ' * 9}, {'ANNAMARIA ' * 9}"),
        results=RESULTS * 40,
    )
    pages = PdfReader(BytesIO(draw_order_results([page]))).pages
    assert len(pages) > 1
    assert PATIENT.birth_date is not None
    for drawn_page in pages:
        text = drawn_page.extract_text()
        assert text.count("WILHELMINA") >= 9
        assert f"{PATIENT.birth_date:%m/%d/%Y}" in text

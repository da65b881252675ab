"""The head of later pages: a heading that identifies a loose page, and what it continues."""

from app.drawing.pages.lettering import MUTED, Pen, break_lines, measure_width

_SIZE = 8.5
_STEP = 10.5
_GAP = 16
"""The least space between the heading and the lab's name on one line, in points."""


def draw_running_head(
    pen: Pen, heading: str, lab_name: str, left: float, right: float, top: float
) -> float:
    """Draw the head below ``top``, and return the y below it.

    A heading that is too long continues on further lines. The lab's name is on the right of a short
    heading, and otherwise below it.
    """
    width = right - left
    lines = break_lines(heading, width, bold=True, size=_SIZE)
    y = top - 8
    for line in lines:
        pen.draw_text(left, y, line, size=_SIZE, bold=True)
        y -= _STEP
    free_width = width - _GAP - measure_width(lines[0], bold=True, size=_SIZE)
    if len(lines) == 1 and measure_width(lab_name, bold=False, size=_SIZE) <= free_width:
        pen.draw_text(right, y + _STEP, lab_name, size=_SIZE, color=MUTED, right=True)
    else:
        for line in break_lines(lab_name, width, bold=False, size=_SIZE):
            pen.draw_text(left, y, line, size=_SIZE, color=MUTED)
            y -= _STEP
    return y + 3.5


def draw_continuation(pen: Pen, names: str, left: float, right: float, top: float) -> float:
    """Draw the names of the rows to which the first row belongs, and return the y below them."""
    y = top - 1
    for line in break_lines(f"{names} (continued)", right - left, bold=True, size=_SIZE):
        y -= _STEP
        pen.draw_text(left, y, line, size=_SIZE, bold=True, color=MUTED)
    return y - 3

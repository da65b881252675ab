"""Draws the app's icon as lab-portal.svg, .png, and .ico.

One drawing on a grid of 32 units, the same mark as the browser's favicon; every file is made
from the numbers below, so the sizes cannot drift apart.
"""

from pathlib import Path

from PIL import Image, ImageDraw

GRID = 32
GROUND, GLASS, LIQUID = "#0f5c6e", "#ffffff", "#7fd3c4"
CORNER = 7.0
STROKE = 2.0
# The flask's outline from its left shoulder round to the right one, its rim, and what is in it.
OUTLINE = ((14.0, 7.0), (14.0, 14.2), (8.7, 23.4), (9.2, 25.5), (10.6, 26.0),
           (21.4, 26.0), (22.8, 25.5), (23.3, 23.4), (18.0, 14.2), (18.0, 7.0))  # fmt: skip
RIM = ((12.5, 6.5), (19.5, 6.5))
CONTENT = ((11.6, 20.5), (20.4, 20.5), (22.3, 23.7), (21.7, 25.0), (10.3, 25.0), (9.7, 23.7))
PNG_SIZE = 256
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
_SMOOTHING_FACTOR = 8


def build_svg() -> str:
    """Build the drawing as SVG."""

    def format_points(line: tuple[tuple[float, float], ...]) -> str:
        return " ".join(f"{x:g},{y:g}" for x, y in line)

    pen = f'fill="none" stroke="{GLASS}" stroke-width="{STROKE:g}"'
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {GRID} {GRID}">',
            f'  <rect width="{GRID}" height="{GRID}" rx="{CORNER:g}" fill="{GROUND}"/>',
            f'  <polygon points="{format_points(CONTENT)}" fill="{LIQUID}"/>',
            f'  <polyline points="{format_points(OUTLINE)}" {pen} {ends}/>',
            f'  <polyline points="{format_points(RIM)}" {pen} {ends}/>',
            "</svg>",
            "",
        )
    )


def draw_picture(size: int) -> Image.Image:
    """Draw the icon as a square picture of ``size`` pixels."""
    scale = size * _SMOOTHING_FACTOR / GRID
    image = Image.new("RGBA", (size * _SMOOTHING_FACTOR,) * 2)
    draw = ImageDraw.Draw(image)

    def scale_up(line: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
        return [(x * scale, y * scale) for x, y in line]

    edge = size * _SMOOTHING_FACTOR - 1
    draw.rounded_rectangle((0, 0, edge, edge), CORNER * scale, fill=GROUND)
    draw.polygon(scale_up(CONTENT), fill=LIQUID)
    for line in (scale_up(OUTLINE), scale_up(RIM)):
        draw.line(line, fill=GLASS, width=round(STROKE * scale), joint="curve")
        half = STROKE * scale / 2
        for x, y in (line[0], line[-1]):
            draw.ellipse((x - half, y - half, x + half, y + half), fill=GLASS)
    return image.resize((size, size), Image.Resampling.LANCZOS)


def main(folder: Path) -> None:
    """Write the three files."""
    (folder / "lab-portal.svg").write_text(build_svg())
    draw_picture(PNG_SIZE).save(folder / "lab-portal.png", optimize=True)
    largest = draw_picture(max(ICO_SIZES))
    smaller = [draw_picture(size) for size in ICO_SIZES[:-1]]
    largest.save(
        folder / "lab-portal.ico",
        sizes=[(size, size) for size in ICO_SIZES],
        append_images=smaller,
    )


if __name__ == "__main__":
    main(Path(__file__).parent)

"""A chart as a picture: looked at pixel by pixel, with warnings as errors."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from PIL import Image, ImageColor

from adapters.rendering.chart_png import HEIGHT, SERIES, WIDTH, png_of
from router.cards import Chart, Series

LABELS = ("North", "South", "East")


def picture_of(chart: Chart) -> Image.Image:
    png = png_of(chart)
    assert png
    return Image.open(BytesIO(png)).convert("RGB")


def area(picture: Image.Image, colour: str) -> tuple[int, int, int, int] | None:
    """Return the box around all pixels of this colour: left, top, right, bottom."""
    wanted = ImageColor.getrgb(colour)
    pixels = picture.load()
    places = [(x, y) for x in range(picture.width) for y in range(picture.height) if pixels[x, y] == wanted]
    if not places:
        return None
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs), min(ys), max(xs), max(ys)


def test_a_bar_is_as_high_as_its_value_and_hangs_down_where_it_is_negative() -> None:
    """All bars begin at zero, and 2 is twice as far from it as -1."""
    picture = picture_of(Chart("", "bar", ("a", "b", "c"), (Series("n", (2.0, None, -1.0)),)))
    first = area(picture.crop((0, 0, picture.width // 2, picture.height)), SERIES[0])
    last = area(picture.crop((picture.width // 2, 0, picture.width, picture.height)), SERIES[0])
    assert first
    assert last
    assert (first[3] - first[1]) / (last[3] - last[1]) == pytest.approx(2, abs=0.05)
    assert abs(first[3] - last[1]) <= 5


def test_a_part_of_a_pie_is_as_large_as_its_share() -> None:
    """Three quarters and a quarter, in two colours; one part alone of three is the whole."""
    parts = picture_of(Chart("Sales", "pie", ("a", "b"), (Series("n", (3.0, 1.0)),)))
    colours = [parts.getpixel((x, y)) for x in range(0, parts.width, 4) for y in range(0, parts.height, 4)]
    first, second = (colours.count(ImageColor.getrgb(colour)) for colour in SERIES[:2])
    assert first / second == pytest.approx(3, rel=0.1)
    whole = picture_of(Chart("Sales", "pie", LABELS, (Series("n", (1e149, 0.0, 5e-324)),)))
    assert area(whole, SERIES[0])


@pytest.mark.parametrize(
    "values",
    [
        (None, None, None),
        (1e308, -1e308, 1.0),
        (5e-324, 0.0, -5e-324),
    ],
)
@pytest.mark.parametrize("kind", ["bar", "line"])
def test_no_number_is_too_large_or_too_small(kind: str, values: tuple[float | None, ...]) -> None:
    """Any floats make a picture, without a warning."""
    chart = Chart("Sales", "bar" if kind == "bar" else "line", LABELS, (Series("n", values),))
    assert picture_of(chart).size == (2 * WIDTH, 2 * HEIGHT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "$a_b$ and $\\frac",
        "\u2068שלום עולם\u2069 東京都",
        "\U0001f600 \U0010ffff \ue000",
        "_x" * 500,
        "a\nb\tc\x00",
    ],
)
def test_any_text_can_be_drawn(text: str) -> None:
    """What looks like a formula, has no glyph, runs from right to left or is endless makes a picture and no warning."""
    chart = Chart(text, "bar", (text, "b"), (Series(text, (1.0, 2.0)), Series("m", (1.0, 2.0))))
    assert picture_of(chart).size == (2 * WIDTH, 2 * HEIGHT)


def test_several_threads_draw_at_once() -> None:
    """Each gets its own picture, the one that it gets alone."""
    charts = [Chart(f"Sales {number}", "bar", LABELS, (Series("n", (1.0, number, 3.0)),)) for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(png_of, charts))
    assert together == [png_of(chart) for chart in charts]


def test_without_matplotlib_there_is_no_picture() -> None:
    """A person who did not install it gets None, and no error."""
    code = (
        "import sys; sys.modules['matplotlib'] = None; from adapters.rendering.chart_png import png_of; "
        "from router.cards import Chart; print(png_of(Chart('', 'bar', (), ())))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"

"""Charts: scales in round numbers, and lines where they belong."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.studies import charts
from sixfold.charts import ticks

SVG = "{http://www.w3.org/2000/svg}"


@given(st.floats(-1e4, 1e4), st.floats(0.01, 1e4), st.integers(2, 12))
def test_a_scale_holds_both_ends_in_not_too_many_even_steps(low: float, width: float, most: int) -> None:
    marks = ticks(low, low + width, most)
    steps = [after - before for before, after in pairwise(marks)]
    assert marks[0] <= low + 1e-6
    assert marks[-1] >= low + width - 1e-6
    assert len(steps) <= most + 1
    assert steps == pytest.approx([steps[0]] * len(steps))


def points_of(picture: str) -> list[list[tuple[float, float]]]:
    """The lines of a picture, without the keys to them."""
    root = ElementTree.fromstring(picture)
    lines = [line.attrib["points"].split() for line in root.iter(f"{SVG}polyline")]
    return [[(float(x), float(y)) for x, y in (point.split(",") for point in line)] for line in lines[::2]]


def test_a_line_rises_with_its_values_and_logarithms_are_evenly_spaced() -> None:
    picture = charts.lines("t", "a", {"one": {1: 0.0, 10: 0.5, 100: 1.0}}, logarithmic=True)
    (line,) = points_of(picture)
    assert line[1][0] - line[0][0] == pytest.approx(line[2][0] - line[1][0])
    assert line[0][1] - line[1][1] == pytest.approx(line[1][1] - line[2][1])
    assert line[0][1] > line[2][1]


def test_there_may_be_more_lines_than_pens() -> None:
    many = {str(number): {1.0: 0.1, 2.0: number / 10} for number in range(2 * len(charts.STROKES))}
    assert len(points_of(charts.lines("t", "a", many))) == len(many)


def test_one_point_is_a_picture_too() -> None:
    for logarithmic in (False, True):
        assert points_of(charts.lines("t", "a", {"one": {3: 0.5}}, logarithmic=logarithmic))

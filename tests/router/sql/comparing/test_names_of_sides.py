"""The names of columns with those of their sides."""

import pytest

from router.sql.comparing.plan import ComparedPair, ComparePlan
from router.sql.comparing.report import Layout, of_side


@pytest.mark.parametrize(
    ("side", "named"), [("Shop", "total (Shop)"), ("Tarn & Trail (sample)", "total in Tarn & Trail (sample)")]
)
def test_a_name_has_no_brackets_within_brackets(side: str, named: str) -> None:
    assert named == of_side("total", side)


def test_each_side_has_the_name_of_its_own_column() -> None:
    """A column that is called otherwise on the other side keeps its name there."""
    plan = ComparePlan(("id", "COUNT(*)"), ("id", "rows"), (ComparedPair(0, 0), ComparedPair(1, 1)), keys=(0,))
    names = [each.name for each in Layout(plan, "Shop", "Depot").columns()]

    assert ["status", "id", "COUNT(*) (Shop)", "rows (Depot)", "differing"] == names

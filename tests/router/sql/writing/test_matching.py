"""Which column of a result goes where."""

from router.sql.writing.order import ExistingColumn, Matching, ResultField, matched


def source(*names: str) -> list[ResultField]:
    return [ResultField(name, "text") for name in names]


def column(name: str, nullable: bool = True, filled: bool = False, generated: bool = False) -> ExistingColumn:
    return ExistingColumn(ResultField(name, "text", native="varchar"), nullable, filled, generated)


def test_by_name() -> None:
    """Columns of one name belong together, whatever their order, case, blanks and underscores."""
    there = [column("CUSTOMER_ID"), column("name"), column("Order Date"), column("netAmount")]
    found = matched(source("net_amount", "orderDate", "name", "customerId"), there)
    assert [(place, field.name) for place, field in found.pairs] == [
        (0, "netAmount"),
        (1, "Order Date"),
        (2, "name"),
        (3, "CUSTOMER_ID"),
    ]
    assert (found.unplaced, found.empty, found.problems) == ((), (), ())


def test_what_could_be_meant_twice_is_left_to_a_person() -> None:
    """Nothing is guessed where two columns of either side would do."""
    assert matched(source("userid"), [column("user_id"), column("userId")]).pairs == ()
    assert matched(source("user_id", "userId"), [column("USERID")]).pairs == ()


def test_what_is_left_over() -> None:
    """Both sides are told what found no partner; a column that must have a value and gets none is a problem."""
    there = [
        column("a"),
        column("must", nullable=False),
        column("filled", nullable=False, filled=True),
        column("computed", nullable=False, generated=True),
        column("may"),
    ]
    assert matched(source("a", "more"), there) == Matching(
        ((0, there[0].field),),
        ("more",),
        ("must", "filled", "may"),
        ('The column "must" of the table must have a value, and no column of the result goes into it.',),
    )

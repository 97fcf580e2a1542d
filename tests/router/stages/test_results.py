"""What people are told of the rows on show where they cannot be sorted, turned, drawn or repeated as they wish."""

from pathlib import Path

from tests.support.golden_talk import check_words


def test_what_cannot_be_done_with_rows_is_said(tmp_path: Path) -> None:
    """The rows stay as they are, and the reason is given."""
    check_words(tmp_path, ROWS)


ROWS = """Wishes that rows cannot fulfil.
> is my export done yet?
You have no jobs here: nothing is running or waiting.
> keep as example
There's no result to show yet. Ask a question first.
@model SELECT status, MIN(total) AS smallest, MAX(total) AS largest FROM orders GROUP BY status
> smallest and largest total of the orders by status
> run
> sort by smallest
> sort it by smallest
The rows are in that order already.
> sort by number of orders
> cancel
> SELECT name, id AS number FROM regions
> run
> next
There are no more rows that way.
> SELECT status, MIN(total) AS smallest, MAX(total) AS largest FROM orders GROUP BY status
> run
> write it to t5 and show it as a pie
There's no database here that you can write to.
> cancel
> as csv but only if there are rows
I did nothing yet: “only if there are rows” may change what you want done.
> csv with semicolons
Not used: “semicolons”.
> a pie chart please
A pie shows the parts of one whole: one column of numbers, 2 to 12 rows, none below zero. So I drew it another way.
> compare
> SELECT status, MIN(total) AS smallest, MAX(total) AS largest FROM orders GROUP BY status
> use it
> compare
> repeat this every monday at 8
Comparisons can't be scheduled. Press Compare again for a fresh one.
"""

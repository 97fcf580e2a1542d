"""What the guard takes: ordinary statements of several lengths, and chains that once cost sqlglot half a minute.

    python -m tests.bench.bench_guard

Seconds of this thread's CPU, the median of five; beside each, what sqlglot takes to parse and write the text once.
"""

import statistics
import time
from collections.abc import Callable
from contextlib import suppress

import sqlglot
from sqlglot.errors import SqlglotError

from router.sql.dialect import Name
from router.sql.guard import check

LIST = "SELECT id FROM customers WHERE name IN ({})"
NAMES = [f"'customer number {number}'" for number in range(4_300)]
ORS = " OR ".join(f"(o.amount = {number} AND c.name = 'some text {number}')" for number in range(2_500))
JOIN = "SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE "
STATEMENTS: list[tuple[str, Name, str]] = [
    ("a short question", "postgres", "SELECT city, count(*) AS n FROM customers GROUP BY city ORDER BY n DESC LIMIT 5"),
    ("a list of 1,000 names", "postgres", LIST.format(", ".join(NAMES[:1000]))),
    ("a list, 100 kB", "postgres", LIST.format(", ".join(NAMES))),
    ("conditions, 10 kB", "postgres", JOIN + ORS[: ORS.rfind(" OR ", 0, 10_000)]),
    ("conditions, 50 kB", "postgres", JOIN + ORS[: ORS.rfind(" OR ", 0, 50_000)]),
    ("conditions, 100 kB", "postgres", JOIN + ORS[: ORS.rfind(" OR ", 0, 100_000)]),
    ("[1] 3,000 times", "postgres", "SELECT a" + "[1]" * 3000),
    ("[1:2] 1,800 times", "duckdb", "SELECT a" + "[1:2]" * 1800),
    (".upper() 2,000 times", "duckdb", "SELECT a" + ".upper()" * 2000),
    ("NOT 15,000 times", "postgres", "SELECT 1 WHERE " + "NOT " * 15_000 + "a"),
]


def seconds(work: Callable[[], object]) -> float:
    """Return the median of five runs."""
    taken = []
    for _ in range(5):
        began = time.thread_time()
        work()
        taken.append(time.thread_time() - began)
    return statistics.median(taken)


def once(sql: str, dialect: Name) -> None:
    """Parse and write a text with sqlglot alone."""
    with suppress(SqlglotError, RecursionError):
        sqlglot.parse_one(sql, dialect=dialect).sql(dialect=dialect)


def main() -> None:
    """Print a line for each statement."""
    print(f"{'':26}{'kB':>6}{'guard ms':>10}{'again ms':>10}{'sqlglot ms':>12}  answer")
    for name, dialect, sql in STATEMENTS:
        verdict = check(sql, dialect)
        first = seconds(lambda: check(sql, dialect))  # noqa: B023 — called at once
        again = seconds(lambda: check(verdict.sql, dialect)) if verdict.allowed else 0.0  # noqa: B023
        alone = seconds(lambda: once(sql, dialect)) if verdict.allowed else 0.0  # noqa: B023
        answer = "allowed" if verdict.allowed else "refused"
        figures = f"{len(sql) / 1000:>6.1f}{first * 1000:>10.1f}{again * 1000:>10.1f}{alone * 1000:>12.1f}"
        print(f"{name:26}{figures}  {answer}")


if __name__ == "__main__":
    main()

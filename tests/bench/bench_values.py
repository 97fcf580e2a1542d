"""Finding the values that a question names among 500 columns of 1,000 values, beside a look at every value.

`uv run python -m tests.bench.bench_values` prints how long it takes to build the index and to ask, and its memory.
"""

import random
import statistics
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from difflib import get_close_matches

from router.catalog.schema import Column, Schema, SchemaTable
from router.catalog.values import ValueIndex
from router.text_to_sql.named_values import named_in

TABLES, COLUMNS, VALUES, QUESTIONS = 50, 10, 1000, 200


def texts(dice: random.Random) -> Callable[[], str]:
    """Return what makes names of one to three words, which share syllables as names do."""
    syllables = ["".join(dice.choice(part) for part in ("bcdfghklmnprstvwz", "aeiou", "lmnrst")) for _ in range(150)]

    def word() -> str:
        return "".join(dice.choices(syllables, k=dice.randint(1, 3))).capitalize()

    return lambda: " ".join(word() for _ in range(dice.choice((1, 2, 2, 3))))[:40]


def wide(dice: random.Random) -> Schema:
    """Return a schema of many columns with many values."""
    text = texts(dice)
    tables = tuple(
        SchemaTable(
            f"t{n}",
            "main",
            tuple(Column(f"c{m}", "TEXT", values=frozenset(text() for _ in range(VALUES))) for m in range(COLUMNS)),
        )
        for n in range(TABLES)
    )
    return Schema("wide", "sqlite", "main", tables, datetime(2026, 1, 1, tzinfo=UTC))


def questions(schema: Schema, dice: random.Random) -> list[str]:
    """Return questions that name a value, as it is or in other case."""
    every = [value for table in schema.tables for column in table.columns for value in sorted(column.values)]
    return [
        f"How many orders came from {dice.choice((value, value.lower()))} in each of the last three years?"
        for value in dice.sample(every, QUESTIONS)
    ]


def naive(question: str, schema: Schema) -> list[str]:
    """Return what a look at every value finds: those that stand in the question, else the nearest to each word."""
    low = question.lower()
    every = [value for table in schema.tables for column in table.columns for value in column.values]
    found = [value for value in every if value.lower() in low]
    return found or [near for word in question.split() if word.istitle() for near in get_close_matches(word, every, 1)]


def milliseconds(ask: Callable[[str], object], asked: list[str]) -> list[float]:
    """Return how long the processor worked on each question."""
    taken = []
    for question in asked:
        began = time.thread_time()
        ask(question)
        taken.append((time.thread_time() - began) * 1000)
    return sorted(taken)


def main() -> None:
    dice = random.Random(1)
    schema = wide(dice)
    asked = questions(schema, dice)
    began = time.thread_time()
    index = ValueIndex(schema)
    print(f"{'build':32} {time.thread_time() - began:8.2f} s for {len(index):,} values")
    taken = milliseconds(lambda question: named_in(question, index), asked)
    print(f"{'a question, median':32} {statistics.median(taken):8.2f} ms")
    print(f"{'a question, 99 of 100':32} {taken[len(taken) * 99 // 100 - 1]:8.2f} ms")
    found = sum(bool(named_in(question, index)) for question in asked)
    print(f"{'questions whose value is found':32} {found / len(asked):8.0%}")
    slow = milliseconds(lambda question: naive(question, schema), asked[:5])
    print(f"{'a look at every value, median':32} {statistics.median(slow):8.2f} ms")
    del index
    tracemalloc.start()
    index = ValueIndex(schema)
    print(f"{'memory beside the values':32} {tracemalloc.get_traced_memory()[0] / 1e6:8.0f} MB")


if __name__ == "__main__":
    main()

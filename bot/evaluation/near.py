"""Examples for a question that is measured: never the question itself, nor another wording of it."""

from collections.abc import Callable, Iterable

from bot.evaluation.questions import Golden
from router.catalog.schema import Schema
from router.knowledge.examples import nearest
from router.knowledge.kept import Kept, same
from router.knowledge.known import Example

Near = Callable[[Golden, Schema], tuple[Example, ...]]


def no_examples(golden: Golden, schema: Schema) -> tuple[Example, ...]:
    """Return nothing."""
    return ()


def near_in(questions: Iterable[Golden]) -> Near:
    """Return what finds, among these questions, those on the same database that are near to one that is asked."""
    given = list(questions)

    def near(golden: Golden, schema: Schema) -> tuple[Example, ...]:
        answers = set(map(_folded, golden.right))
        others = [
            Kept(each.place, schema.name, each.question, each.right[0])
            for each in given
            if each.place == golden.place
            and same(each.question) != same(golden.question)
            and not answers & set(map(_folded, each.right))
        ]
        return nearest(others, golden.question, schema)

    return near


def _folded(sql: str) -> str:
    return "".join(sql.casefold().split()).rstrip(";")

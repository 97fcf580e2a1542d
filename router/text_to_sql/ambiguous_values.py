"""Words of a question that may mean several values, where nothing in the question decides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from router.catalog.schema import Schema
from router.catalog.values import VALUE_WORD, Value, name_words
from router.language.folding import fold
from router.text_to_sql.named_values import Named

ASKED_VALUES_MAX = 5
"""Values that a person is asked about at once."""


@dataclass(frozen=True, slots=True)
class AmbiguousWords:
    """Words of a question, and the values that they may mean, the likeliest first."""

    words: str
    values: tuple[Value, ...]


def unsure(named: Iterable[Named], question: str, schema: Schema) -> AmbiguousWords | None:
    """Return the first words that may mean different values which the question does not tell apart, or None.

    What stands in the question as it stands in the database is sure, and so is what one column's name decides.
    """
    for each in named:
        if each.way != "exact" and (values := _undecided(each.values, question, schema)):
            return AmbiguousWords(each.words, values)
    return None


def _undecided(values: Sequence[Value], question: str, schema: Schema) -> tuple[Value, ...]:
    """Return the values, those first whose columns the question speaks of, unless there is one choice only."""
    said = {fold(word) for word in VALUE_WORD.findall(question)}
    known = [value for value in values if value.shown and schema.table(value.table)]
    ranked = sorted(known, key=lambda value: -_spoken_of(value, said))
    best = [value for value in ranked if _spoken_of(value, said) == _spoken_of(ranked[0], said)]
    choices = {_meaning(value, schema) for value in best}
    return (
        tuple(_distinct(ranked, schema))
        if 1 < len(choices) and len(_distinct(ranked, schema)) <= ASKED_VALUES_MAX
        else ()
    )


def _spoken_of(value: Value, said: set[str]) -> int:
    return 2 * len(said & name_words(value.column)) + len(said & name_words(value.table))


def _distinct(values: Iterable[Value], schema: Schema) -> list[Value]:
    """Return one value of each meaning."""
    found: dict[tuple[str, str], Value] = {}
    for value in values:
        found.setdefault(_meaning(value, schema), value)
    return list(found.values())


def _meaning(value: Value, schema: Schema) -> tuple[str, str]:
    """Return what tells values apart: the text, and the column unless a foreign key or its name says it is the same."""
    return fold(value.text), fold(_origin(value, schema).column)


def _origin(value: Value, schema: Schema) -> Value:
    """Return the value in the column that a foreign key leads to."""
    table = schema.table(value.table)
    for key in table.foreign_keys if table else ():
        if key.columns == (value.column,) and len(key.target_columns) == 1:
            return replace(value, table=key.target, column=key.target_columns[0])
    return value

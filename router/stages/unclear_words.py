"""What is not clear in a question: a word that may mean several values, or several columns."""

from collections.abc import Iterable
from dataclasses import dataclass

from router.agents.named import Named, named_in
from router.agents.unsure import unsure
from router.agents.unsure_columns import Home, UnsureColumn, spoken_of, unsure_columns
from router.agents.vocabulary import root
from router.agents.vocabulary import words as roots
from router.catalog.schema import Schema
from router.catalog.spelling import fold
from router.catalog.values import WORD, Value
from router.knowledge.known import NOTHING
from router.memory import Meant
from router.turn import Turn

MOST_ASKED = 2
"""Questions back that one question may cost, about values and columns together."""

LONGEST = 24
"""Characters of a value that is shown beside its column on a button."""


@dataclass(frozen=True, slots=True)
class Sense:
    """One thing that words may mean: its label, other texts that are typed for it, and how it is remembered."""

    label: str
    typed: tuple[str, ...]
    meant: Meant


@dataclass(frozen=True, slots=True)
class Doubt:
    """Words of a question, and what they may mean, the likeliest first."""

    words: str
    senses: tuple[Sense, ...]


def doubt(turn: Turn, again: bool = False) -> Doubt | None:
    """Return what is not clear in the question, values first, unless it has been asked back often enough.

    What was asked in this thread is returned only if `again`, after all else.
    """
    draft = turn.memory.draft
    if draft.method != "generate" or len(draft.asked_back) >= MOST_ASKED:
        return None
    asked = [each.words for each in _of_place(turn)]
    new = _value(turn, asked) or _column(turn, asked)
    return new or (_value(turn, draft.asked_back) or _column(turn, draft.asked_back) if again else None)


def named(turn: Turn) -> tuple[Named, ...]:
    """Return the values that the question names, but for the words whose meaning the person chose."""
    said = {fold(each.words) for each in meant_values(turn)}
    found = named_in(turn.memory.draft.question, turn.values())
    return tuple(each for each in found if fold(each.words) not in said)


def meant_values(turn: Turn) -> tuple[Meant, ...]:
    """Return the values that the person chose for words of the question, in this thread."""
    question = _line(turn.memory.draft.question)
    return tuple(each for each in _of_place(turn) if each.value and _line(each.words) in question)


def meant_columns(turn: Turn) -> tuple[Meant, ...]:
    """Return the columns that the person chose for words of the question, where the question leaves them open again."""
    senses = [sense.meant for found in _columns(turn) for sense in _column_doubt(turn, found).senses]
    homes = {(*roots(each.words), *_home(each)) for each in senses}
    return tuple(each for each in _of_place(turn) if each.column and (*roots(each.words), *_home(each)) in homes)


def _value(turn: Turn, asked: Iterable[str]) -> Doubt | None:
    over = {fold(words) for words in asked}
    question = turn.memory.draft.question
    found = (each for each in named_in(question, turn.values()) if fold(each.words) not in over)
    unclear = unsure(found, question, _schema(turn))
    if unclear is None:
        return None
    place = turn.memory.place
    return Doubt(
        unclear.words,
        tuple(
            Sense(
                _label(value),
                (value.text,),
                Meant(unclear.words, place.connection, place.schema, value.table, value.column, value.text),
            )
            for value in unclear.values
        ),
    )


def _column(turn: Turn, asked: Iterable[str]) -> Doubt | None:
    over = {tuple(roots(words)) for words in asked}
    found = next((each for each in _columns(turn) if tuple(roots(each.words)) not in over), None)
    return _column_doubt(turn, found) if found else None


def _columns(turn: Turn) -> tuple[UnsureColumn, ...]:
    """Return the words that may mean several columns, but for those that a hint or anything taught says."""
    draft, schema, place = turn.memory.draft, _schema(turn), turn.memory.place
    if draft.method != "generate" or not unsure_columns(draft.question, schema):
        return ()  # most questions end here, before anything else is looked at
    knowledge = turn.tools.knowledge
    known = knowledge.about(place.connection, draft.question, schema) if knowledge else NOTHING
    tables = {each.table for each in meant_values(turn)} | spoken_of(named(turn))
    return unsure_columns(draft.question, schema, draft.evidence, known, tables)


def _column_doubt(turn: Turn, found: UnsureColumn) -> Doubt:
    place, schema = turn.memory.place, _schema(turn)
    examples = _examples(found.homes, schema)
    return Doubt(
        found.words,
        tuple(
            Sense(
                f"{called} (such as {example})" if example else called,
                (called, f"{home.owner}.{home.column}", _spaced(home.owner), root(_spaced(home.owner))),
                Meant(
                    found.words,
                    place.connection,
                    place.schema,
                    home.table,
                    home.column,
                    owner=home.owner if home.through else "",
                    through=home.through,
                ),
            )
            for home, example in zip(found.homes, examples, strict=True)
            for called in (_called(home, found),)
        ),
    )


def _called(home: Home, found: UnsureColumn) -> str:
    """Return a column as people say it, with what leads there where its owner has several ways."""
    several = sum(other.owner == home.owner for other in found.homes) > 1
    column = found.words if home.through else _spaced(home.column)
    return f"{_spaced(home.owner)}: {column}" + (f" by {_spaced(home.through)}" if several and home.through else "")


def _examples(homes: tuple[Home, ...], schema: Schema) -> list[str]:
    """Return a value of each column that tells it from the others, where values may be shown and there is one."""
    values: list[tuple[str, ...]] = []
    for home in homes:
        table = schema.table(home.table)
        column = next((column for column in table.columns if column.name == home.column), None) if table else None
        shown = column is not None and column.shown and not home.through
        values.append((column.samples or tuple(sorted(column.values))) if column and shown else ())
    others = [{value for at, each in enumerate(values) if at != own for value in each} for own in range(len(values))]
    return [
        next((value for value in own if value not in other and len(value) <= LONGEST), "")
        for own, other in zip(values, others, strict=True)
    ]


def _schema(turn: Turn) -> Schema:
    place = turn.memory.place
    return turn.tools.catalog.schema(place.connection, place.schema).only(place.tables)


def _of_place(turn: Turn) -> list[Meant]:
    place = turn.memory.place
    return [each for each in turn.memory.meant if (each.connection, each.schema) == (place.connection, place.schema)]


def _home(meant: Meant) -> tuple[str, ...]:
    return meant.table, meant.column, meant.owner, meant.through


def _label(value: Value) -> str:
    return f"{value.text} ({value.table}.{value.column})"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _line(text: str) -> str:
    """Return the words of a text between blanks, so that whole words are found in it."""
    return f" {' '.join(fold(word) for word in WORD.findall(text))} "

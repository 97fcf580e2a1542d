"""Words of a question that may mean several values or columns: found, and asked about once."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from router.cards import Buttons, Card, Option
from router.catalog.schema import Schema
from router.catalog.values import VALUE_WORD
from router.knowledge.knowledge import NOTHING_KNOWN
from router.language.folding import fold
from router.language.inflection import stem
from router.machine import Ask
from router.memory.thread import Meant
from router.policy import demand_read, may_read
from router.stages.shown import privately
from router.stages.start import Taken, take
from router.text_to_sql.ambiguous_columns import Home, UnsureColumn, spoken_of, unsure_columns
from router.text_to_sql.named_values import Named, named_in
from router.text_to_sql.schema_linking import likely_tables, telling, words
from router.text_to_sql.schema_linking import words as roots
from router.turn import Said, Turn
from router.understanding.button_words import folded
from router.understanding.choices import NONE_OF_THESE, choice_in
from router.understanding.kinds import asks_clearly

QUESTIONS_BACK_MAX = 2
"""Questions back that one question may cost, about values and columns together."""

MEANINGS_KEPT = 50
"""Choices that are kept of a thread."""

BUTTON_VALUE_MAX_CHARS = 24
"""Characters of a value that is shown beside its column on a button."""

VALUE_PREFIX = "value:"
"""Stands before a choice in a button's answer, so that no value is taken for a word."""


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
    column: UnsureColumn | None = None


def doubt(turn: Turn, again: bool = False) -> Doubt | None:
    """Return what is not clear in the question, values first, unless it has been asked back often enough.

    What was asked in this thread is returned only if `again`, after all else.
    """
    draft = turn.memory.draft
    if draft.method != "generate" or len(draft.asked_back) >= QUESTIONS_BACK_MAX:
        return None
    asked = [each.words for each in _of_place(turn)]
    return _column(turn, asked) or (_column(turn, draft.asked_back) if again else None)


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


def _column(turn: Turn, asked: Iterable[str]) -> Doubt | None:
    over = {tuple(roots(words)) for words in asked}
    found = next((each for each in _columns(turn) if tuple(roots(each.words)) not in over), None)
    return _column_doubt(turn, found) if found else None


def _columns(turn: Turn) -> tuple[UnsureColumn, ...]:
    """Return the words that may mean several columns, but for those that a hint or anything taught says."""
    draft, schema, place = turn.memory.draft, _schema(turn), turn.memory.place
    if draft.method != "generate" or not unsure_columns(draft.question, schema):
        return ()  # most questions end here, before anything else is looked at
    knowledge = turn.services.knowledge
    known = knowledge.about(place.connection, draft.question, schema) if knowledge else NOTHING_KNOWN
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
                (called, f"{home.owner}.{home.column}", _spaced(home.owner), stem(_spaced(home.owner))),
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
        found,
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
        next((value for value in own if value not in other and len(value) <= BUTTON_VALUE_MAX_CHARS), "")
        for own, other in zip(values, others, strict=True)
    ]


def _schema(turn: Turn) -> Schema:
    """Return the tables that a model is shown: words that others share with them are not asked about."""
    return likely_tables(turn.memory.draft.question, turn.schema().only(turn.memory.place.tables))


def _of_place(turn: Turn) -> list[Meant]:
    return [each for each in turn.memory.meant if (each.connection, each.schema) == turn.memory.place.at]


def _home(meant: Meant) -> tuple[str, ...]:
    return meant.table, meant.column, meant.owner, meant.through


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _line(text: str) -> str:
    """Return the words of a text between blanks, so that whole words are found in it."""
    return f" {' '.join(fold(word) for word in VALUE_WORD.findall(text))} "


class ChooseValue(Ask):
    """Ask which value or column a word means, once; pass on silently where it is clear, or was asked."""

    help = "Press what you mean, or type it, or its number. “None of these” asks it as it is."

    def settle(self, turn: Turn) -> Literal["chosen"] | None:
        return None if may_read(turn.owner, turn.connection) and doubt(turn) else "chosen"

    def only_for(self, turn: Turn) -> str:
        return turn.owner.id if privately(turn, turn.connection) else ""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        demand_read(turn.owner, turn.connection)
        unclear = doubt(turn, again=True)
        senses = unclear.senses if unclear else ()
        options = tuple(Option(f"{VALUE_PREFIX}{sense.label}", sense.label) for sense in senses)
        prompt = f"What do you mean by “{unclear.words}”?" if unclear else "That's clear by now."
        return (Buttons(prompt, (*options, Option("as_is", "None of these"))),)

    def answer(self, turn: Turn) -> Taken | Literal["chosen", "more"]:
        unclear = doubt(turn, again=True)
        if unclear is None:
            return "chosen"
        said = isinstance(turn.incoming.input, Said)
        found = _picked(turn, unclear)
        if found:
            return _chosen(turn, unclear, found)
        none = choice_in(turn.text, ()) == NONE_OF_THESE or turn.text == str(len(unclear.senses) + 1)
        if turn.word("as_is") or (said and none):
            return _chosen(turn, unclear, None)
        taken = take(turn) if said and (turn.typed_sql() or asks_clearly(turn.text)) else None
        return taken or turn.unclear("That is not one of these.")


def _picked(turn: Turn, unclear: Doubt) -> Sense | None:
    """Return the one sense that was pressed or typed: its label, its place in the row, or words that only it has."""
    wanted, senses = fold(turn.text.removeprefix(VALUE_PREFIX)), unclear.senses
    exact = [sense for sense in senses if fold(sense.label) == wanted]
    found = exact or [sense for sense in senses if wanted in map(fold, sense.typed)]
    if found or not isinstance(turn.incoming.input, Said):
        return found[0] if len(found) == 1 else None
    typed = folded(turn.text)
    if asks_clearly(turn.text):  # a question of its own, which has a word of a choice in it
        return None
    place = choice_in(turn.text, [sense.label for sense in senses])
    if place not in (None, NONE_OF_THESE):
        return senses[place]
    said = set(telling(words(typed)))
    fit = [sense for sense in senses if said and said <= set(words(sense.label))]
    return fit[0] if len(fit) == 1 else None


def _chosen(turn: Turn, unclear: Doubt, sense: Sense | None) -> Literal["chosen", "more"]:
    """Remember what was chosen, and tell whether something else is not clear."""
    memory, at = turn.memory, turn.memory.place.at
    others = [each for each in memory.meant if (each.connection, each.schema, each.words) != (*at, unclear.words)]
    memory.meant = [*others, sense.meant if sense else Meant(unclear.words, *at)][-MEANINGS_KEPT:]
    memory.draft = replace(memory.draft, asked_back=(*memory.draft.asked_back, unclear.words))
    return "more" if doubt(turn) else "chosen"

"""What a result is, and where it comes from: from its query, which people can read on."""

from router.cards import Card, Code, Text
from router.memory import Draft, Place
from router.sql.explain import explain
from router.stages.compare_approval import SIDES
from router.stages.compare_sides import side_of, title_of
from router.stages.confirm import where_of
from router.stages.shown import only_for
from router.turn import Turn


def explained(turn: Turn, draft: Draft) -> tuple[Card, ...]:
    """Return what the query at hand does, in words and as SQL."""
    answer, known, place = turn.memory.answer, draft, turn.memory.place
    if not draft.sql and answer:
        known, place = answer.draft, place if place.connection == answer.connection else Place(answer.connection)
    if not draft.sql and (compared := _compared(turn)):
        return (Text(f"{compared}\nNothing was compared yet."),)
    if not known.sql:
        return (Text("There is no query yet that I could explain. Ask a question about your data first."),)
    ran = answer is not None and answer.draft.sql == known.sql
    said = "The SQL was changed by hand; it began with the question" if known.changed else "The question was"
    asked = (Text(f"{said}: {known.question}"),) if known.question else ()
    if answer and answer.compared and known.sql == answer.draft.sql:
        told = () if _read_by_others(turn) else (Text(known.explanation),)
        return (*asked, *told, Code(known.sql, where_of(turn, place)))
    words = explain(known.sql, turn.tools.connections.demand(place.connection).dialect.name)
    notes = tuple(Text(note, "quiet") for note in known.notes)
    where = where_of(turn, place)
    if known is draft and not ran:  # it is shown below, with its notes
        return (Text(f"{words} It has not run yet."),)
    return (*asked, Text(f"{words} {_came(turn)}"), Code(known.sql, where), *notes)


def _came(turn: Turn) -> str:
    """Return what came of the query on show, and what may be missing in it."""
    answer = turn.memory.answer
    assert answer
    if _read_by_others(turn):
        return ""
    total, cut = answer.result.total, ", where I stopped reading" if answer.result.capped else ""
    if not total:
        return (
            "It found no rows: nothing in the data meets all of its conditions at once. Ask for fewer of them, such as "
            "another year or no region, to see which one leaves nothing."
        )
    rows = f"It found {total:,} row{'' if total == 1 else 's'}{cut}."
    return f"{rows} What you miss among them is not in the data, or does not meet these conditions."


def _read_by_others(turn: Turn) -> bool:
    """Tell whether this may be read by people who may not see the rows."""
    return bool(only_for(turn)) and turn.incoming.shared


def _compared(turn: Turn) -> str:
    """Return what the queries of a comparison do, as far as they are known."""
    comparing = turn.memory.comparing
    sides = [side for side in SIDES if comparing and (comparing.left if side == "left" else comparing.right)]
    lines = ((title_of(turn, side), side_of(turn, side)) for side in sides)
    return "\n".join(f"*{title}*: {found.draft.explanation}" for title, found in lines)

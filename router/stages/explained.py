"""What a result is, and where it comes from: from its query, which people can read on."""

from router.cards import Card, Code, Text
from router.memory import Draft
from router.sql.explain import explain
from router.stages.confirm import where_of
from router.stages.shown import only_for
from router.turn import Turn


def explained(turn: Turn, draft: Draft) -> tuple[Card, ...]:
    """Return what the query at hand does, in words and as SQL."""
    answer = turn.memory.answer
    known = draft if draft.sql else answer.draft if answer else draft
    if not known.sql:
        return (Text("There is no query yet that I could explain. Ask a question about your data first."),)
    ran = answer is not None and answer.draft.sql == known.sql
    asked = (Text(f"The question was: {known.question}"),) if known.question else ()
    words = explain(known.sql, turn.connection.dialect.name)
    notes = tuple(Text(note, "quiet") for note in known.notes)
    where = where_of(turn, turn.memory.place)
    if known is draft and not ran:  # it is shown below, with its notes
        return (Text(f"{words} It has not run yet."),)
    return (*asked, Text(f"{words} {_came(turn)}"), Code(known.sql, where), *notes)


def _came(turn: Turn) -> str:
    """Return what came of the query on show, and what may be missing in it."""
    answer = turn.memory.answer
    assert answer
    if only_for(turn) and turn.incoming.shared:  # this may be read by people who may not see the rows
        return ""
    total, cut = answer.result.total, ", where I stopped reading" if answer.result.capped else ""
    if not total:
        return (
            "It found no rows: nothing in the data meets all of its conditions at once. Ask for fewer of them, such as "
            "another year or no region, to see which one leaves nothing."
        )
    rows = f"It found {total:,} row{'' if total == 1 else 's'}{cut}."
    return f"{rows} What you miss among them is not in the data, or does not meet these conditions."

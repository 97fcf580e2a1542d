"""Columns matched by hand, the table for the rows, and what becomes of a comparison that is over."""

from dataclasses import replace
from pathlib import Path

from router.cards import Field, Form
from router.memory.comparing import ComparedColumns
from router.memory.thread import Tasks
from tests.support.golden_talk import check_words
from tests.support.talk import KEY, Talk


def looked(talk: Talk, left: str, right: str) -> str:
    """Have two queries on the shop looked at; returns the question about their columns."""
    for said in ("compare", left):
        talk.say(said)
    for pressed in ("menu:shop", "yes"):
        talk.press(pressed)
    talk.say(right)
    talk.press("menu:shop")
    return talk.press("yes")


def fields(talk: Talk) -> dict[str, Field]:
    """Return the inputs of the form that is shown."""
    found = (card for card in talk.replies[-1].cards if isinstance(card, Form))
    return {field.name: field for field in next(found).fields}


YES, ONE = (f"SELECT id, CASE WHEN total > 100 THEN {words} END AS" for words in ("'yes' ELSE 'no'", "1 ELSE 0"))


def test_pairs_by_hand_are_read_as_proposed_ones(talk: Talk) -> None:
    """Yes and no are 1 and 0 in columns that a person put together, too."""
    looked(talk, f"{YES} big FROM orders", f"{ONE} wealthy FROM orders")
    talk.press("map")
    talk.fill(c1="1", k0="0")
    assert "Columns: `id`, `big / wealthy`." in talk.press("summary")
    talk.press("yes")
    assert any("have the same 8 rows." in str(reply.cards) for reply in talk.replies)


def test_a_look_leaves_what_a_person_chose(talk: Talk) -> None:
    """Tolerances and keys are those of the person after a look at a pair of theirs."""
    looked(talk, f"{YES} big FROM orders", f"{ONE} wealthy FROM orders")
    for pressed in ("accept", "summary", "map"):
        talk.press(pressed)
    talk.fill(absolute="0.5", blanks="count")
    talk.press("map")
    shown = talk.fill(c1="1", k0="out")
    assert "No columns tell the rows apart" in shown
    assert "numbers apart by at most 0.5" in shown


def columns_of(talk: Talk) -> ComparedColumns:
    """Return the columns of the comparison at hand."""
    comparing = talk.memory.tasks.comparing
    assert comparing
    assert comparing.columns
    return comparing.columns


def keys_of(talk: Talk) -> list[int]:
    """Return the left columns that tell rows apart."""
    found = columns_of(talk)
    return [found.matched[key].left for key in found.keys]


def test_names_that_are_there_twice(talk: Talk) -> None:
    """Each column is told from the others, by its place."""
    looked(talk, "SELECT id, note, name FROM customers", "SELECT id, note, name FROM customers")
    memory, twice = talk.memory, ("id", "name", "name")  # as PostgreSQL gives them
    assert memory.tasks.comparing
    columns = replace(columns_of(talk), left=twice, right=twice)
    memory.tasks = Tasks(comparing=replace(memory.tasks.comparing, columns=columns))
    talk.store.save(KEY, memory)
    talk.press("map")
    form = fields(talk)
    assert ["id →", "name (column 2) →", "name (column 3) →"] == [form[f"c{n}"].label for n in range(3)]
    assert ["(none)", "id", "name (column 2)", "name (column 3)"] == [each.label for each in form["k0"].options]
    talk.fill(k0="2", k1="0")
    assert [2, 0] == keys_of(talk)


def test_what_stops_a_comparison_is_said(tmp_path: Path) -> None:
    """Where the columns are not known, or fit nowhere, the ways on are named; words that fit nothing change nothing."""
    check_words(
        tmp_path,
        """Comparisons that cannot go on.
@connections shop, warehouse
> compare orders in shop and orders in warehouse
> yes
@gone shop
@press yes
The columns are not known yet. What's next? [Try again / Change the first query / Change the second query / Cancel]
@there shop
@press first
@press no
@fill sql=SELECT name FROM regions
@press yes
No two columns seem to belong together. What's next? [Map by hand / Change the first query / Change the second query
@press map
> whatever fits
I didn't understand that, so nothing was changed. Use the form, or type one change alone, such as: id = order_no,
> cancel
> what do these queries do?
There's no query to explain yet. Ask a question about your data first.
""",
    )

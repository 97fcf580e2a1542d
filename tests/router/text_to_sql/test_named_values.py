"""Values of a database that the words of a question mean."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.catalog.values import COMPARED_VALUES_MAX, SHARED_WORD_MIN_VALUES, ValueIndex
from router.text_to_sql.named_values import named_in, told, unsure
from router.text_to_sql.prompt import asked
from router.text_to_sql.question import Node, Options, Question, Try
from router.text_to_sql.write_sql import discreet
from tests.router.text_to_sql.scripted import sql_task


def column(name: str, *values: str, shown: bool = True, samples: tuple[str, ...] = ()) -> Column:
    return Column(name, "TEXT", samples=samples, values=frozenset(values), shown=shown)


def schema(*tables: SchemaTable) -> Schema:
    return Schema("c", "sqlite", "main", tables, datetime(2026, 1, 1, tzinfo=UTC))


FIRMS = schema(
    SchemaTable("buyers", "main", (column("firm", "Miller & Sons", "Miller GmbH", "Müller AG", "JetBlue Airways"),)),
    SchemaTable("people", "main", (column("full_name", "Ada Lovelace", "Grace Hopper", shown=False),)),
    SchemaTable(
        "places", "main", (column("town", "Köln", "Saint-Denis", "New York", "York"), column("code", "US", "7001"))
    ),
    SchemaTable("regions", "main", (column("region", "North", "South", samples=("North", "South")),)),
    SchemaTable("rivers", "main", (column("river", "Red River", "Rhine", "name", "total"),)),
)
INDEX = ValueIndex(FIRMS)


def found(text: str) -> list[tuple[str, str, list[str]]]:
    return [(each.words, each.way, [value.text for value in each.values]) for each in named_in(text, INDEX)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Orders in new york?", [("new york", "exact", ["New York"])]),
        ("Orders in York", [("York", "exact", ["York"])]),
        ("What flows into the red river", [("red river", "exact", ["Red River"])]),
        ("How long are the red rivers?", [("red rivers", "folded", ["Red River"])]),
        ("buyers in Koeln or koln", [("Koeln", "folded", ["Köln"]), ("koln", "folded", ["Köln"])]),
        ("who lives in saint denis", [("saint denis", "exact", ["Saint-Denis"])]),
        ("who lives in saintdenis", [("saintdenis", "folded", ["Saint-Denis"])]),
        ("sales in the Nort", [("Nort", "near", ["North"])]),
        ("sales in the Nroth's towns", [("Nroth", "near", ["North"])]),
        ("flights of jetblue", [("jetblue", "part", ["JetBlue Airways"])]),
        ("sacks for mueller", [("mueller", "part", ["Müller AG"])]),
        ("sacks for Miller", [("Miller", "part", ["Miller & Sons", "Miller GmbH"])]),
        ("firms with “Miller” in it", []),
        ("what is the total by name", []),
        ("rivers longer than 7001", []),
        ("orders of ada lovelace", [("ada lovelace", "exact", ["Ada Lovelace"])]),
        ("orders of Lovelace or Ada Lovelac", []),
        ("", []),
    ],
)
def test_what_is_found(question: str, expected: list[tuple[str, str, list[str]]]) -> None:
    """A value is found however it is typed; one of a person is found only as it stands; common words name nothing."""
    assert expected == found(question)


def test_other_digits_are_no_misspelling() -> None:
    """Numbers in names tell things apart."""
    index = ValueIndex(schema(SchemaTable("models", "main", (column("model", "Lamp 300"),))))

    assert named_in("sales of lamp 400", index) == ()
    assert [each.way for each in named_in("sales of lmap 300", index)] == ["near"]


def test_a_word_of_many_values_names_none() -> None:
    """A word that stands in many values is a kind of thing, not the name of one."""
    firms = [f"Miller Number{n}" for n in range(SHARED_WORD_MIN_VALUES)]
    index = ValueIndex(schema(SchemaTable("buyers", "main", (column("firm", *firms),))))

    assert named_in("sacks for Miller", index) == ()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=8), st.text(max_size=80))
def test_any_text_can_be_looked_up(values: list[str], question: str) -> None:
    """Whatever stands in a database or a question, what is found stands in the database."""
    index = ValueIndex(schema(SchemaTable("t", "main", (column("c", *values),))))

    for each in named_in(f"{question} {' '.join(values)}", index):
        assert {value.text for value in each.values} <= set(values)


def test_looking_is_bounded() -> None:
    """However many values are alike, few of them are compared, and few are told."""
    alike = [
        f"aaaaa{n:04}bbbbb".translate(str.maketrans("0123456789", "cdefghijkl")) for n in range(2 * COMPARED_VALUES_MAX)
    ]
    firms = schema(SchemaTable("buyers", "main", (column("firm", *alike),)))
    named = named_in("sacks for aaaaaccccbbbbx", ValueIndex(firms))

    assert len(told(named, "sacks for aaaaaccccbbbbx", firms, ())) <= 4


def test_the_prompt_tells_what_was_found() -> None:
    """What stands in the samples comes first, as ever; then the others, the longest first."""
    text = "sacks from the North to jetblue in Koeln"
    question = Question(text, date(2026, 1, 1), named=named_in(text, INDEX))

    assert asked(sql_task(question, FIRMS)).splitlines()[0] == (
        "Values: regions.region = 'North', places.town = 'Köln', buyers.firm = 'JetBlue Airways'"
    )


def test_the_prompt_without_further_values_stays_as_it_is() -> None:
    """A question that names samples alone, or nothing, is asked in the same bytes with the index and without."""
    for text in ("sacks from the North", "how many sacks?"):
        bare = Question(text, date(2026, 1, 1))
        named = Question(text, date(2026, 1, 1), named=named_in(text, INDEX))
        assert asked(sql_task(bare, FIRMS)) == asked(sql_task(named, FIRMS))


def test_tables_that_were_not_chosen_tell_nothing() -> None:
    """Where the person narrowed the tables down, only their values are told, and asked about."""
    named = named_in("sacks for Miller in Koeln", INDEX)
    places = FIRMS.only(("places",))

    assert told(named, "sacks for Miller in Koeln", places, ()) == (("places", "town", "Köln"),)
    assert unsure(named, "sacks for Miller in Koeln", places) is None


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("sacks for Miller", ["Miller & Sons", "Miller GmbH"]),
        ("sacks for Miller GmbH", None),
        ("sacks for mueller", None),
        ("orders in York", None),
        ("orders in Koeln", None),
    ],
)
def test_what_is_not_sure(question: str, values: list[str] | None) -> None:
    """Only what may mean several values is asked about; a whole value never is."""
    doubt = unsure(named_in(question, INDEX), question, FIRMS)

    assert values == (None if doubt is None else [value.text for value in doubt.values])


BRANDS = (
    SchemaTable("brands", "main", (column("brand", "Mercury Cars", "Venus"),)),
    SchemaTable("planets", "main", (column("planet", "Mercury Prime", "Venus-"),)),
)


def test_the_columns_that_a_question_speaks_of_decide() -> None:
    """A word of two columns is asked about, unless the question names one of them."""
    both = schema(*BRANDS)
    index = ValueIndex(both)

    assert unsure(named_in("how far is Mercury", index), "how far is Mercury", both) is not None
    assert unsure(named_in("which brand is Mercury", index), "which brand is Mercury", both) is None


def test_one_value_in_linked_columns_is_one() -> None:
    """A column that refers to another one has the same meaning."""
    keys = (ForeignKey(("planet",), "planets", ("planet",)),)
    moons = SchemaTable("moons", "main", (column("planet", "Mercury Prime"),), foreign_keys=keys)
    linked = schema(BRANDS[1], moons)

    assert unsure(named_in("moons of Mercury", ValueIndex(linked)), "moons of Mercury", linked) is None


@pytest.mark.parametrize(("typed", "told"), [("Ada Lovelac", False), ("ada lovelace", True)])
def test_a_repaired_value_that_nobody_typed_is_not_told_to_the_model(typed: str, told: bool) -> None:
    """When it is to try again, the model sees its query without values of columns that are not shown."""
    sql = "SELECT 1 FROM people WHERE full_name = 'Ada Lovelace' AND full_name <> 'Bob'"
    question = Question(f"orders of {typed}", date(2026, 1, 1), avoid=(sql,))
    seen = discreet(Node(question, tries=(Try(sql, "“Ada Lovelace” is wrong."),)), FIRMS)
    held = sql if told else sql.replace("Ada Lovelace", "…")

    assert (held, f"“{'Ada Lovelace' if told else '…'}” is wrong.") == (seen.tries[0].sql, seen.tries[0].problem)
    assert (held,) == seen.question.avoid


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("annual orders", False),
        ("orders by Ann's friends", True),
        ("orders of AN N", True),
        ("orders in Annapolis", False),
    ],
)
def test_a_value_is_typed_as_words_of_its_own(typed: str, told: bool) -> None:
    """A part of another word does not say a hidden value; and a sentence loses it only where it is quoted."""
    sql = "SELECT annual FROM people WHERE full_name = 'Ann'"
    hidden = schema(SchemaTable("people", "main", (column("full_name", "Ann", shown=False), column("annual"))))
    problem = "no such column: annual; 'Ann' is no number; Annual"
    seen = discreet(Node(Question(typed, date(2026, 1, 1)), tries=(Try(sql, problem),)), hidden).tries[0]

    expected = [text if told else text.replace("'Ann'", "'…'") for text in (sql, problem)]
    assert expected == [seen.sql, seen.problem]


def test_a_hidden_value_with_a_backslash_is_not_told() -> None:
    """However a database writes a value in its SQL, it is held back."""
    value = "C:\\Ann's"
    hidden = replace(schema(SchemaTable("people", "main", (column("home", value, shown=False),))), dialect="mysql")
    sql = "SELECT 1 FROM people WHERE home = 'C:\\\\Ann\\'s' OR home = \"C:\\\\Ann's\""
    seen = discreet(Node(Question("whose home", date(2026, 1, 1)), tries=(Try(sql, f"wrong: '{value}'"),)), hidden)

    assert "SELECT 1 FROM people WHERE home = '…' OR home = '…'" == seen.tries[0].sql
    assert "wrong: '…'" == seen.tries[0].problem


def test_spellings_can_be_left_out() -> None:
    """To measure what it is worth, a question is asked without values that are no samples."""
    question = Question("sacks for jetblue", date(2026, 1, 1), named=named_in("sacks for jetblue", INDEX))

    assert "JetBlue" in asked(sql_task(question, FIRMS))
    assert "JetBlue" not in asked(sql_task(question, FIRMS, options=Options(spellings=False)))


WORLD = schema(
    SchemaTable(
        "countries",
        "main",
        (column("name", "Poland", "Iran", "Landau", "Palau", "Peru", "Mali", "Land Rover", "Kuwait", "Mars"),),
    ),
    SchemaTable("shipments", "main", (column("carrier", "Shipper", "Monthey", "Parcelo", "Commander", "JetBlue"),)),
    SchemaTable("people", "main", (column("first_name", "Anna", "Mona", "Venta", "Welch", "Paul", "Clint"),)),
)
WORLD_INDEX = ValueIndex(WORLD)


def values_of(text: str) -> list[str]:
    return [value.text for each in named_in(text, WORLD_INDEX) for value in each.values]


@pytest.mark.parametrize(
    "question",
    [
        # Across the end of a word.
        "Umsatz pro Land",
        "Anzahl der Kunden pro Land und Monat",
        "how far I ran last week",
        "wieviel kostet es in der an na",
        "ventas por pal au",
        # Words of questions, and what is misspelt of them, are like many a name.
        "Umsatz je Monat",
        "combien de commandes par client ?",
        "total de ventas por mes",
        "Welche Länder haben die meisten Bestellungen?",
        "pays avec le plus de ventes",
        "revenue per montth",
        "por pais y cliente",
        # What the schema is made of, in another form.
        "which shipping was late",
        "was it shipped in time",
        # Of four letters, another one makes another word.
        "orders of Mila",
        "Umsatz der Mark",
        "who paid the most",
    ],
)
def test_words_of_questions_are_no_values(question: str) -> None:
    """No value is read out of two words, out of what questions are made of, or out of a word of the schema."""
    assert [] == values_of(question)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("customers in Poland", ["Poland"]),
        ("Kunden in Polnad", ["Poland"]),
        ("orders from Kuwiat", ["Kuwait"]),
        ("flights of jet blue", ["JetBlue"]),
        ("ventes pour land rover", ["Land Rover"]),
        ("sales of Comander", ["Commander"]),
    ],
)
def test_values_are_found_beside_them(question: str, values: list[str]) -> None:
    """A value that is typed whole, or misspelt in a word of its own, is found in each language."""
    assert values == values_of(question)

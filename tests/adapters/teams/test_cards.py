"""Whole replies as messages of Teams."""

import pytest
from hypothesis import HealthCheck, given, settings

from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef
from adapters.teams.cards import CARD_MAX_BYTES, IN_SIGHT_MAX, draw
from adapters.teams.controls import FILL, PRESS, asked_in
from adapters.teams.drawing import Element, size_of
from router.cards import Buttons, Choice, Code, Field, Form, Head, Option, Progress, Reply, Table, Text
from router.memory.thread import ThreadKey
from tests.platforms.teams.cards.judge import card_faults, card_gaps, card_problems, parts_of
from tests.platforms.teams.cards.words import words_of
from tests.support.hypothesis_examples import examples
from tests.support.replies import QUICK, replies

KEY = ThreadKey("teams", "tenant", "19:abc@thread.tacv2;messageid=1795293296857", "")
WAYS = (Option("yes", "Run", "primary"), Option("no", "Edit"), Option("cancel", "Cancel", "danger"))
SQL = "SELECT name FROM customers WHERE a < 5"
CONFIRM = Reply((Text("Shows *name*."), Code(SQL, "Shop"), Buttons("Run this on Shop?", WAYS)), turn=3)
FORM = Form("Edit the SQL", (Field("sql", "SQL", "code", SQL),), "Check it")


def card_of(reply: Reply, decision: str = "") -> Element:
    """Return the card of a reply that has one."""
    card = draw(reply, KEY, decision=decision).card
    assert card is not None
    return card


def actions_in(card: Element) -> list[Element]:
    """Return the buttons of a card."""
    return [each for part in parts_of(card) if part.get("type") == "ActionSet" for each in part["actions"]]


def test_a_question_shows_its_sql_and_a_button_for_each_answer() -> None:
    """Each button carries its answer, the thread and the number of the question; old clients get it as a Submit."""
    card = card_of(CONFIRM)
    (code,) = [part for part in parts_of(card) if part.get("type") == "CodeBlock"]
    assert (code["codeSnippet"], code["language"]) == (SQL, "Sql")
    assert code["fallback"]["inlines"][0] == {"type": "TextRun", "text": SQL, "fontType": "Monospace"}
    buttons = actions_in(card)
    assert [(each["title"], each.get("style"), each["verb"]) for each in buttons] == [
        ("Run", "positive", PRESS),
        ("Edit", None, PRESS),
        ("Cancel", "destructive", PRESS),
    ]
    assert (
        buttons[1]["data"] == buttons[1]["fallback"]["data"] == {"v": PRESS, "k": str(KEY), "t": 3, "c": 2, "a": "no"}
    )
    assert asked_in(buttons[1]["data"]) == (PRESS, QuestionRef(KEY, 3, 2))
    assert buttons[1]["fallback"]["type"] == "Action.Submit"
    assert len({each["id"] for each in buttons}) == 3


def test_a_decided_question_shows_its_outcome_alone() -> None:
    """The SQL is closed, who decided is said, and nothing that was said of the choice is left."""
    menu = Choice("Which?", (Option("menu:a", "a"),))
    warned = Text("The table is large.", "problem")
    card = card_of(Reply((*CONFIRM.cards, warned, menu, FORM, Progress("Running…")), turn=3), "✔ Run · Ana · 14:03")
    actions = {str(each["type"]) for each in parts_of(card) if str(each.get("type")).startswith("Action.")}
    assert actions == {"Action.ToggleVisibility"}
    assert not [part for part in parts_of(card) if str(part.get("type")).startswith("Input.")]
    assert words_of(card).split("\n")[-1] == "✔ Run · Ana · 14:03"
    assert "Run this on Shop?" not in words_of(card)
    assert "The table is large." not in words_of(card)
    assert "✔ Run · Ana · 14:03" in draw(CONFIRM, KEY, decision="✔ Run · Ana · 14:03").text


def test_sql_stays_open_while_it_waits_for_a_yes() -> None:
    """A person must see what they approve."""
    assert "SELECT 1" in words_of(card_of(Reply((Code("SELECT 1,\n" * 300), Buttons("Run?", WAYS)), turn=1)))


@pytest.mark.parametrize("columns", [40, 150], ids=["short SQL", "long SQL"])
def test_a_page_keeps_its_rows_beside_folded_sql(columns: int) -> None:
    """Next goes on after the page's last row: none may be left out for SQL that was approved, or for many buttons."""
    heads = tuple(Head(f"c{n:02}", "number") for n in range(40))
    rows = tuple(tuple(str(row * 100 + n) for n in range(40)) for row in range(20))
    sql = "SELECT " + ", ".join(f"m.column_{n} AS c{n:02}" for n in range(columns)) + " FROM measurements AS m"
    ways = tuple(Option(f"way{n}@s-{'x' * 32}", f"Way {n}") for n in range(11))
    page = Table(heads, rows, 5_000, title="Measurements", source="Large", result="r")
    card = card_of(Reply((page, Code(sql, folded=True), Buttons("", ways)), turn=3))
    (table,) = [part for part in parts_of(card) if part.get("type") == "Table"]
    assert len(table["rows"]) == 1 + len(rows)
    (code,) = [part for part in parts_of(card) if part.get("type") == "CodeBlock"]
    assert (code["codeSnippet"] == sql) == (columns == 40)
    assert code["codeSnippet"].startswith("SELECT m.column_0 AS c00, m.column_1 AS c01")
    assert size_of(card) <= CARD_MAX_BYTES


def test_sql_that_does_not_fit_is_attached_whole() -> None:
    """The message says so, and the file has every character."""
    sql = "SELECT\n" + ",\n".join(f"  column_{n} AS c{n}" for n in range(2_900))
    drawn = draw(Reply((Code(sql, "Shop"), Buttons("Run this on Shop?", WAYS)), turn=1), KEY)
    assert drawn.files == (Attached("query.sql", sql),)
    assert "Cut here. Read the whole of it" in words_of(drawn.card)
    linked = draw(Reply((Code(sql),)), KEY, link=lambda file: f"https://bot.example/{file.name}?s=1")
    assert "'url': 'https://bot.example/query.sql?s=1'" in str(linked.card)


def test_nothing_hides_in_the_sql_that_is_approved() -> None:
    """Characters that cannot be seen, or that turn the reading order around, are written out."""
    card = card_of(
        Reply((Code("SELECT 1 \u202e-- \u200bx {{DATE(2026-01-01T00:00:00Z)}}"), Buttons("Run?", WAYS)), turn=1)
    )
    (code,) = [part for part in parts_of(card) if part.get("type") == "CodeBlock"]
    assert "\\u202e-- \\u200bx" in code["codeSnippet"]
    assert "{{DATE" not in str(code["fallback"])


def test_a_form_is_filled_in_within_the_card() -> None:
    """What was wrong stands above its field, which has the value that was sent."""
    card = card_of(
        Reply((Form("Edit", (Field("sql", "SQL", "code", SQL, problem="No *table* x."),), "Check"),), turn=1)
    )
    (field,) = [part for part in parts_of(card) if part.get("type") == "Input.Text"]
    assert (field["value"], field["isMultiline"]) == (SQL, True)
    assert "⚠️ No *table* x." in words_of(card)
    (send,) = actions_in(card)
    assert (send["title"], send["verb"], send["associatedInputs"]) == ("Check", FILL, "auto")


def test_a_form_that_is_too_long_for_a_card_is_answered_by_a_message() -> None:
    """Its text is attached, for nothing of it may be lost."""
    drawn = draw(Reply((Form("Edit", (Field("sql", "SQL", "code", "x" * 40_000),)),), turn=1), KEY)
    assert drawn.files == (Attached("query.sql", "x" * 40_000),)
    assert "Reply with the new version." in words_of(drawn.card)


@pytest.mark.parametrize(
    "data", [{}, {"v": "press"}, {"v": "press", "k": "x", "t": 1, "c": 0}, {"v": "x", "k": str(KEY)}]
)
def test_data_that_is_not_ours_is_refused(data: dict[str, object]) -> None:
    """Anybody in a chat can send a card of their own."""
    with pytest.raises(ValueError, match=r"of ours|unpack"):
        asked_in(data)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # it would hide what is wrong with a reply
@settings(max_examples=examples(10), deadline=None, phases=QUICK, suppress_health_check=list(HealthCheck))
@given(replies)
def test_teams_takes_every_reply(reply: Reply) -> None:
    """Whatever is in a reply, its card is one that Teams takes and shows literally, and small enough."""
    for decision in ("", "✔ Run · Ana Silva " * 60):
        for find in (None, lambda file: f"https://bot.example/{'s' * 400}/{file.name}"):
            drawn = draw(reply, KEY, decision=decision, link=find)
            assert 0 < len(drawn.text.strip()) <= len(drawn.text) <= (3_000 if drawn.card else 9_000)  # with its links
            assert 0 < len(drawn.summary) <= 300
            if drawn.card is None:
                continue
            assert card_problems(drawn.card) == []
            assert card_faults(drawn.card) == []
            assert size_of(drawn.card) <= CARD_MAX_BYTES
            parts = list(parts_of(drawn.card, fallbacks=True))
            assert not [part for part in parts if part.get("type") in ("TextBlock", "FactSet")]
            assert card_gaps(drawn.card) == []
            buttons = [each for part in drawn.card["body"] for each in part.get("actions", [])]
            assert len([each for each in buttons if each.get("mode") != "secondary"]) <= max(
                IN_SIGHT_MAX, len(reply.cards)
            )
            ids = [each["id"] for each in parts_of(drawn.card) if "id" in each]
            assert len(ids) == len(set(ids))

"""Several wishes in one sentence: what was confirmed for one result is done with no other one."""

from pathlib import Path

import pytest

from router.cards import Chart, File
from router.memory.draft import Wish
from router.memory.stage import Stage
from router.stages.planned_steps import first_step
from tests.platforms.ollama import Ollama
from tests.support.golden_talk import check_words
from tests.support.talk import Talk

ASKED = "List the first customers, then draw it as a chart"
PLANNED = "SELECT name, id FROM customers WHERE id < 4"


def drawn(talk: Talk) -> int:
    """Return how many charts were shown."""
    return sum(isinstance(card, Chart) for reply in talk.replies for card in reply.cards)


def planned(talk: Talk, server: Ollama) -> None:
    """Confirm a plan, up to the SQL."""
    server.enqueue(PLANNED)
    talk.say(ASKED)
    assert Stage.CONFIRM_PLAN == talk.stage
    talk.press("yes")
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage


def test_a_plan_is_done_with_its_own_rows(talk: Talk, server: Ollama) -> None:
    """Once the query ran, the chart is drawn without another word."""
    planned(talk, server)
    talk.press("yes")
    assert 1 == drawn(talk)
    assert Stage.SHOW_RESULTS == talk.stage


def test_other_sql_has_no_part_in_a_plan(talk: Talk, server: Ollama) -> None:
    """What is pasted in place of the SQL runs, and nothing more."""
    planned(talk, server)
    talk.say("SELECT id, total FROM orders")
    talk.press("yes")
    assert 0 == drawn(talk)
    assert Stage.SHOW_RESULTS == talk.stage


def test_a_plan_is_not_done_with_older_rows(talk: Talk, server: Ollama) -> None:
    """Who goes back to the result before, and takes it as a file, gets the file alone."""
    server.enqueue("SELECT id, total FROM orders")
    talk.say("all orders with their totals")
    talk.press("yes")
    planned(talk, server)
    talk.say("back")
    assert Stage.SHOW_RESULTS == talk.stage
    talk.press("csv")
    assert 0 == drawn(talk)


def test_a_wish_is_done_before_the_next_question(talk: Talk, server: Ollama) -> None:
    """What is typed at the SQL is about its rows, not about those of the question that was asked along with it."""
    server.enqueue(PLANNED)
    talk.say("List the first customers and how many orders do we have?")
    talk.press("yes")
    assert "I go on with: draw it as a chart" in talk.say("draw it as a chart")
    server.enqueue("SELECT COUNT(*) FROM orders")
    shown = talk.press("yes")
    assert 1 == drawn(talk)
    assert Stage.CONFIRM_GENERATED_SQL == talk.stage
    assert "COUNT(*)" in shown


def test_two_steps_of_a_kind_are_both_done(talk: Talk, server: Ollama) -> None:
    """Each has a line of its own, by which it can be taken out; what is left alone is one step."""
    server.enqueue(PLANNED)
    shown = talk.say("List the first customers, draw it as a bar chart and draw it as a line chart")
    assert "2. Draw it as a bar chart\n3. Draw it as a line chart" in shown
    talk.press("yes")
    talk.press("yes")
    assert 2 == drawn(talk)
    talk.say("draw it as a line chart and draw it as a bar chart")
    assert "That is one step:\n1. Draw it as a bar chart" in talk.say("without 1")


def test_a_full_plan_takes_no_more(talk: Talk, server: Ollama) -> None:
    """A fifth step is refused in a sentence; none of the four that were confirmed makes room for it."""
    server.enqueue(PLANNED)
    talk.say("List the first customers, export it as csv, draw it as a chart, export it as Excel and repeat it daily")
    talk.press("yes")
    before = talk.memory.draft.plan
    assert 4 == len(before)
    assert "“share it with the channel” is not added" in talk.say("share it with the channel")
    assert before == talk.memory.draft.plan


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("please don't export it as csv", "Not done, as you said: “don't export it as csv”."),
        ("export it as pdf", "press CSV, Excel or Chart below the rows"),
    ],
)
def test_what_is_not_made(talk: Talk, server: Ollama, text: str, said: str) -> None:
    """Who forbids a file, or wants one that there is not, is told so, and gets none."""
    server.enqueue("SELECT id, total FROM orders")
    talk.say("all orders with their totals")
    talk.press("yes")
    assert said in talk.say(text)
    assert not any(isinstance(card, File) for reply in talk.replies for card in reply.cards)
    assert Stage.SHOW_RESULTS == talk.stage


def test_a_step_is_taken_out_of_a_plan(talk: Talk, server: Ollama) -> None:
    """The card is shown again without it, and what is left is done."""
    talk.say(f"{ASKED} and export it as csv")
    shown = talk.say("no chart please")
    assert Stage.CONFIRM_PLAN == talk.stage
    assert "2. Export it as CSV\n" in shown
    assert "chart" not in shown
    server.enqueue(PLANNED)
    talk.press("yes")
    talk.press("yes")
    assert 0 == drawn(talk)
    assert any(isinstance(card, File) for reply in talk.replies for card in reply.cards)


def test_what_a_comparison_leaves_out_is_said(talk: Talk, server: Ollama) -> None:
    """A wish beside a comparison is not done, and not dropped without a word."""
    server.enqueue("SELECT id, total FROM orders")
    talk.say("all orders with their totals")
    talk.press("yes")
    assert "Left out of what you wished for: “draw it as a chart”." in talk.say("compare this with last year, chart it")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("chart as pie", ("2. Draw it as a pie chart", "3. Export it as CSV")),
        ("yes, but as pie", ("2. Draw it as a pie chart", "3. Export it as CSV")),
        ("yes, and also as excel", ("2. Draw it as a chart", "3. Export it as CSV", "4. Export it as Excel")),
        ("and also a chart", ("2. Draw it as a chart", "3. Export it as CSV")),
        ("yes, but not 3", ("2. Draw it as a chart",)),
        ("go on without 2", ("2. Export it as CSV",)),
        ("ja, aber ohne 3", ("2. Draw it as a chart",)),
        ("yes without the chart", ("2. Export it as CSV",)),
        ("go on with 2 only", ("2. Draw it as a chart",)),
    ],
)
def test_a_typed_wish_changes_the_plan(talk: Talk, text: str, lines: tuple[str, ...]) -> None:
    """A Yes with a change is the change; the card is shown again, and nothing goes on yet."""
    talk.say(f"{ASKED} and export it as csv")
    shown = talk.say(text)
    assert ("1. List the first customers", *lines) == tuple(
        line for line in shown.splitlines() if line[:2] in ("1.", "2.", "3.", "4.")
    )
    assert Stage.CONFIRM_PLAN == talk.stage


@pytest.mark.parametrize("text", ["yes but later", "only 1 and 2", "without 1", "2", "yes, only for Italy"])
def test_what_is_not_understood_leaves_the_plan(talk: Talk, text: str) -> None:
    """It is asked back, and neither the question nor a step is another one."""
    talk.say(f"{ASKED} and export it as csv")
    before = talk.memory.understanding
    talk.say(text)
    assert (Stage.CONFIRM_PLAN, before) == (talk.stage, talk.memory.understanding)


def test_what_a_plan_does_and_when_it_asks_is_said(tmp_path: Path) -> None:
    """Before it begins, the plan says that each step is asked about; what is no plan can be typed as a question."""
    check_words(
        tmp_path,
        """Two questions.
@connections shop, backup
@mail
> orders by status and how many customers do we have?
That's more than one step:
If that is one question, type it again with `ask:` in front.
Go on like this? I ask before each step that runs, sends or writes something. [Go on / The first question alone
> cancel
@model SELECT * FROM places
> list the places
@press menu:backup
> yes
> write the rows to table tmp_places
@press write
@press email
@fill to=me & rows=the_table
> give me the rows as csv
This query is for the e-mail alone. Once that is sent, tell me what else to do with the rows.
""",
    )


def test_without_a_mail_server_no_plan_mails(tmp_path: Path) -> None:
    """It is said that nothing can be sent here, and that nothing was."""
    check_words(
        tmp_path,
        """No mail.
> SELECT name FROM regions
> cancel
> send customers somewhere
> 1
I can't send e-mails here: no mail server is set up. Nothing was sent.
""",
    )


def test_what_is_planned_behind_a_repetition_is_done(talk: Talk) -> None:
    """A repetition that was started leads on to the next step."""
    talk.say("select id from regions limit 2")
    talk.say("repeat it every Friday at 9")
    assert "repeat it every Friday at 9; then export it as CSV" in talk.say("download it as csv")
    talk.press("yes")
    assert Stage.CONFIRM_SCHEDULE == talk.stage
    assert "Left out" not in talk.press("yes")
    assert any(isinstance(card, File) for reply in talk.replies for card in reply.cards)


def test_an_email_that_stands_before_a_repetition_is_its_own() -> None:
    """Only the one behind it goes out each time."""
    mail, again, each_time = Wish("email", "mail it to bob@x.de"), Wish("repeat", "daily"), Wish("email", "mail Ana")
    assert (mail,) == first_step((mail, again, each_time))
    assert (again, each_time) == first_step((again, each_time))

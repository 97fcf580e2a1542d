"""SQL that a person changed: what is said of it, in the talk and in an e-mail."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.memory.stage import Stage
from tests.platforms.ollama import Ollama
from tests.support.golden_talk import check_words
from tests.support.mail_servers import PostOffice
from tests.support.talk import Talk, llm_at

ASKED = "list the regions by number"
SQL = "SELECT id, name FROM regions ORDER BY id"


@pytest.fixture(name="server", scope="module")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: SQL) as server:
        yield server


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama, post: PostOffice) -> Iterator[Talk]:
    talk = Talk(tmp_path, partial(llm_at, server.url), mail_config=post.mail_config())
    talk.say(ASKED)
    talk.press("edit")
    yield talk
    talk.close()


def test_an_e_mail_tells_of_it(talk: Talk, post: PostOffice) -> None:
    """Its subject is what the SQL does, and the question goes with the word that the SQL is another one."""
    talk.fill(sql="SELECT name FROM regions WHERE id = 2")
    for line in ("yes", "email", "me", "send"):
        talk.say(line)
    letter = post.read()
    body = letter.get_body(("plain",))

    assert letter["Subject"] == "Name of regions with id 2"
    assert body
    assert f"{ASKED} (its SQL was changed by hand)" in " ".join(body.get_content().split())


def test_a_slip_in_the_sql_does_not_lose_the_question(talk: Talk) -> None:
    """It is there still once the SQL is put right; asked again, the question is answered by SQL of its own."""
    talk.fill(sql="SELECT name FROM regions WHERE (")
    assert Stage.NEED_USER_SQL == talk.stage
    talk.fill(sql="SELECT name FROM regions WHERE id = 1")
    assert (True, ASKED) == (talk.memory.draft.changed, talk.memory.draft.question)
    talk.say("back")
    talk.say("ask in words")
    talk.say("ask it again")
    assert (False, ASKED) == (talk.memory.draft.changed, talk.memory.draft.question)


def test_a_question_in_the_form_is_one(talk: Talk) -> None:
    """What is no SQL and clearly a question is asked; anything else is told why it is no SQL."""
    assert "begins with REGIONS cannot run" in talk.fill(sql="regions with a name")
    talk.fill(sql="how many regions are there?")

    assert (Stage.CONFIRM_GENERATED_SQL, "how many regions are there?") == (talk.stage, talk.memory.draft.question)


def test_what_a_card_of_sql_says_of_itself(tmp_path: Path) -> None:
    """What cannot run does not, what is unsure is said, and how a question was read stands below the SQL."""
    check_words(tmp_path, CARDS)


CARDS = """Cards of SQL.
@connections school
> restart
Hi! Ask me a question about your data, in your own words. I'll show you the SQL, and nothing runs until you approve it.
> hi
@press provide
> this is no SQL
I need one SQL query here, such as SELECT … FROM …
> cancel
Cancelled; nothing was run.
@model DELETE FROM orders
@model DELETE FROM orders WHERE 1 = 1
@model DROP TABLE orders
> show the evil orders
I couldn't turn that into a query. Try naming what to count or list.
@press yes
This SQL can't run as it is.
@model SELECT status, COUNT(*) FROM orders GROUP BY status
> how many orders are there per status?
AI can be wrong: check the SQL before you run it.
@model SELECT status, COUNT(*) FROM orders WHERE status = 'paid' GROUP BY status
> only paid ones
I read it together with “
> explain this query
It has not run yet.
@press no
@model !500
> how many regions are there?
answered with an error: out of order (status code: 500). Ask again later.
"""

"""Dialogs of Teams: what was right or wrong with an answer, and the action on somebody's message."""

from sqlalchemy import select

from adapters.teams.message_action import ANSWER_COMES
from router.storage.tables import ratings
from tests.adapters.teams.talks.site import TeamsSite


def test_what_is_written_with_a_thumb_is_kept(site: TeamsSite) -> None:
    """The words lie with the rating; a later one replaces them."""
    _, table = site.ran("SELECT name FROM regions WHERE name <> 'thumbs'")
    site.teams.feedback(table, "dislike", "Two regions are missing.", user="ana").wait()
    assert "Two regions are missing." in comments(site)
    site.teams.feedback(table, "like", user="ana").wait()
    assert "Two regions are missing." not in comments(site)


def comments(site: TeamsSite) -> list[str]:
    """Return what was written with thumbs."""
    with site.bot.database.reading() as connection:
        return list(connection.execute(select(ratings.c.comment)).scalars())


def test_a_message_becomes_a_question(site: TeamsSite) -> None:
    """ "Ask about this" shows the words first; the question and its answer are in the person's own chat, and once."""
    said = site.teams.say("board", "revenue by region, please & <soon>?", user="ana", mention=False)
    post = site.teams.act_on(said, "revenue by region?", user="ana").wait()
    assert post.body == {"task": {"type": "message", "value": ANSWER_COMES}}
    own = site.teams.conversation("ana")
    assert site.teams.wait_message(own, "You asked: “revenue by region?”", None, 60.0, after=said)
    assert site.teams.wait_message(own, "Run", None, 60.0, after=said)
    site.teams.redeliver(post).wait()
    asked = [each for each in site.teams.messages(own, by="bot") if "You asked" in each.text and each.id > said.id]
    assert len(asked) == 1
    assert not [each for each in site.teams.messages("board", by="bot") if int(each.id) > int(said.id)]

"""What an e-mail says of a comparison whose rows it takes along."""

from pathlib import Path
from typing import Any

from tests.support.mail_servers import post_office
from tests.support.talk import Talk


def model() -> Any:
    raise AssertionError("no model is asked")


def test_an_e_mail_says_what_came_of_it(tmp_path: Path) -> None:
    """It has the sentence, how rows were compared, and both queries; the preview says so."""
    with post_office() as post:
        talk = Talk(tmp_path, model, ("shop", "warehouse"), mail_config=post.mail_config())
        talk.say("compare orders in shop and orders in warehouse")
        for said in ("yes", "yes", "summary", "compare", "email"):
            talk.say(said)
        asked = talk.fill(to="me", subject="", body="")
        assert "Also what came of the comparison, both queries, and your name." in asked
        talk.press("email")
        body = post.read().get_body(("plain",))
        assert body
        text = " ".join(body.get_content().split())
        talk.close()
    assert (
        "Question: orders in Shop compared with orders in Warehouse Result: 2 rows differ (status in 1, total" in text
    )
    assert "1 only in Warehouse. Rows belong together by `id` (primary key). Doesn't" in text
    assert "-- orders in Shop SELECT * FROM orders; -- orders in Warehouse SELECT * FROM orders;" in text
    assert "only in Shop 1 " in text

"""Approvers in Teams: mentioned in the thread, told once in their own chats, and brought up to date."""

from pathlib import Path

from adapters.chat.approvers import OPEN_THREAD
from router.interactions.changed_questions import WITHDRAWN_CHANGED, WITHDRAWN_DELETED
from tests.adapters.teams.talks.site import TeamsSite, founded
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message


def notices(site: TeamsSite, user: str) -> list[Message]:
    """Return what the bot told a person in their own chat of approvals."""
    own = site.teams.conversation(user)
    return [each for each in site.teams.messages(own, None, "bot") if "pprov" in shown(each)]


def test_an_approver_is_mentioned_and_told(site: TeamsSite) -> None:
    """The card mentions the approver; their own message has a link, no SQL, and says then what became of it."""
    asked = site.ask("revenue by region, waited for?", "otto")
    card = site.shown(asked, "Waiting for")
    carla = site.teams.person("carla")
    assert "Waiting for <at>Carla</at> to approve" in str(card.card)
    mention = {"type": "mention", "text": "<at>Carla</at>", "mentioned": {"id": carla.aad, "name": "Carla"}}
    assert card.card is not None
    assert card.card["msteams"]["entities"] == [mention]
    told = site.teams.wait(lambda: [each for each in notices(site, "carla") if asked.id in str(each.activity)])[-1]
    assert "Otto needs your approval on" in shown(told)
    assert OPEN_THREAD in shown(told)
    assert "SELECT" not in shown(told)

    site.press(card, "Run on Payroll", "carla")
    site.offered(asked, "CSV")
    site.teams.wait(lambda: "✓ Approved by you" in shown(told))


def test_an_approver_who_is_not_there(tmp_path: Path) -> None:
    """Of whom Teams does not tell, the address stands in the card."""
    with founded(tmp_path / "site") as company:
        carla = company.teams.person("carla")
        for each in company.teams.world.conversations.values():
            each.members[:] = [member for member in each.members if member.key != carla.key]
        with company.at_work() as site:
            card = site.offered(site.ask("revenue by region?", "otto"), "Run on Payroll")
            assert "Waiting for carla@example.com to approve" in shown(card)
            assert card.card is not None
            assert "entities" not in card.card["msteams"]


# Questions whose message is changed or deleted after it was taken.


def test_a_question_that_waits_for_run(site: TeamsSite) -> None:
    """Its card says that it is withdrawn, in one line; the changed question is asked in the thread, once."""
    asked = site.ask("revenue by region, mistyped?")
    card = site.offered(asked, "Run on Shop")
    post = site.teams.edit(asked, "revenue by region, mended?")
    site.teams.wait(lambda: shown(card).strip() == WITHDRAWN_CHANGED)
    site.teams.redeliver(post, later=True).wait()
    again = site.offered(asked, "Run on Shop")
    assert again.id != card.id
    asked_anew = [each for each in site.trail() if each["event"] == "asked" and "mended" in each.get("question", "")]
    assert len(asked_anew) == 1  # the model may be asked twice, where the database is slow to look at what it wrote


def test_a_question_that_is_deleted(site: TeamsSite) -> None:
    """Its card is withdrawn."""
    asked = site.ask("revenue by region, deleted?")
    card = site.offered(asked, "Run on Shop")
    site.teams.remove(asked).wait()
    site.teams.wait(lambda: shown(card).strip() == WITHDRAWN_DELETED)

"""Approvers in Teams: mentioned in the thread, told once in their own chats, and brought up to date."""

from adapters.chat.approvers import OPEN_THREAD
from tests.adapters.teams.talks.site import TeamsSite
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


# Questions whose message is changed or deleted after it was taken.

"""Approvers in Slack: mentioned in the thread, told once in their own messages, and brought up to date."""

from pathlib import Path

from adapters.chat.approvers import OPEN_THREAD
from tests.adapters.slack.talks.site import SlackSite, founded
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message


def notices(site: SlackSite, user: str) -> list[Message]:
    """Return what the bot told a person in their own messages of approvals."""
    direct = site.slack.world.direct(user)
    return [each for each in site.slack.messages(direct.id) if each.bot_id and "pprov" in words_of(each.blocks)]


def test_an_approver_is_mentioned_and_told(site: SlackSite) -> None:
    """The card mentions the approver; their own message has a link, no SQL, and says then what became of it."""
    root = site.ask("revenue by region, waited for?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    assert "Waiting for <@UCARLA> to approve" in words_of(asked.blocks)
    link = root.ts.replace(".", "")
    [told] = site.slack.wait(lambda: [each for each in notices(site, "UCARLA") if link in words_of(each.blocks)])
    words = words_of(told.blocks)
    assert "Otto needs your approval on" in words
    assert OPEN_THREAD in words
    assert "SELECT" not in words

    site.slack.press(asked, "Run on Payroll", user="UCARLA")
    site.shown(root, "CSV")
    site.slack.wait(lambda: "✓ Approved by you" in words_of(told.blocks))
    decided = site.slack.world.channels["C1"].messages[asked.ts]
    assert "Waiting for" not in words_of(decided.blocks)


def test_what_an_approver_may_not_read(site: SlackSite) -> None:
    """Carla approves what is asked of Payroll and may not read there: she is not told the question itself."""
    root = site.ask("revenue by region, and a secret?", user="UOTTO")
    site.shown(root, "Run on Payroll")
    told = site.slack.wait(
        lambda: next(
            (each for each in notices(site, "UCARLA") if root.ts.replace(".", "") in words_of(each.blocks)), None
        )
    )
    assert told is not None
    assert "a secret" not in words_of(told.blocks)


def test_a_card_that_is_drawn_again_tells_nobody_twice(site: SlackSite) -> None:
    """The same SQL is one request, however often its card is shown; what is withdrawn is said to be."""
    root = site.ask("revenue by region, drawn again?", user="UOTTO")
    site.shown(root, "Run on Payroll")
    link = root.ts.replace(".", "")
    site.slack.wait(lambda: [each for each in notices(site, "UCARLA") if link in words_of(each.blocks)])
    site.slack.say("C1", "help", user="UOTTO", thread=root, mention=True)
    site.shown(root, "Anywhere:")
    [told] = [each for each in notices(site, "UCARLA") if link in words_of(each.blocks)]
    site.slack.say("C1", "cancel", user="UOTTO", thread=root, mention=True)
    site.slack.wait(lambda: "No longer needed" in words_of(told.blocks))


def test_told_once_over_restarts(tmp_path: Path) -> None:
    """Another process notifies nobody twice, but those who could not be notified before."""
    with founded(tmp_path / "site") as company:
        with company.at_work() as site:
            root = site.ask("revenue by region?", user="UOTTO")
            site.shown(root, "Run on Payroll")
            site.slack.wait(lambda: notices(site, "UCARLA"))
            company.slack.wait_delivered()
        with company.at_work() as site:
            site.ask("revenue by region, again?", user="UANA")
            site.slack.wait_message("C1", "Run on Shop")
            assert len(notices(site, "UCARLA")) == 1

"""Questions in Slack whose message is changed or deleted after it was taken."""

import pytest

from router.interactions.changed_questions import WITHDRAWN_CHANGED, WITHDRAWN_DELETED
from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Call, Message


def cards(site: SlackSite, root: Message, words: str) -> list[Message]:
    """Return the bot's messages of a thread that show these words."""
    held = [each for each in site.slack.messages(root.channel, root) if each.bot_id]
    return [each for each in held if words in words_of(each.blocks)]


def test_a_question_that_waits_for_run(site: SlackSite) -> None:
    """Its card says that it is withdrawn, in one line; the changed question is asked in the thread, once."""
    root = site.ask("revenue by region, mistyped?")
    asked = site.shown(root, "Run on Shop")
    runs = site.runs()
    site.slack.edit(root, "revenue by region, mended?")
    site.slack.wait(lambda: words_of(asked.blocks).strip() == WITHDRAWN_CHANGED)
    site.slack.wait(lambda: len(cards(site, root, "Run on Shop")) == 1)
    assert [prompt for prompt in site.model.prompts if "mended" in prompt]
    [card] = cards(site, root, "Run on Shop")
    assert card.ts != asked.ts
    site.slack.press(card, "Run on Shop", user="UANA")
    site.shown(root, "CSV")
    assert site.runs() == runs + 1


def status_of(call: Call) -> tuple[str, str]:
    """Return the thread whose session a call is about, and what it says of it."""
    return str(call.arguments.get("thread_ts")), str(call.arguments.get("status"))


def test_a_question_that_is_deleted(site: SlackSite) -> None:
    """Its card is withdrawn; the tombstone that stays for its replies says who deleted what."""
    root = site.ask("revenue by region, deleted?")
    asked = site.shown(root, "Run on Shop")
    site.explained.add("thread_not_found")  # what the session stands at is not shown any more
    site.slack.remove(root)
    site.slack.wait(lambda: words_of(asked.blocks).strip() == WITHDRAWN_DELETED)
    site.slack.wait(lambda: (root.ts, "active") in [status_of(call) for call in site.slack.refused])


def test_previews_and_repeats_change_nothing(site: SlackSite) -> None:
    """The preview of a link is no change, and the same change twice is one."""
    root = site.ask("revenue by region, with a link?")
    asked = site.shown(root, "Run on Shop")
    site.slack.preview(root)
    site.slack.edit(root, "revenue by region, changed once?")
    [change] = [each for each in site.slack.wait_delivered() if "changed once" in str(each.payload)]
    site.slack.redeliver(change)
    site.slack.wait(lambda: words_of(asked.blocks).strip() == WITHDRAWN_CHANGED)
    site.slack.wait(lambda: len(cards(site, root, "Run on Shop")) == 1)
    site.slack.wait_delivered()
    assert sum("changed once" in prompt for prompt in site.model.prompts) == 1


def test_a_mention_that_is_put_in_later(site: SlackSite) -> None:
    """A message that names the bot only since it was changed is taken like a new one; chatter stays chatter."""
    chat = site.slack.say("C1", "revenue by region, for us?", user="UANA")
    site.slack.edit(chat, "revenue by region, between us?")
    site.slack.edit(chat, f"<@{site.slack.bot_user}> revenue by region, for the bot?")
    root = site.ask("revenue by region, last?")
    site.shown(root, "Run on Shop")
    assert [prompt for prompt in site.model.prompts if "between us" in prompt] == []


@pytest.mark.parametrize("words", ["run", "yes", "ok"])
def test_a_change_approves_nothing(site: SlackSite, words: str) -> None:
    """A message that becomes a Yes runs nothing: that takes a button, or a message of its own."""
    root = site.ask("revenue by region, to be run?")
    site.shown(root, "Run on Shop")
    second = site.slack.say("C1", "revenue by region in another way?", user="UANA", thread=root, mention=True)
    site.slack.wait(lambda: [each for each in cards(site, root, "Run on Shop") if each.ts > second.ts])
    runs = site.runs()
    site.slack.edit(second, words)
    site.slack.wait(lambda: cards(site, root, WITHDRAWN_CHANGED))
    site.slack.wait_delivered()
    assert site.runs() == runs


def test_others_change_nothing(site: SlackSite) -> None:
    """Neither a stranger's change nor one in a closed channel asks anything."""
    prompts = len(site.model.prompts)
    shut = site.ask("revenue by region, shut?", channel="CFORBIDDEN")
    site.told("UANA", "I don't answer in this channel")
    site.slack.edit(shut, "revenue by region, still shut?")
    site.slack.wait_delivered()
    assert [each for each in site.model.prompts[prompts:] if "shut" in each] == []

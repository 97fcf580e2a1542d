"""The sessions that Slack shows of threads: how they are called, and who began them."""

from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.slack.world import Message


def session(site: SlackSite, root: Message) -> tuple[str, str]:
    """Return a session's title and who began it."""
    held = site.slack.sessions[root.channel, root.ts]
    return held.title, held.initiator


def test_a_question_gives_the_title(site: SlackSite) -> None:
    """A session has the question's words as its title, whatever is asked later, and the asker as who began it."""
    root = site.ask("revenue by\nregion?")
    site.slack.press(site.shown(root, "Run on Shop"), "Run on Shop", user="UANA")
    site.shown(root, "CSV")
    site.slack.say("C1", "only the north", user="UANA", thread=root)
    site.idle(root, turns=3)
    assert ("revenue by region?", "UANA") == session(site, root)


def test_a_repeated_event_leaves_nothing_at_work(site: SlackSite) -> None:
    """Slack sends an event again that was answered: the session stays as it was, and nothing is said."""
    root = site.ask("revenue by region?")
    site.shown(root, "Run on Shop")
    site.idle(root, turns=1)
    said = len(site.slack.messages("C1", root))
    mention = next(each for each in site.slack.acks if each.payload.get("event", {}).get("ts") == root.ts)
    site.slack.redeliver(mention)
    site.slack.wait_delivered()
    assert site.slack.statuses[-1].status != "processing"
    assert said == len(site.slack.messages("C1", root))

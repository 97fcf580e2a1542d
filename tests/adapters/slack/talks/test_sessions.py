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


def test_the_first_words_give_the_title(site: SlackSite) -> None:
    """Also a greeting; what comes later changes nothing."""
    root = site.slack.dm("UANA", "hello")
    site.idle(root, turns=1)
    site.slack.dm("UANA", "revenue by region?", thread=root)
    site.idle(root, turns=2)
    assert ("hello", "UANA") == session(site, root)


def test_a_command_gives_the_title(site: SlackSite) -> None:
    """The session of a thread that a command began is called by its question."""
    before = site.slack.say("C2", "good morning", user="UANA")
    site.slack.command("/ask", "revenue by region?", user="UANA", channel="C2")
    root = site.slack.wait_message("C2", "asks:", after=before)
    site.slack.wait_message("C2", "Run on Shop", thread=root)
    site.idle(root, turns=1)
    assert ("revenue by region?", "UANA") == session(site, root)


def test_slack_takes_no_title(site: SlackSite) -> None:
    """Where Slack refuses the title or who began, the status is shown without from then on."""
    site.slack.fail("agents.sessions.setStatus", "invalid_arguments")
    root = site.ask("revenue by region?")
    site.shown(root, "Run on Shop")
    site.idle(root, turns=1)
    assert ("", "") == session(site, root)
    calls = [c for c in site.slack.asked("agents.sessions.setStatus") if c.arguments["thread_ts"] == root.ts]
    assert ["title" in call.arguments for call in calls] == [True, False]


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

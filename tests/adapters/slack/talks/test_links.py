"""Links to threads of the own workspace in what people write to the bot."""

from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.slack.world import Message


def link_of(message: Message) -> str:
    """Return the link that "Copy link" gives."""
    return f"https://acme.slack.com/archives/{message.channel}/p{message.ts.replace('.', '')}"


def test_a_link_stands_for_the_own_question(site: SlackSite) -> None:
    """Whoever links to a thread of their own asks what they asked there; no model reads the address."""
    root = site.ask("revenue by region?")
    site.shown(root, "Run on Shop")
    prompts = len(site.model.prompts)
    again = site.slack.dm("UANA", link_of(root))
    site.slack.wait_message("UANA", "Run on Shop", thread=again)
    assert any("revenue by region?" in prompt for prompt in site.model.prompts[prompts:])
    assert not any("slack.com" in prompt for prompt in site.model.prompts)


def test_a_link_beside_a_question(site: SlackSite) -> None:
    """A link to a thread of somebody else tells nothing, and is not read as words of the question."""
    theirs = site.ask("revenue by region?", user="UBOB")
    site.shown(theirs, "Run on Shop")
    root = site.ask(f"revenue of each customer? {link_of(theirs)}")
    asked = site.shown(root, "Run on Shop")
    assert "slack.com" not in str(asked.blocks)
    assert not any("slack.com" in prompt for prompt in site.model.prompts)

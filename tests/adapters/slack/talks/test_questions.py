"""From a question to its rows, in channels and in direct messages."""

from tests.adapters.slack.talks.site import ON_BOTH, REVENUE, SlackSite, buttons_in, table_in
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message

pytestmark = ON_BOTH


def approved(site: SlackSite, root: Message, user: str = "UANA") -> Message:
    """Press Run in this thread, and return the result."""
    site.slack.press(site.shown(root, "Run"), "Run", user=user)
    return site.shown(root, "CSV")


def test_from_a_mention_to_the_rows_and_goodbye(site: SlackSite) -> None:
    """A mention leads to SQL, Run to a table, Done to a goodbye; the rows alone keep what can be done with them."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run")
    site.slack.press(asked, "Run", user="UANA")
    table = site.shown(root, "CSV")
    assert [[cell["text"] for cell in row] for row in table_in(table)] == [
        ["name", "revenue"],
        ["North", "1235.75"],
        ["South", "355.75"],
    ]
    site.slack.press(table, "Done", user="UANA")
    site.shown(root, "Mention me for")
    site.slack.wait_delivered()
    kept = [m for m in site.slack.messages("C1", root) if any(block["type"] == "actions" for block in m.blocks)]
    assert [table] == kept
    assert ["Chart", "CSV", "Excel"] == buttons_in(table)


def test_an_answered_question_says_who_and_when(site: SlackSite) -> None:
    """What somebody else approved stays readable, without buttons, with who pressed Run, and the time."""
    root = site.ask("revenue by region?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    result = approved(site, root, user="UCARLA")
    assert result.ts > asked.ts
    said = words_of(asked.blocks)
    assert REVENUE.split(" FROM ")[0] in " ".join(said.split())
    assert "Run on Payroll · <@UCARLA> · <!date^" in said
    assert [] == [block for block in asked.blocks if block["type"] == "actions"]
    assert "Waiting for" not in said


def test_the_rows_take_the_place_of_what_the_asker_approved(site: SlackSite) -> None:
    """Where the asker pressed Run, the same message shows the rows, the SQL folded in it, and neither Run nor Edit."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on Shop")
    result = approved(site, root)
    assert result.ts == asked.ts
    (folded,) = [block for block in result.blocks if block["type"] == "container"]
    assert folded["default_collapsed"]
    assert "".join(REVENUE.split()) in "".join(words_of([folded]).split())
    assert {"Run on Shop", "Edit", "Rewrite", "Cancel"}.isdisjoint(buttons_in(result))


def test_a_follow_up_without_a_mention(site: SlackSite) -> None:
    """In the thread of a channel, the one who began it goes on without naming the bot."""
    root = site.ask("revenue by region?")
    first = approved(site, root)
    site.slack.say("C1", "How many regions are there?", user="UANA", thread=root)
    site.slack.wait_message("C1", "Run on Shop", thread=root, after=first)
    assert any("How many regions are there?" in prompt for prompt in site.model.prompts)

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


def test_edit_opens_the_form_by_itself(site: SlackSite) -> None:
    """Edit opens a modal with the SQL in it; a fault is told on its field, and what is mended is shown again to run."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run")
    site.slack.press(asked, "Edit", user="UANA")
    view = site.slack.wait_view()
    assert "SUM(o.total)" in view.blocks[-1]["element"]["initial_value"]
    broken = "SELECT name FROM nowhere"
    answer = site.slack.submit(view, {"sql": broken})
    assert answer is not None
    assert list(answer["errors"]) == ["sql"]
    assert view.open
    assert view.state["sql"]["sql"]["value"] == broken
    assert site.slack.submit(view, {"sql": "SELECT name FROM regions ORDER BY name"}) is None
    assert not view.open
    again = site.slack.wait_message("C1", "SELECT name FROM regions", thread=root)
    site.slack.wait(lambda: "Run on" in words_of(again.blocks))
    site.slack.press(again, "Run", user="UANA")
    table = site.shown(root, "CSV")
    assert [row[0]["text"] for row in table_in(table)] == ["name", "North", "South"]


def test_own_sql_typed_into_a_direct_message(site: SlackSite) -> None:
    """SQL sent as a direct message is shown to be approved in a thread under it, and runs."""
    root = site.slack.dm("UANA", "SELECT name FROM regions WHERE id < 2 AND name > 'A'")
    table = approved(site, root)
    assert table.thread == root.ts
    assert [row[0]["text"] for row in table_in(table)] == ["name", "North"]


def test_a_follow_up_in_the_thread_of_a_direct_message(site: SlackSite) -> None:
    """A direct message begins a thread, and a second question in it goes on there; the first rows stay at hand."""
    root = site.slack.dm("UANA", "revenue by region?")
    first = approved(site, root)
    site.slack.dm("UANA", "How much revenue did each region bring?", thread=root)
    again = site.slack.wait_message(first.channel, "Run on Shop", thread=root, after=first)
    assert again.thread == root.ts
    site.download(first, "CSV")
    site.slack.wait(lambda: [file for file in site.slack.files if file.thread == root.ts])


def test_a_file_is_one_message(site: SlackSite) -> None:
    """A download is the file alone, without a line above it; nothing is left of its progress."""
    root = site.ask("SELECT name FROM regions")
    table = approved(site, root)
    before = len(site.slack.asked("chat.postMessage"))
    site.download(table, "CSV")
    site.slack.wait(lambda: [file for file in site.slack.files if file.thread == root.ts])
    site.idle(root, turns=3)
    said = [m for m in site.slack.messages("C1", root) if m.ts > table.ts and not m.deleted]
    assert [("", [".csv"])] == [(m.text, [file.name[-4:] for file in m.files]) for m in said]
    assert before == len(site.slack.asked("chat.postMessage"))


def test_a_follow_up_without_a_mention(site: SlackSite) -> None:
    """In the thread of a channel, the one who began it goes on without naming the bot."""
    root = site.ask("revenue by region?")
    first = approved(site, root)
    site.slack.say("C1", "How many regions are there?", user="UANA", thread=root)
    site.slack.wait_message("C1", "Run on Shop", thread=root, after=first)
    assert any("How many regions are there?" in prompt for prompt in site.model.prompts)

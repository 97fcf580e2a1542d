"""The app's two tabs."""

from tests.adapters.slack.talks.house import House


def test_the_home_tab_shows_what_one_may_ask(house: House) -> None:
    """The Home tab has the connections that this person may read, and their examples; nothing of the others."""
    seen = house.home("UANA", "Shop")
    assert "Which region brings the most revenue?" in seen
    assert "Vault" not in seen
    assert "Payroll" not in seen


def test_the_home_tab_links_to_what_was_asked_last(house: House) -> None:
    """A question that was answered stands in the Home tab, with a link to its thread."""
    root = house.ask("how did each region do, at last?")
    house.slack.press(house.shown(root, "Run"), "Run", user="UANA")
    house.shown(root, "CSV")
    seen = house.home("UANA", "at last")
    assert f"<https://slack.com/archives/C1/p{root.ts.replace('.', '')}|how did each region do, at last?>" in seen
    assert "2 rows" in seen


def test_somebody_without_any_database(house: House) -> None:
    """Whoever may read nothing is told so in the Home tab."""
    house.slack.user("UNEW", "Nora", "nora@example.com")
    assert "Shop" not in house.home("UNEW", "No database yet")


def test_the_messages_tab_welcomes_once(house: House) -> None:
    """The Messages tab suggests questions each time, and greets only the first time."""
    count = len(house.slack.prompts)
    for _ in range(2):
        house.slack.open_messages_tab("UBOB")
    house.slack.wait(lambda: len(house.slack.prompts) == count + 2)
    house.slack.wait_message("UBOB", "Hello! Ask me a question")
    assert house.slack.prompts[-1].prompts[0][1] == "Which region brings the most revenue?"
    greetings = [m for m in house.slack.messages("UBOB") if m.text.startswith("Hello! Ask me a question")]
    assert len(greetings) == 1

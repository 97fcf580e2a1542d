"""People who are picked in a form, beside those whose addresses are typed."""

from adapters.chat.profiles import picked_and_typed


def test_me_stands_where_nobody_is_picked() -> None:
    """What the form came with is not sent to as well; typed addresses are, each once."""
    assert picked_and_typed(["bob@example.com"], "me") == "bob@example.com"
    assert picked_and_typed(["bob@example.com"], "Me, cleo@example.com, bob@example.com") == (
        "bob@example.com, cleo@example.com"
    )
    assert picked_and_typed([], "ana@example.com") == "ana@example.com"
